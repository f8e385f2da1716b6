//! What a witness is about, and the data both formats begin with.

use std::path::Path;
use std::time::{Duration, SystemTime};

use uuid::Uuid;

use crate::task::{DataModel, PropertyFile, Violation};
use crate::verdict::Assumptions;

/// The question a witness belongs to.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// As the user named it: positions in evidence carry the same name.
    pub file: &'a Path,
    /// Sizes of types.
    pub model: DataModel,
    /// What was asked.
    pub property: &'a PropertyFile,
    /// What the answer takes for granted.
    pub assumptions: &'a Assumptions,
}

impl Subject<'_> {
    pub(super) fn file_name(&self) -> String {
        self.file.display().to_string()
    }

    /// The formula a YAML witness is for: the violated part, or all parts.
    pub(super) fn formula(&self, violated: Option<Violation>) -> String {
        let parts = self.property.checks.iter().filter(|c| violated.is_none() || c.violation() == violated);
        parts.map(|check| check.formula()).collect::<Vec<_>>().join(" && ")
    }
}

/// The last second of the year 9999: a date has four digits for the year.
const LAST_SECOND: u64 = 253_402_300_799;

/// Now, or what `SOURCE_DATE_EPOCH` (seconds since 1970) says, as `2026-11-20T10:00:00Z`.
pub(super) fn creation_time() -> String {
    let given = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse().ok());
    let given = given.filter(|seconds| *seconds <= LAST_SECOND);
    let time = match given {
        Some(seconds) => SystemTime::UNIX_EPOCH + Duration::from_secs(seconds),
        None => SystemTime::now(),
    };
    humantime::format_rfc3339_seconds(time).to_string()
}

/// An identifier that only depends on the witness's content.
pub(super) fn uuid(content: &str) -> String {
    Uuid::new_v5(&Uuid::NAMESPACE_OID, content.as_bytes()).to_string()
}
