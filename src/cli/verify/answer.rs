//! What is answered, as it is printed and as the exit code says it.

use crate::task::PropertyFile;
use crate::verdict::Verdict;

/// A verdict as plain data. Of several, the greatest counts for the exit code.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Answer {
    True,
    /// Neither is known, for this reason: one clause.
    Unknown(String),
    /// The name of the property that is violated.
    False(&'static str),
}

impl Answer {
    pub fn of(verdict: &Verdict) -> Self {
        match verdict {
            Verdict::True(_) => Self::True,
            Verdict::Unknown(why) => Self::Unknown(why.to_string()),
            Verdict::False(found) => Self::False(found.violation.name()),
        }
    }

    /// See the help of `--exit-code`.
    pub fn code(&self) -> u8 {
        match self {
            Self::True => 0,
            Self::False(_) => 10,
            Self::Unknown(_) => 20,
        }
    }

    /// The last line on standard output.
    pub fn line(&self) -> String {
        // A reason may quote the input; the answer is one line.
        let answer = self.to_string().replace(|c: char| c.is_control(), " ");
        format!("Verification result: {answer}\n")
    }

    /// The same answer to the property at hand and to all that were to follow.
    pub fn lines(&self, further: &[PropertyFile]) -> String {
        let rest = further.iter().map(|rest| format!("Property: {}\n{}", rest.path.display(), self.line()));
        std::iter::once(self.line()).chain(rest).collect()
    }
}

impl std::fmt::Display for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::True => f.write_str("TRUE"),
            Self::Unknown(why) => write!(f, "UNKNOWN ({why})"),
            Self::False(violated) => write!(f, "FALSE({violated})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_violation_counts_more_than_an_answer_that_is_missing() {
        let unknown = Answer::Unknown("timeout:\n3 s".into());
        let all = [Answer::False("valid-free"), Answer::True, unknown.clone()];
        let codes = [&all[..], &all[1..], &all[1..2]].map(|some| some.iter().max().map(Answer::code));
        assert_eq!(codes, [Some(10), Some(20), Some(0)]);
        assert_eq!(unknown.line(), "Verification result: UNKNOWN (timeout: 3 s)\n");
    }
}
