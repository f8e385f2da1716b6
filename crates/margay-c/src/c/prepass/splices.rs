//! Backslash–newline pairs.

/// `(at, removed)`: at and after offset `at` of the joined text, `removed` bytes have been taken out before.
pub type Splices = Vec<(u32, u32)>;

/// Joins continued lines.
pub fn remove(text: &[u8]) -> (Vec<u8>, Splices) {
    let has = |w: &[u8]| w[0] == b'\\' && matches!(w[1], b'\n' | b'\r');
    if !text.windows(2).any(has) {
        return (text.to_vec(), Vec::new());
    }
    let mut out = Vec::with_capacity(text.len());
    let mut splices = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let length = match &text[at..] {
            [b'\\', b'\n', ..] => 2,
            [b'\\', b'\r', b'\n', ..] => 3,
            [b, ..] => {
                out.push(*b);
                at += 1;
                continue;
            }
            [] => break,
        };
        at += length;
        splices.push((out.len() as u32, (at - out.len()) as u32));
    }
    (out, splices)
}

/// The offset in the text before [`remove`].
pub fn undo(splices: &Splices, at: u32) -> u32 {
    at + removed_before(splices, at)
}

/// Bytes taken out before offset `at` of the joined text.
pub fn removed_before(splices: &Splices, at: u32) -> u32 {
    match splices.partition_point(|s| s.0 <= at) {
        0 => 0,
        n => splices[n - 1].1,
    }
}
