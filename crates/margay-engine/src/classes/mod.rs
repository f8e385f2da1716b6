//! Which classes of shapes the heaps of a program belong to, as seen in heaps whose nodes are all there: for people.
//!
//! Source: "Shape refinement through explicit heap analysis" (Beyer, Henzinger, Théoduloz, Zufferey): shape classes are chosen from
//! samples of explicit heaps, the invariants of a class being evaluated on them. The lattice of classes is data (`lattice.json`): an
//! entry gives the finest class of a structure; the coarser ones have only the first of its facts.

mod facts;
mod lattice;
mod sample;

#[cfg(test)]
mod tests;

use std::rc::Rc;

use self::lattice::{chosen, lattice};
use self::sample::{Sample, samples};
use crate::base::error::Result;
use crate::heap::State;

/// A sample should have so many nodes.
const ENOUGH_NODES: usize = 4;

/// So many samples are looked at.
const MOST_SAMPLES: usize = 100;

/// A picture should not have more nodes.
const MOST_SHOWN: usize = 7;

/// Blocks of one size that lead to one another.
pub struct Structure {
    /// Bytes.
    pub size: u64,
    /// Where nodes hold links, ascending.
    pub links: Vec<u64>,
    /// Heaps with two such nodes or more.
    pub heaps: usize,
    /// Those that its class was chosen from.
    pub samples: usize,
    /// Nodes in the smallest and in the largest of them.
    pub nodes: (usize, usize),
    /// The one of them with the most links that is still easy to look at.
    pub shown: Rc<State>,
    /// The class that all samples belong to and that says most.
    pub class: Class,
}

/// A class of shapes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// What such shapes are called, as in `lattice.json`.
    pub structure: String,
    /// What each link is for, and where it stands.
    pub roles: Vec<(String, u64)>,
    /// What holds in all samples.
    pub facts: Vec<String>,
    /// Facts of the structure's finest class.
    pub finest: usize,
}

/// The structures that these states show, those with the most heaps first. Links at several places of blocks of a size are links of one
/// class where `are_alike` says so.
///
/// # Errors
/// None: the lattice that is built in can be read, which a test sees to.
pub fn structures(states: &[Rc<State>], are_alike: &dyn Fn(u64, &[u64]) -> bool) -> Result<Vec<Structure>> {
    let lattice = lattice()?;
    let mut found = Vec::new();
    for (size, mut samples) in samples(states) {
        samples.retain(Sample::is_linked);
        samples.sort_by_key(Sample::nodes);
        let heaps = samples.len();
        // Where no heap has enough nodes, the largest ones are what there is.
        let least = samples.last().map_or(0, Sample::nodes).min(ENOUGH_NODES);
        samples.retain(|sample| sample.nodes() >= least);
        let samples = spread(samples);
        let mut links: Vec<u64> = samples.iter().flat_map(Sample::links).collect();
        links.sort_unstable();
        links.dedup();
        let Some(class) = chosen(&lattice, &samples, &links, &|places| are_alike(size, places)) else { continue };
        let (Some(first), Some(last)) = (samples.first(), samples.last()) else { continue };
        let nodes = (first.nodes(), last.nodes());
        let Some(shown) = samples.iter().max_by_key(|sample| sample.interest(MOST_SHOWN)) else { continue };
        let (shown, samples) = (shown.state.clone(), samples.len());
        found.push(Structure { size, links, heaps, samples, nodes, shown, class });
    }
    found.sort_by_key(|structure| std::cmp::Reverse(structure.heaps));
    Ok(found)
}

/// Some of many samples, of all sizes that there are.
fn spread(samples: Vec<Sample>) -> Vec<Sample> {
    let step = samples.len().div_ceil(MOST_SAMPLES).max(1);
    samples.into_iter().step_by(step).collect()
}
