//! A kind of summary that nobody else knows of, to see that one file is all a kind needs: two or three equal blocks in a row.

use std::rc::Rc;

use crate::heap::{
    Body, Change, Context, Form, Held, Lead, Object, Outer, Piece, Role, Sketch, Smg, Summary, Surroundings, Unfolding,
    Visitor, WellFormed, ensure,
};
use crate::memory::BlockId;
use crate::smt::Term;

/// Each block holds the address of the following one at its start, the last one `next`.
#[derive(Clone, Debug)]
pub struct Few {
    pub last: BlockId,
    pub next: Term,
    pub body: Rc<Body>,
}

impl Summary for Few {
    fn name(&self) -> &'static str {
        "few"
    }

    fn visit(&self, visitor: &mut dyn Visitor) {
        visitor.term(Role::Next, self.next);
        visitor.block(self.last);
        visitor.body(&self.body);
    }

    fn map(&self, change: &mut dyn Change) -> Form {
        let (last, next) = (change.end(self.last), change.term(self.next));
        Form::Other(Rc::new(Self { last, next, body: change.body(&self.body) }))
    }

    fn ends(&self) -> &[BlockId] {
        std::slice::from_ref(&self.last)
    }

    fn bodies(&self) -> &[Rc<Body>] {
        std::slice::from_ref(&self.body)
    }

    fn link_offsets(&self) -> Vec<u64> {
        vec![0]
    }

    fn least(&self) -> u32 {
        2
    }

    fn nonempty(&self) -> Option<Form> {
        Some(Form::Other(Rc::new(self.clone())))
    }

    fn holds(&self, owner: BlockId, from: BlockId, held: &mut Held) {
        held.values.push(self.next);
        held.blocks.extend((from == owner).then_some(self.last));
    }

    fn materialise(&self, memory: Smg, owner: BlockId, _at: BlockId) -> Vec<Smg> {
        let mut longer = memory.clone();
        let middle = memory.block(owner).map(|owner| longer.add_like(owner));
        let rows = [
            (memory, vec![owner, self.last]),
            (longer, [owner].into_iter().chain(middle).chain([self.last]).collect()),
        ];
        let instances = rows.into_iter().flat_map(|(memory, row)| {
            let addresses: Vec<Term> = row.iter().filter_map(|block| Some(memory.block(*block)?.address)).collect();
            let links = addresses.into_iter().skip(1).chain([self.next]);
            row.iter().zip(links).fold(vec![memory], |memories, (block, link)| {
                memories.into_iter().flat_map(|memory| memory.instantiate(&self.body, *block, &[(0, link)])).collect()
            })
        });
        instances.collect()
    }

    fn well_formed(&self, around: &Surroundings, owner: &Object) -> WellFormed {
        let node = self.body.objects.first();
        ensure(around.alone && node.is_some_and(|node| node.size == owner.size), || "it is no row".into())
    }

    fn sketch(&self) -> Sketch {
        let outer = vec![Outer { label: "after", at: 1, from: 0, value: self.next }];
        let (links, ends) = (vec![("link", 0)], vec!["begin", "end"]);
        Sketch { title: "FEW 2-3".into(), links, ends, outer, ..Sketch::default() }
    }

    fn unfoldings(&self, _context: &Context, owner: BlockId, nodes: u32) -> Vec<Unfolding> {
        let end = nodes as usize - 1;
        let link = |index| if index == end { Lead::Value(self.next) } else { Lead::Node(index + 1) };
        let piece = |index| Piece { bodies: vec![self.body.clone()], links: vec![(0, 0, link(index))] };
        let ends = vec![(owner, Lead::Node(0)), (self.last, Lead::Node(end))];
        let row = Unfolding { pieces: (0..=end).map(piece).collect(), ends, order: None };
        if nodes <= 3 { vec![row] } else { Vec::new() }
    }
}
