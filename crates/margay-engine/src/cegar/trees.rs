//! Which shapes a program builds beside lists: seen in the heaps of an exploration that abstracts nothing, before any abstraction.
//!
//! Source: shape classes chosen from explicit heaps, after the CAV'12 paper on counterexample-guided shape refinement.

use crate::base::limits::Limits;
use crate::base::work::SECOND;
use crate::explore::explore_with;
use crate::fold::{Keep, TreeClass, tree_class};
use crate::memory::{Checks, Site};
use crate::sharing::Calls;

/// So much work is done to see heaps.
const SAMPLING: u64 = SECOND / 8;

/// The trees that the program of `calls` builds; only programs with a structure that may branch are looked at.
pub(crate) fn trees(calls: &Calls, checks: &Checks, limits: &Limits) -> Option<TreeClass> {
    if !calls.program().records.may_branch() {
        return None;
    }
    let system = explore_with(calls, checks, Keep::ALL, &limits.within_work(SAMPLING)).ok()?;
    // Lists of lists whose nodes are of one size look like trees, but that their links are of different types.
    let records = &calls.program().records;
    let is_meant = |class: &TreeClass, site: Site| {
        let record = match site {
            Site::Made(function, allocation) => calls.program().made_as(function, allocation),
            Site::Global(_) | Site::Slot(..) | Site::Outside => None,
        };
        let links = &class.links.children;
        record.map_or_else(|| records.has_links(class.size, links), |record| record.has_links(links))
    };
    let has_size_alone = |class: &TreeClass| records.all_have_links(class.size, &class.links.children);
    let states = system.nodes.iter().filter_map(|node| node.state.as_ref());
    tree_class(states.map(|state| &state.memory), &is_meant, &has_size_alone)
}
