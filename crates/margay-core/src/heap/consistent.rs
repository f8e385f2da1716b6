//! What must be true of every graph that heap operations make: looked at after each of them in debug builds. On top of what a
//! proof's states have to fulfil it says that nothing speaks of what is gone.

use super::context::SymbolKind;
use super::forms::Summary;
use super::graph::{Object, Smg};
use super::well_formed::{has_empty_cycle, well_formed_object, well_formed_terms};
use crate::base::error::ensure;
use crate::smt::SymId;

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
            well_formed_terms(&self.context, object, &mut Default::default()).map_err(described)?;
            if let Some(summary) = object.form.summary() {
                self.bodies_are_consistent(summary).map_err(described)?;
            }
        }
        for (symbol, block) in &self.points_to {
            let object = self.object(*block).ok_or_else(|| format!("an address of {block:?}, which is gone"))?;
            ensure(self.context.terms.as_symbol(object.address) == Some(*symbol), || "it has two addresses".into())?;
        }
        Ok(())
    }

    fn speaks_of_what_is_there(&self, object: &Object) -> Result<(), String> {
        let is_gone = |symbol: SymId| match self.context.kind(symbol) {
            Some(SymbolKind::Address(_)) => !self.points_to.contains_key(&symbol),
            Some(SymbolKind::Bound { .. }) => object.is_region(),
            _ => false,
        };
        let mut gone = false;
        object.each_symbol(&self.context.terms, &mut |symbol| gone |= is_gone(symbol));
        ensure(!gone, || "it speaks of the address of something gone, or of what is bound in a body".into())
    }

    fn bodies_are_consistent(&self, summary: &dyn Summary) -> Result<(), String> {
        let width = u64::from(self.context.model.pointer_bytes());
        for body in summary.bodies() {
            let objects = &body.objects;
            ensure(!has_empty_cycle(&self.context, objects), || "lists that may be empty lead to each other".into())?;
            for offset in summary.link_offsets() {
                let is_open =
                    objects.first().is_some_and(|node| node.content.overlapping(offset, width).next().is_none());
                let is_named = || summary.named_link() == Some(offset) && body.tie(&self.context, offset).is_some();
                ensure(is_open || is_named(), || "a body with a link".into())?;
            }
            objects
                .iter()
                .filter_map(|object| object.form.summary())
                .try_for_each(|s| self.bodies_are_consistent(s))?;
        }
        Ok(())
    }
}
