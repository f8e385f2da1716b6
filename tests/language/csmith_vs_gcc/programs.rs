//! Csmith's programs: generated, compiled in batches, run.

use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use margay::task::DataModel;

const HEADER: &str = include_str!("csmith.h");
/// Calls the program that its argument names and prints its checksum.
const DRIVER: &str = "#include <stdio.h>\n#include <stdlib.h>\n";
/// Where programs would not stop, although the interpreter saw them end.
const TIMEOUT_SECONDS: &str = "20";

/// The first of the tools that is not here.
pub fn missing() -> Option<&'static str> {
    let answers = |tool: &str| Command::new(tool).arg("--version").output().is_ok_and(|o| o.status.success());
    if !answers("csmith") {
        return Some("csmith");
    }
    if !Path::new("/usr/include/csmith/safe_math.h").exists() {
        return Some("header of csmith");
    }
    (!answers("gcc")).then_some("gcc")
}

/// What stands before each program, preprocessed.
pub struct Header {
    pub model: DataModel,
    text: String,
}

impl Header {
    /// `None` where gcc has nothing for this data model.
    pub fn new(model: DataModel, folder: &Path) -> Option<Self> {
        let source = folder.join("csmith.h.c");
        fs::write(&source, format!("{HEADER}\nint main(void) {{ return 0; }}\n")).ok()?;
        let linked = gcc(model).arg(&source).arg("-o").arg(folder.join("trial")).output().ok()?;
        fs::write(&source, HEADER).ok()?;
        let preprocessed = gcc(model).args(["-E", "-P"]).arg(&source).output().ok()?;
        let text = String::from_utf8(preprocessed.stdout).ok()?;
        (linked.status.success() && preprocessed.status.success()).then_some(Self { model, text })
    }
}

/// Floating numbers are those of SSE in both data models: the older unit computes with more digits than the types have. Some programs
/// access floating numbers at other types, which C leaves undefined and the interpreter takes for what their bytes say.
fn gcc(model: DataModel) -> Command {
    let mut gcc = Command::new("gcc");
    gcc.arg(match model {
        DataModel::Ilp32 => "-m32",
        DataModel::Lp64 => "-m64",
    });
    gcc.args(["-w", "-fwrapv", "-fno-strict-aliasing", "-msse2", "-mfpmath=sse"]);
    gcc
}

/// A preprocessed program whose `main` is called `csmith_main`.
pub struct Program {
    pub seed: u64,
    text: String,
}

impl Program {
    fn generate(seed: u64, header: &Header, folder: &Path) -> Self {
        // Most of them small, some as large as Csmith likes to make them.
        let size: &[&str] = match seed % 8 {
            0 => &["--max-funcs", "6"],
            1..4 => &["--max-funcs", "4", "--max-block-depth", "3"],
            _ => &["--max-funcs", "3", "--max-block-depth", "3", "--max-block-size", "3", "--max-expr-complexity", "6"],
        };
        let mut features = Vec::new();
        if !seed.is_multiple_of(2) {
            features.push("--no-volatiles");
        }
        if seed.is_multiple_of(3) {
            features.push("--float");
        }
        let generated = Command::new("csmith")
            .args(["--no-argc", "--quiet", "--concise", "--seed", &seed.to_string()])
            .args(size)
            .args(features)
            .current_dir(folder)
            .output()
            .expect("csmith runs");
        assert!(generated.status.success(), "csmith fails for seed {seed}");
        let body = String::from_utf8(generated.stdout).expect("csmith writes text");
        let lines: Vec<&str> = body.lines().filter(|line| !line.starts_with("#include")).collect();
        let body = lines.join("\n").replace("int main (void)", "int csmith_main(void)");
        assert!(body.contains("csmith_main"), "seed {seed} has no main:\n{body}");
        Self { seed, text: format!("{}\n{body}", header.text) }
    }

    /// The program that ends with its checksum as status.
    pub fn interpreted(&self) -> String {
        format!("{}\nint main(void) {{ csmith_main(); return checksum; }}\n", self.text)
    }

    /// The program under a name of its own.
    fn compiled(&self) -> String {
        let seed = self.seed;
        format!("{}\nunsigned checksum_{seed}(void) {{ csmith_main(); return checksum; }}\n", self.text)
            .replace("int csmith_main(void)", "static int csmith_main(void)")
    }
}

/// What gcc is asked to do with programs. Compiling with optimisation takes longer, and both must come to the same.
const LEVELS: [&str; 2] = ["-O0", "-O2"];

/// Programs that gcc made an executable of, one for each level.
pub struct Batch {
    pub programs: Vec<Program>,
    model: DataModel,
    /// The one that calls the program its argument names, and the programs.
    files: Vec<PathBuf>,
    executables: [PathBuf; LEVELS.len()],
}

impl Batch {
    pub fn new(seeds: Range<u64>, header: &Header, folder: &Path) -> Self {
        let programs: Vec<Program> = seeds.map(|seed| Program::generate(seed, header, folder)).collect();
        let mut driver = DRIVER.to_owned();
        let mut cases = String::new();
        let mut files = vec![folder.join("driver.c")];
        for (index, program) in programs.iter().enumerate() {
            driver.push_str(&format!("unsigned checksum_{}(void);\n", program.seed));
            cases.push_str(&format!(
                "#if !defined ONLY || ONLY == {index}\ncase {index}: printf(\"%u\\n\", checksum_{}()); return 0;\n#endif\n",
                program.seed
            ));
            let file = folder.join(format!("{index}.i"));
            fs::write(&file, program.compiled()).expect("room for a program");
            files.push(file);
        }
        driver.push_str(&format!(
            "int main(int argc, char **argv) {{ switch (atoi(argv[1])) {{\n{cases}}} return 1; }}\n"
        ));
        fs::write(&files[0], driver).expect("room for the driver");
        let executables = LEVELS.map(|level| {
            let executable = folder.join(format!("programs{level}"));
            let built =
                gcc(header.model).arg(level).args(&files).arg("-o").arg(&executable).output().expect("gcc runs");
            assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
            executable
        });
        Self { programs, model: header.model, files, executables }
    }

    /// What the compiled program at `index` comes to, at each level.
    pub fn checksums(&self, index: usize) -> Result<Vec<u32>, String> {
        self.executables.iter().map(|executable| Self::checksum(executable, index)).collect()
    }

    /// Whether the program at `index` converts a floating number to an integer type that cannot hold it: Csmith does not always
    /// look, and compilers differ.
    pub fn converts_too_much(&self, index: usize) -> bool {
        let executable = self.executables[0].with_extension("sanitized");
        let files = [&self.files[0], &self.files[index + 1]];
        let only = format!("-DONLY={index}");
        let mut gcc = gcc(self.model);
        gcc.args(["-O0", "-fsanitize=float-cast-overflow", &only, "-o"]).arg(&executable).args(files);
        if !gcc.status().is_ok_and(|status| status.success()) {
            return false;
        }
        run(&executable, index)
            .is_ok_and(|output| String::from_utf8_lossy(&output.stderr).contains("is outside the range"))
    }

    fn checksum(executable: &Path, index: usize) -> Result<u32, String> {
        let output = run(executable, index).map_err(|e| e.to_string())?;
        let text = String::from_utf8_lossy(&output.stdout);
        text.trim().parse().map_err(|_| format!("the compiled program fails: {:?}", output.status))
    }
}

/// Runs the program at `index` of an executable, which does not always stop.
fn run(executable: &Path, index: usize) -> io::Result<Output> {
    Command::new("timeout").arg(TIMEOUT_SECONDS).arg(executable).arg(index.to_string()).output()
}
