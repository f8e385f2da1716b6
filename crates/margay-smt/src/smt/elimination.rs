//! Inequalities of sums of integers: whether they have a solution, by taking one unknown after the other out (Fourier and Motzkin).

/// A system has no more unknowns.
pub(super) const MOST_UNKNOWNS: usize = 8;

/// With more rows on the way a solver is not slower.
const MOST_ROWS: usize = 96;

/// So many solutions of the inequalities are looked at.
const MOST_TRIES: u32 = 48;

/// `Σ factors[i]·xᵢ ≤ bound` for integers `xᵢ`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub factors: [i64; MOST_UNKNOWNS],
    pub bound: i128,
}

/// Rows that hold together.
#[derive(Clone, Debug, Default)]
pub(super) struct System {
    rows: Vec<Row>,
}

/// What became of a system without its unknowns.
enum Outcome {
    /// It has no solution.
    Contradiction,
    /// It grew too large.
    Open,
    /// It has solutions among the rational numbers: each unknown in the order in which they were taken out, with the rows that bound
    /// it by unknowns taken out later.
    Stages(Vec<(usize, Vec<Row>)>),
}

impl Row {
    /// The same over its factors' common divisor: the bound is rounded down, which loses no integers.
    fn reduced(self) -> Row {
        let divisor = self.factors.iter().fold(0, |a, &b| gcd(a, b.unsigned_abs()));
        let Ok(divisor @ 2..) = i64::try_from(divisor) else { return self };
        Row { factors: self.factors.map(|factor| factor / divisor), bound: self.bound.div_euclid(divisor.into()) }
    }

    /// What follows from a row that bounds an unknown above and one that bounds it below; `None` where numbers grow too large.
    fn without(unknown: usize, above: &Row, below: &Row) -> Option<Row> {
        let (a, b) = (above.factors[unknown], below.factors[unknown].checked_neg()?);
        let common = i64::try_from(gcd(a.unsigned_abs(), b.unsigned_abs())).ok()?;
        let (a, b) = (a / common, b / common);
        let mut factors = [0; MOST_UNKNOWNS];
        for (index, factor) in factors.iter_mut().enumerate() {
            *factor = above.factors[index].checked_mul(b)?.checked_add(below.factors[index].checked_mul(a)?)?;
        }
        let bound = above.bound.checked_mul(b.into())?.checked_add(below.bound.checked_mul(a.into())?)?;
        Some(Row { factors, bound }.reduced())
    }

    fn has_no_unknown(&self) -> bool {
        self.factors == [0; MOST_UNKNOWNS]
    }
}

impl System {
    pub fn add(&mut self, row: Row) {
        push(&mut self.rows, row.reduced());
    }

    /// Whether no integers fulfil all rows and these, as far as can be seen.
    pub fn contradicts(&self, more: &[Row]) -> bool {
        let mut with = self.clone();
        more.iter().for_each(|row| with.add(*row));
        matches!(with.without_unknowns(), Outcome::Contradiction)
    }

    /// Integers that fulfil all rows and that `accept` takes, small ones first; unknowns without a row are 0.
    pub fn solution(&self, accept: &mut dyn FnMut(&[i128; MOST_UNKNOWNS]) -> bool) -> Option<[i128; MOST_UNKNOWNS]> {
        let Outcome::Stages(stages) = self.without_unknowns() else { return None };
        let mut tries = MOST_TRIES;
        let mut values = [0; MOST_UNKNOWNS];
        solve(&stages, &mut values, &mut tries, accept).then_some(values)
    }

    fn without_unknowns(&self) -> Outcome {
        let mut rows = self.rows.clone();
        let mut stages = Vec::new();
        loop {
            if rows.iter().any(|row| row.has_no_unknown() && row.bound < 0) {
                return Outcome::Contradiction;
            }
            rows.retain(|row| !row.has_no_unknown());
            // The one that makes the fewest new rows.
            let count = |unknown: usize| {
                let above = rows.iter().filter(|row| row.factors[unknown] > 0).count();
                let below = rows.iter().filter(|row| row.factors[unknown] < 0).count();
                (above + below > 0).then(|| (above * below) as i64 - (above + below) as i64)
            };
            let unknowns = (0..MOST_UNKNOWNS).filter_map(|unknown| Some((count(unknown)?, unknown)));
            let Some((_, unknown)) = unknowns.min() else { return Outcome::Stages(stages) };
            let (bounding, mut rest): (Vec<Row>, Vec<Row>) = rows.iter().partition(|row| row.factors[unknown] != 0);
            let (above, below): (Vec<&Row>, Vec<&Row>) = bounding.iter().partition(|row| row.factors[unknown] > 0);
            for above in above {
                for below in &below {
                    let Some(row) = Row::without(unknown, above, below) else { return Outcome::Open };
                    push(&mut rest, row);
                }
            }
            if rest.len() > MOST_ROWS {
                return Outcome::Open;
            }
            stages.push((unknown, bounding));
            rows = rest;
        }
    }
}

