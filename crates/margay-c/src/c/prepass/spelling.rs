//! Single constructs with another spelling: assembler statements, numbers.

use super::edits::Replace;
use super::lexer::Token;
use super::marker;
use super::pass::Pass;

impl Pass {
    /// `asm goto` jumps: refused where reached. `inline` says nothing.
    pub(super) fn assembler(&mut self, i: usize) {
        let mut j = i + 1;
        let mut jumps = false;
        while self.is_word(j) {
            match self.at(j) {
                b"goto" => jumps = true,
                b"inline" | b"__inline" | b"__inline__" => self.blank_tokens(j, j),
                _ => {}
            }
            j += 1;
        }
        if let (true, Some(end)) = (jumps, self.partner_of(j)) {
            let (start, end) = (self.tokens[i].start, self.tokens[end].end);
            self.replaces.push(Replace { start, end, with: format!("{}(\"asm goto\")", marker::UNSUPPORTED) });
        }
    }

    /// GNU and C23 number spellings.
    pub(super) fn number(&mut self, i: usize) {
        let text = String::from_utf8_lossy(self.at(i)).into_owned();
        let mut new: String = text.chars().filter(|c| *c != '\'').collect();
        let hexadecimal = new.starts_with("0x") || new.starts_with("0X");
        if !hexadecimal && matches!(new.as_bytes().last(), Some(b'q' | b'Q')) {
            new.truncate(new.len() - 1);
            new.push_str("f128");
        }
        if new != text {
            let Token { start, end, .. } = self.tokens[i];
            self.replaces.push(Replace { start, end, with: new });
        }
    }
}
