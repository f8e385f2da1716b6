//! Options that several commands have, and how sizes, durations and data models are written.

use std::time::Duration;

use clap::Args;

use super::super::limit::Bounds;
use crate::task::DataModel;

/// What one answer may cost.
#[derive(Clone, Debug, Args)]
pub struct BoundArgs {
    /// CPU time for one answer, such as 900s, 15m or 1h, summed over all threads and children
    #[arg(short, long, value_name = "TIME", default_value = "15m", value_parser = duration)]
    pub timeout: Duration,
    /// Wall-clock time for one answer [default: no limit]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub walltime: Option<Duration>,
    /// Memory for one answer, such as 15GB or 512MiB; a lower limit of the system counts, too
    #[arg(short, long, value_name = "SIZE", default_value = "15GB", value_parser = size)]
    pub memory: u64,
}

impl BoundArgs {
    /// For the watchdog.
    pub fn bounds(&self) -> Bounds {
        Bounds { time: self.timeout, walltime: self.walltime, memory: self.memory }
    }
}

/// Choices about the semantics and the search.
#[derive(Clone, Debug, Args)]
pub struct AnalysisArgs {
    /// Let malloc, calloc and realloc return null as well (by default allocation never fails)
    #[arg(long)]
    pub malloc_may_fail: bool,
    /// Seed of every random choice
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub seed: u64,
}

/// `ILP32` or `LP64`.
pub fn data_model(text: &str) -> Result<DataModel, String> {
    DataModel::from_name(text).ok_or_else(|| "expected ILP32 or LP64".to_owned())
}

/// A duration in words (`15m`, `1h 30m`); a plain number counts seconds.
pub fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || "expected a time, such as 900s, 15m or 1h".to_owned();
    let too_long = || "it is too long".to_owned();
    match text.trim().parse::<f64>() {
        Ok(seconds) if seconds >= 0.0 => Duration::try_from_secs_f64(seconds).map_err(|_| too_long()),
        Ok(_) => Err(wrong()),
        Err(_) => humantime::parse_duration(text).map_err(|error| match error {
            humantime::DurationError::NumberOverflow => too_long(),
            _ => wrong(),
        }),
    }
}

/// The least number that is taken for bytes where it has no unit.
const FEWEST_BYTES: f64 = 1e6;

/// A size with a decimal (`GB`) or binary (`GiB`) unit; a plain number counts bytes, and must be one of bytes.
pub fn size(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let number: f64 = number.parse().map_err(|_| "expected a number and a unit, such as 15GB".to_owned())?;
    if unit.is_empty() && number < FEWEST_BYTES {
        return Err(format!("`{text}` has no unit; write {text}GB or {text}MB"));
    }
    let factor: u64 = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kb" => 1_000,
        "m" | "mb" => 1_000_000,
        "g" | "gb" => 1_000_000_000,
        "t" | "tb" => 1_000_000_000_000,
        "kib" => 1 << 10,
        "mib" => 1 << 20,
        "gib" => 1 << 30,
        "tib" => 1 << 40,
        unit => return Err(format!("`{unit}` is no unit of memory; use MB, MiB, GB or GiB")),
    };
    let bytes = number * factor as f64;
    if bytes >= u64::MAX as f64 {
        return Err("it is more than any machine has".to_owned());
    }
    Ok(bytes as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_durations() {
        assert_eq!(size("15GB"), Ok(15_000_000_000));
        assert_eq!(size("1.5 GiB"), Ok(3 << 29));
        assert_eq!(size("4096000"), Ok(4_096_000));
        assert_eq!(size("4096B"), Ok(4096));
        assert!(size("10").is_err_and(|why| why.contains("10GB")));
        assert!(size("99999999999999999999GB").is_err());
        assert!(size("GB").is_err());
        assert!(size("3 apples").is_err());
        assert_eq!(duration("15m"), Ok(Duration::from_secs(900)));
        assert_eq!(duration("900"), Ok(Duration::from_secs(900)));
        assert_eq!(duration("1h 30m"), Ok(Duration::from_secs(5400)));
        for text in ["-1", "soon", "nan", "3 apples"] {
            assert!(duration(text).is_err_and(|why| why.contains("such as 900s")), "{text}");
        }
        for text in ["1e300", "inf", "99999999999999999999999d"] {
            assert!(duration(text).is_err_and(|why| why == "it is too long"), "{text}");
        }
    }
}
