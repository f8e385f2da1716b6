//! The path of an alarm: its steps, and the nodes of the exploration on the way.

use std::cell::OnceCell;
use std::rc::Rc;

use crate::ats::{Domain, Ending, Explorer, Histories};
use crate::cfa::{Op, Step};
use crate::evidence::NodeId;
use crate::explore::{Abstract, Followed, Shapes};
use crate::fold::{Place, Precision};
use crate::frame::Summarised;
use crate::heap::{Smg, State};
use crate::memory::{Config, initial};
use crate::sharing::Calls;

/// A path from the program's start to an alarm.
pub struct Path<'a, 'p> {
    pub explorer: &'a Explorer<Abstract<'p>>,
    pub steps: Vec<Step>,
    /// After how many steps which node is reached; ascending.
    pub nodes: Vec<(usize, NodeId)>,
    inline: OnceCell<Calls>,
}

impl<'a, 'p> Path<'a, 'p> {
    pub fn new(explorer: &'a Explorer<Abstract<'p>>, at: &Ending<Rc<[Step]>>) -> Self {
        let mut steps = Vec::new();
        let mut nodes = Vec::new();
        for (by, to) in explorer.path(at) {
            steps.extend_from_slice(&by);
            if let Some(to) = to {
                nodes.push((steps.len(), to));
            }
        }
        Self { explorer, steps, nodes, inline: OnceCell::new() }
    }

    /// The program's first state, in the terms of the exploration.
    fn start(&self) -> Option<State> {
        let shapes = &self.explorer.domain().shapes;
        let context = self.explorer.state(NodeId(0))?.memory.context().clone();
        let config: Config<Smg> = initial(shapes.program, Smg::new(context)).ok()?;
        Some(config)
    }

    /// Follows the path with every heap as it is; `visit` sees each state where runs may meet, after so many steps.
    pub fn precisely(&self, visit: &mut dyn FnMut(usize, &State)) -> Followed {
        self.follow(false, visit)
    }

    /// Whether no run takes the path, as far as that is seen where searches through bytes are one step: much sooner than
    /// [`Self::precisely`], where they go byte by byte. Where there are no searches, that is not asked twice.
    pub fn is_impossible_at_once(&self) -> bool {
        let program = self.explorer.domain().shapes.program;
        let searches = |step: &Step| {
            let location = program.function(step.function).location(step.at);
            matches!(location.edges[step.edge as usize].op, Op::Find { .. })
        };
        self.steps.iter().any(searches) && matches!(self.follow(true, &mut |_, _| ()), Followed::Nowhere)
    }

    fn follow(&self, finds_at_once: bool, visit: &mut dyn FnMut(usize, &State)) -> Followed {
        let shapes = &self.explorer.domain().shapes;
        let Some(mut start) = self.start() else { return Followed::Unclear("the program does not start") };
        start.memory.semantics.finds_at_once |= finds_at_once;
        Shapes::new(shapes.program, shapes.checks).follow(start, &self.steps, &mut |count, state| {
            visit(count, state);
            true
        })
    }

    /// The program with every call followed within its caller: made once for all that is tried on this path.
    pub fn inline(&self) -> &Calls {
        self.inline.get_or_init(|| Calls::new(self.explorer.domain().shapes.program, Summarised::Nothing))
    }

    /// Follows the path with abstraction as precise as this, functions within their callers.
    pub fn abstractly(&self, precision: &Precision) -> Followed {
        let shapes = &self.explorer.domain().shapes;
        let Some(mut start) = self.start() else { return Followed::Unclear("the program does not start") };
        let domain =
            Abstract::new(self.inline(), shapes.checks, precision.clone()).sampled_by(self.explorer.domain().samples());
        let mut histories = Histories::default();
        domain.prepare(&mut start);
        domain.shapes.follow(start, &self.steps, &mut |_, state| {
            if let Some(at) = domain.cut_point(state) {
                histories.arrive(&domain, at, state);
            }
            true
        })
    }

    /// The places on the path, from the node reached after `from` steps on, where states are abstracted.
    pub fn places(&self, from: usize) -> Vec<Place> {
        let mut places: Vec<Place> = Vec::new();
        for (_, node) in self.nodes.iter().filter(|(count, _)| *count >= from) {
            if let Some(state) = self.explorer.state(*node) {
                places.extend(self.explorer.domain().folding_place(state));
            }
        }
        places.sort_unstable();
        places.dedup();
        places
    }

    /// The steps that follow the node reached after `count` steps.
    pub fn suffix(&self, count: usize) -> &[Step] {
        &self.steps[count..]
    }
}
