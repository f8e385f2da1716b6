//! Inequalities against all sums of small points, by hand and by brute force.

use super::hulls::{Inequality, common_remainder, of_points};

fn inequality(signs: &[i8], bound: i128) -> Inequality {
    Inequality { signs: signs.to_vec(), bound }
}

#[test]
fn sums_of_three_numbers_are_bounded() {
    // A list of `count` nodes, reversed: `prev + cur` is the count, or one more.
    let mut points = Vec::new();
    for count in 1..6 {
        for prev in 0..=count {
            points.extend([vec![count, prev, count - prev], vec![count, prev, count - prev + 1]]);
        }
    }
    let found = of_points(&points, 3);
    assert!(found.contains(&inequality(&[1, -1, -1], 0)), "{found:?}");
    assert!(found.contains(&inequality(&[-1, 1, 1], 1)), "{found:?}");
    // The count has no bound but that of what was tried, which is left out because it is large.
    assert!(found.contains(&inequality(&[-1, 0, 0], -1)), "{found:?}");
}

#[test]
fn what_follows_from_shorter_ones_is_left_out() {
    let points: Vec<Vec<i128>> = (0..4).flat_map(|a| (0..4).map(move |b| vec![a, b])).collect();
    let found = of_points(&points, 2);
    let bounds = [(&[1, 0], 3), (&[-1, 0], 0), (&[0, 1], 3), (&[0, -1], 0)];
    assert_eq!(found.len(), bounds.len(), "{found:?}");
    for (signs, bound) in bounds {
        assert!(found.contains(&inequality(signs, bound)), "{found:?}");
    }
}

#[test]
fn a_bound_that_one_point_has_is_chance() {
    let points = vec![vec![0, 5], vec![1, 6], vec![2, 8]];
    assert_eq!(of_points(&points, 2), vec![]);
}

#[test]
fn every_inequality_holds_of_its_points() {
    let points: Vec<Vec<i128>> = (0..50_i128).map(|k| vec![k % 7, (k * k) % 5, (k * 3) % 4, k % 2 - (k % 3)]).collect();
    let found = of_points(&points, 4);
    assert!(!found.is_empty());
    for Inequality { signs, bound } in found {
        let sums = points.iter().map(|point| signs.iter().zip(point).map(|(s, n)| i128::from(*s) * n).sum::<i128>());
        assert_eq!(sums.max(), Some(bound), "{signs:?}");
    }
}

#[test]
fn remainders_are_common_to_all() {
    assert_eq!(common_remainder([2, 4, 8, 10].into_iter()), Some((2, 0)));
    assert_eq!(common_remainder([7, 1, 13, 19].into_iter()), Some((6, 1)));
    assert_eq!(common_remainder([2, 4, 8, 11].into_iter()), None);
    // Too few, and one that is negative.
    assert_eq!(common_remainder([2, 4, 4, 4].into_iter()), None);
    assert_eq!(common_remainder([-2, 4, 6, 8].into_iter()), None);
}
