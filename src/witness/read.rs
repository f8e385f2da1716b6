//! Reads a witness of either format.

use std::path::Path;

use super::{WitnessSequence, read_graphml, read_yaml};
use crate::base::error::{Error, ErrorKind, Result};

impl WitnessSequence {
    /// Reads a witness of either format, told apart by its text.
    ///
    /// # Errors
    /// `Io`, or `Syntax` for what is no witness.
    pub fn read(path: &Path) -> Result<Self> {
        let io = |e| Error::new(ErrorKind::Io, format!("cannot read {}: {e}", path.display()));
        let bytes = std::fs::read(path).map_err(io)?;
        let text = String::from_utf8_lossy(&bytes);
        Self::parse(&text)
            .map_err(|message| Error::new(ErrorKind::Syntax, format!("{}: not a witness: {message}", path.display())))
    }

    /// The witness in `text`; an error is a clause for people.
    pub fn parse(text: &str) -> std::result::Result<Self, String> {
        let text = text.trim_start_matches('\u{feff}');
        if text.trim_start().starts_with('<') { read_graphml::parse(text) } else { read_yaml::parse(text) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn damaged_witnesses_are_read_or_refused(at in 0usize..900, length in 0usize..40, by in "[ -~\\n]{0,6}") {
            let graphml = "<?xml version='1.0'?><graphml><key id='entry'/><graph edgedefault='directed'><data key='witness-type'>\
                violation_witness</data><node id='a'><data key='entry'>true</data></node><node id='v'><data key='violation'>\
                true</data></node><edge source='a' target='v'><data key='startline'>5</data><data key='assumption'>\
                \\result == 3 &amp;&amp; x</data></edge></graph></graphml>";
            let yaml = "- entry_type: violation_sequence\n  metadata:\n    task: {specification: G, input_file_hashes: {a: b}}\n  \
                content:\n  - segment:\n    - waypoint: {type: function_return, action: follow, location: {line: 1, column: 2}, \
                constraint: {value: '\\result == 3'}}\n";
            for text in [graphml, yaml] {
                let whole = WitnessSequence::parse(text).unwrap();
                proptest::prop_assert!(!whole.steps.is_empty());
                let at = at % text.len();
                let end = (at + length).min(text.len());
                // No panic; what is made of the rest does not matter.
                let _ = WitnessSequence::parse(&format!("{}{by}{}", &text[..at], &text[end..]));
            }
        }
    }
}
