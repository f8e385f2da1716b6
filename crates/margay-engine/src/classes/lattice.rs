//! The lattice of classes, and the class in it that samples belong to.

use serde::Deserialize;

use super::Class;
use super::facts::Fact;
use super::sample::Sample;
use crate::base::error::{Error, ErrorKind, Result};

/// Links that a node may have for a class to be looked for.
const MOST_LINKS: usize = 5;

const LATTICE: &str = include_str!("lattice.json");

/// As it is written: the finest class of a structure.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    structure: String,
    roles: Vec<String>,
    facts: Vec<String>,
}

/// The finest class of a structure.
pub(super) struct Entry {
    structure: String,
    roles: Vec<String>,
    facts: Vec<(String, Fact)>,
}

/// The classes there are.
///
/// # Errors
/// The file is no lattice.
pub(super) fn lattice() -> Result<Vec<Entry>> {
    let refused = |why: String| Error::new(ErrorKind::Usage, format!("no lattice of classes: {why}"));
    let written: Vec<Written> = serde_json::from_str(LATTICE).map_err(|error| refused(error.to_string()))?;
    let entry = |Written { structure, roles, facts }: Written| {
        let read = |text: String| match Fact::read(&text, &roles) {
            Some(fact) => Ok((text, fact)),
            None => Err(refused(format!("`{text}` of `{structure}` is no fact"))),
        };
        let facts = facts.into_iter().map(read).collect::<Result<Vec<_>>>()?;
        Ok(Entry { structure, roles, facts })
    };
    written.into_iter().map(entry).collect()
}

/// The class that all samples belong to: of the structures all of whose facts hold the one that says most, with most roles first; of
/// each structure at least the facts up to the first one that does not hold.
pub(super) fn chosen(
    lattice: &[Entry],
    samples: &[Sample],
    links: &[u64],
    are_alike: &dyn Fn(&[u64]) -> bool,
) -> Option<Class> {
    let mut best: Option<((bool, usize, usize), Class)> = None;
    for entry in lattice {
        for places in arrangements(&links[..links.len().min(MOST_LINKS)], entry.roles.len()) {
            if places.len() > 1 && !are_alike(&places) {
                continue;
            }
            let holds = |fact: &Fact| samples.iter().all(|sample| fact.holds(sample, &places));
            let facts: Vec<String> =
                entry.facts.iter().take_while(|(_, fact)| holds(fact)).map(|(text, _)| text.clone()).collect();
            let rank = (facts.len() == entry.facts.len(), entry.roles.len(), facts.len());
            if best.as_ref().is_none_or(|(other, _)| rank > *other) {
                let roles = entry.roles.iter().cloned().zip(places).collect();
                let class = Class { structure: entry.structure.clone(), roles, facts, finest: entry.facts.len() };
                best = Some((rank, class));
            }
        }
    }
    best.map(|(_, class)| class)
}

/// All ways to take `count` of `links` in some order.
fn arrangements(links: &[u64], count: usize) -> Vec<Vec<u64>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let mut found = Vec::new();
    for (index, link) in links.iter().enumerate() {
        let others: Vec<u64> = links[..index].iter().chain(&links[index + 1..]).copied().collect();
        for mut rest in arrangements(&others, count - 1) {
            rest.insert(0, *link);
            found.push(rest);
        }
    }
    found
}
