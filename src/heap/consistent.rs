//! What must be true of every graph that heap operations make: looked at after each of them in debug builds. On top of what a
//! proof's states have to fulfil it says that nothing speaks of what is gone.

use super::context::SymbolKind;
use super::graph::{Object, Smg};
use super::segment::{Body, Form, Segment};
use super::well_formed::{ensure, has_empty_cycle, well_formed_body, well_formed_object};
use crate::smt::Term;

impl Smg {
    /// Whether the graph is consistent.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn consistent(&self) -> Result<(), String> {
        // What was lost has raised an alarm: no proof comes of this graph.
        if self.objects.values().any(|object| object.lost) {
            return Ok(());
        }
        for (&block, object) in &self.objects {
            let described = |why: String| format!("{block:?} {}: {why}", object.origin.name);
            well_formed_object(self, block, object).map_err(described)?;
            self.speaks_of_what_is_there(object).map_err(described)?;
            if let Form::First(segment) = &object.form {
                well_formed_body(&self.context, &segment.body, &[], &mut Default::default()).map_err(described)?;
                self.segment_is_well_formed(segment).map_err(described)?;
            }
        }
        for (symbol, block) in &self.points_to {
            let object = self.object(*block).ok_or_else(|| format!("an address of {block:?}, which is gone"))?;
            ensure(self.context.terms.as_symbol(object.address) == Some(*symbol), || "it has two addresses".into())?;
        }
        Ok(())
    }

    fn speaks_of_what_is_there(&self, object: &Object) -> Result<(), String> {
        let is_gone = |term: Term| {
            self.context.terms.symbols_of(term).iter().any(|symbol| match self.context.kind(*symbol) {
                Some(SymbolKind::Address(_)) => !self.points_to.contains_key(symbol),
                Some(SymbolKind::Bound { .. }) => object.is_region(),
                _ => false,
            })
        };
        let mut gone = false;
        object.each_term(&mut |term| gone |= is_gone(term));
        ensure(!gone, || "it speaks of the address of something gone, or of what is bound in a body".into())
    }

    fn segment_is_well_formed(&self, segment: &Segment) -> Result<(), String> {
        let Body { objects, .. } = segment.body.as_ref();
        ensure(!has_empty_cycle(&self.context, objects), || "lists that may be empty lead to each other".into())?;
        let width = u64::from(self.context.model.pointer_bytes());
        for offset in [Some(segment.links.next), segment.links.prev].into_iter().flatten() {
            let is_open = objects.first().is_some_and(|node| node.content.overlapping(offset, width).next().is_none());
            ensure(is_open, || "a body with a link".into())?;
        }
        for object in objects {
            if let Form::First(segment) = &object.form {
                self.segment_is_well_formed(segment)?;
            }
        }
        Ok(())
    }
}
