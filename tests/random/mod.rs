//! Numbers that are the same in every run.

pub struct Random(pub u64);

impl Random {
    /// A number below `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }

    pub fn pick<'s>(&mut self, of: &[&'s str]) -> &'s str {
        of[self.below(of.len() as u64) as usize]
    }
}