/// Adds a row to others; of two with the same sum the stronger one is kept.
fn push(rows: &mut Vec<Row>, row: Row) {
    match rows.iter_mut().find(|other| other.factors == row.factors) {
        Some(other) => other.bound = other.bound.min(row.bound),
        None => rows.push(row),
    }
}

/// Gives values to the unknowns of all stages, the last one first.
fn solve(
    stages: &[(usize, Vec<Row>)],
    values: &mut [i128; MOST_UNKNOWNS],
    tries: &mut u32,
    accept: &mut dyn FnMut(&[i128; MOST_UNKNOWNS]) -> bool,
) -> bool {
    let Some(((unknown, rows), others)) = stages.split_last() else {
        *tries = tries.saturating_sub(1);
        return accept(values);
    };
    values[*unknown] = 0;
    let (mut low, mut high) = (i128::MIN, i128::MAX);
    for row in rows {
        let known: Option<i128> = row
            .factors
            .iter()
            .zip(&*values)
            .try_fold(0i128, |sum, (factor, value)| sum.checked_add(i128::from(*factor).checked_mul(*value)?));
        let Some(left) = known.and_then(|known| row.bound.checked_sub(known)) else { return false };
        match i128::from(row.factors[*unknown]) {
            factor @ 1.. => high = high.min(left.div_euclid(factor)),
            // x ≥ left / factor, rounded up.
            factor => low = low.max(-left.div_euclid(-factor)),
        }
    }
    if low > high {
        return false;
    }
    let nearest = 0.clamp(low, high);
    let mut tried = Vec::new();
    for value in [nearest, nearest.saturating_add(1), nearest.saturating_sub(1), low, high] {
        if *tries > 0 && low <= value && value <= high && !tried.contains(&value) {
            tried.push(value);
            values[*unknown] = value;
            if solve(others, values, tries, accept) {
                return true;
            }
        }
    }
    false
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::super::random_tests::picks;
    use super::*;

    fn row(factors: &[i64], bound: i128) -> Row {
        let mut all = [0; MOST_UNKNOWNS];
        all[..factors.len()].copy_from_slice(factors);
        Row { factors: all, bound }
    }

    /// Random systems of three unknowns within −4..=4 against all their values.
    #[test]
    fn agrees_with_all_values() {
        let mut pick = picks(11);
        let (mut answers, mut open) = ([0, 0], 0);
        for _ in 0..3000 {
            let mut system = System::default();
            let mut rows = Vec::new();
            for unknown in 0..3 {
                for sign in [1, -1] {
                    let mut factors = [0; 3];
                    factors[unknown] = sign;
                    rows.push(row(&factors, 4));
                }
            }
            for _ in 0..2 + pick(5) {
                let factors = [0; 3].map(|_: i64| pick(7) as i64 - 3);
                rows.push(row(&factors, pick(9) as i128 - 6));
            }
            rows.iter().for_each(|row| system.add(*row));
            let fulfils = |values: &[i128]| {
                rows.iter().all(|row| {
                    let sum: i128 = row.factors.iter().zip(values).map(|(f, v)| i128::from(*f) * v).sum();
                    sum <= row.bound
                })
            };
            let all = (0..729).map(|n| [n % 9 - 4, n / 9 % 9 - 4, n / 81 - 4]);
            let expected = all.into_iter().any(|values| fulfils(&values));
            let solution = system.solution(&mut |values| {
                assert!(fulfils(values), "{rows:?} {values:?}");
                true
            });
            let refuted = system.contradicts(&[]);
            assert!(!(refuted && expected), "{rows:?}");
            assert!(!(refuted && solution.is_some()));
            open += usize::from(!refuted && solution.is_none());
            answers[usize::from(expected)] += 1;
        }
        assert!(answers.iter().all(|count| *count > 500) && open < 100, "{answers:?}, {open}");
    }

    #[test]
    fn integers_between_two_bounds() {
        let mut system = System::default();
        // 1 ≤ 3x ≤ 2
        system.add(row(&[3], 2));
        assert!(!system.contradicts(&[]));
        assert!(system.contradicts(&[row(&[-3], -1)]));
        // 5 ≤ 3x ≤ 7 has 2.
        let mut system = System::default();
        system.add(row(&[3], 7));
        system.add(row(&[-3], -5));
        assert_eq!(system.solution(&mut |_| true).map(|values| values[0]), Some(2));
        assert_eq!(system.solution(&mut |values| values[0] == 3), None);
    }

    #[test]
    fn large_numbers_are_left_open() {
        let mut system = System::default();
        system.add(row(&[i64::MAX, 3], 7));
        system.add(row(&[-3, -i64::MAX], 7));
        assert!(!system.contradicts(&[]));
        assert_eq!(system.solution(&mut |_| true), None);
    }
}
