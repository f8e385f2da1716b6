//! Inline assembler, told by its template.

use super::super::library::ASSEMBLER;

/// What is known of an assembler statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assembler {
    /// Orders accesses and does nothing besides, which a single thread does not notice.
    Fence,
    /// Brings something from outside: a port, a register of the machine, what a routine of the kernel returns.
    Read,
    /// Computes its outputs from its inputs.
    Computation,
}

impl Assembler {
    /// The name its outputs have as results of an unknown function.
    pub fn result(self) -> &'static str {
        match self {
            Assembler::Fence | Assembler::Read => "asm",
            Assembler::Computation => ASSEMBLER,
        }
    }
}

/// What the assembler of `template` is.
pub fn classify(template: &str) -> Assembler {
    let mut instructions = instructions(template).peekable();
    let is_fence = |text: &str| {
        let compact: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        ["lfence", "sfence", "mfence", "pause", "rep", "nop", "lock", "addl$0,0(%%esp)", "addl$0,0(%%rsp)"]
            .contains(&compact.as_str())
    };
    if instructions.clone().all(is_fence) {
        return Assembler::Fence;
    }
    let reads = ["in", "inb", "inw", "inl", "call", "rdtsc", "rdmsr", "pushf", "cpuid", "rdpmc"];
    match instructions.peek() {
        Some(first) if first.contains("%%gs:") || first.contains("%%fs:") => Assembler::Read,
        Some(first) => {
            let word = first.split_whitespace().next().unwrap_or_default();
            let is_read = reads.contains(&word) || first.contains(".pushsection") || first.contains("call");
            if is_read { Assembler::Read } else { Assembler::Computation }
        }
        None => Assembler::Fence,
    }
}

/// How the verdict names it among what it assumes.
pub fn name(template: &str) -> String {
    let text = instructions(template).collect::<Vec<_>>().join("; ");
    let short: String = text.chars().take(30).collect();
    format!("inline assembler `{short}`")
}

/// The instructions without labels and directives.
fn instructions(template: &str) -> impl Iterator<Item = &str> + Clone {
    let lines = template.split([';', '\n']).map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with('.') && !line.ends_with(':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_idioms_are_distinguished() {
        let of = |template| classify(template);
        for fence in ["", "mfence", " lock; addl $0,0(%%rsp) ", "rep; nop", "sfence\n\tlfence", ".align 4"] {
            assert_eq!(of(fence), Assembler::Fence, "{fence}");
        }
        for read in ["movq %%gs:%P1,%0", "inb %w1, %b0", "771:\n\tcall *%c2;\n772:", "call __get_user_4"] {
            assert_eq!(of(read), Assembler::Read, "{read}");
        }
        for computation in ["bsfl %1,%0", "xchgl %0,%1", "lock; decl %0", "addl $1,0(%%rsp)", "movl %1,%0"] {
            assert_eq!(of(computation), Assembler::Computation, "{computation}");
        }
    }

    #[test]
    fn names_are_short_and_on_one_line() {
        assert_eq!(name(".balign 4\n671:\n\tlock; decl %0"), "inline assembler `lock; decl %0`");
    }
}
