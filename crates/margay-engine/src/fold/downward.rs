//! Pointers that lead from a node of one list down to a list below it, where nodes of both have one size: the types of the program's
//! structures tell them from links. Only a hint, for heaps in which every list still has one node: there a chain of nodes down the
//! levels node_kinds like one list.

use std::collections::BTreeSet;

use crate::cfa::{Records, Scalar};

/// Sizes of blocks, and offsets at which these hold such pointers.
#[derive(Debug, Default)]
pub struct Downward(BTreeSet<(u64, u64)>);

impl Downward {
    /// Those of these structures: some structure has at the offset a pointer to one of its size, but none of them ever leads to one of its
    /// own type that way.
    pub fn of(records: &Records) -> Self {
        let (mut down, mut links) = (BTreeSet::new(), BTreeSet::new());
        for (name, record) in records.own() {
            for member in record.members.iter().filter(|member| member.scalar == Some(Scalar::Pointer)) {
                let mut met: BTreeSet<&str> = BTreeSet::new();
                let mut c_type = Some(&*member.c_type);
                while let Some(next) = c_type.and_then(|c_type| records.pointed(c_type)) {
                    let Some(to) = c_type.and_then(pointed).filter(|_| next.size == record.size) else { break };
                    if !met.insert(to) {
                        break;
                    }
                    let onward = next.members.iter().find(|onward| onward.offset == member.offset);
                    c_type = onward.map(|onward| &*onward.c_type);
                }
                // What stands in another structure, or has no type of its own, may be a link of anything.
                let is_vague = member.path.contains(['.', '[']) || pointed(&member.c_type) == Some("void");
                if is_vague || met.contains(name) {
                    links.insert((record.size, member.offset));
                } else if !met.is_empty() {
                    down.insert((record.size, member.offset));
                }
            }
        }
        Self(down.difference(&links).copied().collect())
    }

    /// Whether a block of `size` bytes holds such a pointer at `offset`.
    pub fn has(&self, size: u128, offset: u64) -> bool {
        u64::try_from(size).is_ok_and(|size| self.0.contains(&(size, offset)))
    }
}

/// The name of what a pointer of this type points to.
fn pointed(c_type: &str) -> Option<&str> {
    Some(c_type.strip_suffix('*')?.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::c::{SourceText, parse};
    use crate::task::DataModel;

    fn downward(structures: &str) -> Vec<(u64, u64)> {
        let text = format!("{structures} int main(void) {{ return 0; }}");
        let unit = parse(&SourceText::from_text("t.c", &text, DataModel::Lp64)).unwrap();
        Downward::of(&Records::new(&unit.types)).0.into_iter().collect()
    }

    #[test]
    fn pointers_down_are_distinguished_from_links() {
        let levels = "struct leaf { struct leaf *next; }; struct twig { struct twig *next; struct leaf *leaves; };\
                      struct branch { struct branch *next; struct twig *twigs; };";
        assert_eq!(downward(levels), [(16, 8)]);
        // Where the lower level has its link, nothing is told.
        let crossed = "struct cell { struct row *row; struct cell *next; }; struct row { struct row *next; struct cell *cells; };";
        assert_eq!(downward(crossed), []);
        let in_turns = "struct even { struct odd *next; }; struct odd { struct even *next; };";
        assert_eq!(downward(in_turns), []);
        let untyped = "struct any { void *next; }; struct low { long n; }; struct high { struct low *down; };";
        assert_eq!(downward(untyped), []);
        let embedded = "struct head { struct head *next, *prev; }; struct item { struct head all; };";
        assert_eq!(downward(embedded), []);
    }
}
