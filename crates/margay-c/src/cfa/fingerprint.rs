//! Which program something is about.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::Program;

/// Equal for equal programs; different ones share it by accident only. It means nothing in another process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprint(u64);

impl Program {
    /// That of the whole program, functions that an analysis has added included.
    pub fn fingerprint(&self) -> Fingerprint {
        self.fingerprint_of_first(self.functions.len())
    }

    /// That of the program without all but so many functions, the first ones: what an analysis adds of its own stands after them.
    pub fn fingerprint_of_first(&self, functions: usize) -> Fingerprint {
        let mut hasher = DefaultHasher::new();
        let Program {
            model,
            functions: all,
            globals,
            start,
            known,
            source: _,
            warnings: _,
            addressed: _,
            assumed: _,
            locks: _,
            records: _,
        } = self;
        (model, all.get(..functions), globals, start, known).hash(&mut hasher);
        Fingerprint(hasher.finish())
    }
}

#[cfg(any(test, feature = "testing"))]
impl Fingerprint {
    /// Of a program that does not exist.
    pub fn numbered(number: u64) -> Self {
        Self(number)
    }
}
