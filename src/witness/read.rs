//! Reads a witness of either format.

use std::path::Path;

use super::{WitnessSequence, read_graphml, read_yaml};
use crate::base::error::{Error, Result};

impl WitnessSequence {
    /// Reads a witness of either format, distinguished by its text; where it is none, the inner error is a clause for people.
    ///
    /// # Errors
    /// `Io` where the file cannot be read.
    pub fn read(path: &Path) -> Result<std::result::Result<Self, String>> {
        let io = |e| Error::cannot_read(path, e);
        let bytes = std::fs::read(path).map_err(io)?;
        let text = String::from_utf8_lossy(&bytes);
        Ok(Self::parse(&text))
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
        fn damaged_witnesses_are_read_or_refused(at in 0usize..1000, length in 0usize..40, by in "[ -~\\n]{0,6}") {
            let hash = "0a".repeat(32);
            let graphml = format!(
                "<?xml version='1.0'?><graphml><key id='entry'/><graph edgedefault='directed'><data key='witness-type'>\
                violation_witness</data><data key='sourcecodelang'>C</data><data key='producer'>x</data>\
                <data key='architecture'>32bit</data><data key='specification'>G</data><data key='programfile'>a</data>\
                <data key='programhash'>{hash}</data><node id='a'><data key='entry'>true</data></node><node id='v'><data \
                key='violation'>true</data></node><edge source='a' target='v'><data key='startline'>5</data><data \
                key='assumption'>\\result == 3 &amp;&amp; x</data></edge></graph></graphml>"
            );
            let yaml = format!(
                "- entry_type: violation_sequence\n  metadata:\n    format_version: '2.0'\n    uuid: \
                91023a0f-9f45-4385-88c4-1152ade45537\n    creation_time: 2024-01-01T00:00:00Z\n    producer: {{name: a, version: b}}\n    \
                task: {{specification: G, input_files: [a], input_file_hashes: {{a: {hash}}}, data_model: LP64, language: C}}\n  \
                content:\n  - segment:\n    - waypoint: {{type: target, action: follow, location: {{file_name: a, line: 1}}}}\n"
            );
            for text in [&graphml, &yaml] {
                let whole = WitnessSequence::parse(text).unwrap();
                proptest::prop_assert!(!whole.segments.is_empty());
                let at = at % text.len();
                let end = (at + length).min(text.len());
                // No panic; what is made of the rest does not matter.
                let _ = WitnessSequence::parse(&format!("{}{by}{}", &text[..at], &text[end..]));
            }
        }
    }
}
