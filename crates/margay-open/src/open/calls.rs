//! Calls by contract: the callee's precondition is found in the state (or asked of the caller's callers), its postconditions
//! take its place, and the rest of the state is the frame.

use std::rc::Rc;

use super::contract::{Contract, Expr, Post};
use super::heap::{Cell, SymbolicHeap, Value, World};
use super::matching::{Mode, Obstacle, Pattern, Solution, find, flexible};
use super::terms::Reader;
use crate::cfa::{FunctionId, Program};
use crate::heap::SymbolKind;
use crate::memory::{BlockId, Config, Fault, Outcome, Reason, Stuck, Successors, Weakness, fit};
use crate::smt::Term;

/// How often a state may be refined for one call.
const MAX_REFINEMENTS: usize = 60;
/// How deep functions are followed within their callers.
const MAX_INLINED: usize = 8;

/// How a call goes on.
pub(super) struct Applied {
    pub successors: Successors<SymbolicHeap>,
    /// States at the callee's entry that no contract fits.
    pub inside: Vec<Config<SymbolicHeap>>,
    /// More was asked of the caller than bytes: the call may be another one than the contracts describe.
    pub asks: bool,
}

/// What calls are made of.
pub(super) struct Calls<'a> {
    pub world: &'a World,
    pub program: &'a Program,
}

impl Calls<'_> {
    /// Ends the call that the top frame of `config` has just entered, by one of `contracts`.
    ///
    /// To learn, each contract is a way to go on; otherwise the contracts must cover the state. Memories that no contract
    /// fits (nodes of which the caller knows more, addresses that are equal here) are left at the callee's entry, to be
    /// followed within their caller.
    pub fn apply(&self, config: Config<SymbolicHeap>, contracts: &[Contract], mode: Mode) -> Applied {
        let mut config = config;
        let (mut inside, mut asks) = (Vec::new(), false);
        let Some(frame) = config.frames.pop() else {
            return Applied { successors: Successors::new(), inside, asks };
        };
        let is_open = !config.frames.iter().any(|caller| caller.function == frame.function)
            && config.frames.len() < MAX_INLINED
            && !self.program.function(frame.function).is_stub();
        let entered = |heap: SymbolicHeap, config: &Config<SymbolicHeap>| {
            let mut frames = config.frames.clone();
            frames.push(frame.clone());
            Config { memory: heap, frames, globals: config.globals.clone() }
        };
        let params = &self.program.function(frame.function).params;
        let args: Vec<Option<Term>> = params.iter().map(|param| frame.regs[param.index()]).collect();
        let call = Call { calls: self, function: frame.function, args, dst: frame.result, contracts };
        let mut successors = Successors::new();
        match mode {
            Mode::Learn => {
                // What fits as it is needs no more: the others would only ask for more.
                let fits = contracts.iter().find_map(|contract| call.single(&config, contract));
                if let Some(solution) = fits {
                    call.finish(&config, solution.0, solution.1, &mut successors);
                    return Applied { successors, inside, asks };
                }
                let mut fault = None;
                let mut why = None;
                for contract in contracts {
                    asks |= call.learn(&config, contract, &mut successors, &mut fault, &mut why);
                }
                // Contracts speak of separate memory: what happens where it is not, the callee itself says.
                let is_freed = fault.as_ref().is_some_and(|(_, fault)| is_of_freed(fault));
                if is_open && (successors.is_empty() || is_freed || call.has_aliases(&config.memory)) {
                    inside.push(entered(config.memory.clone(), &config));
                } else if successors.is_empty() {
                    call.give_up(config, fault, why, &mut successors);
                }
            }
            Mode::Split | Mode::Prove => {
                let left = call.cover(&config, &mut successors, is_open);
                inside.extend(left.into_iter().map(|heap| entered(heap, &config)));
            }
        }
        Applied { successors, inside, asks }
    }
}

struct Call<'a> {
    calls: &'a Calls<'a>,
    function: FunctionId,
    args: Vec<Option<Term>>,
    dst: Option<crate::cfa::Reg>,
    contracts: &'a [Contract],
}

impl<'a> Call<'a> {
    fn reader(&self, vars: Vec<Term>) -> Reader<'a> {
        Reader { world: self.calls.world, program: self.calls.program, vars }
    }

    fn pattern(&self, heap: &SymbolicHeap, contract: &Contract) -> Option<(Pattern, Vec<Term>)> {
        let vars: Vec<Term> =
            contract.vars.iter().enumerate().map(|(n, width)| flexible(heap, n as u32, *width, 0)).collect();
        let reader = self.reader(vars.clone());
        let mut pattern = reader.pattern(&contract.pre)?;
        // The callee may have what this function made as well.
        pattern.blocks.iter_mut().for_each(|block| block.foreign = false);
        Some((pattern, vars))
    }

    fn attempt(
        &self,
        heap: &SymbolicHeap,
        contract: &Contract,
        mode: Mode,
    ) -> std::result::Result<(Solution, Vec<Term>), Obstacle> {
        let Some((pattern, vars)) = self.pattern(heap, contract) else {
            return Err(Obstacle::Fail("a contract of another program".into(), None));
        };
        let terms = heap.terms();
        let mut roots = Vec::new();
        for (var, arg) in vars.iter().zip(&self.args) {
            if let Some(arg) = arg {
                let (own, given) = (terms.width(*var), terms.width(*arg));
                if own != given {
                    return Err(Obstacle::Fail("arguments of other types".into(), None));
                }
                roots.push((*var, *arg));
            }
        }
        let solution = find(&pattern, heap, &roots, mode)?;
        Ok((solution, vars))
    }

    /// Two arguments lead to one object.
    fn has_aliases(&self, heap: &SymbolicHeap) -> bool {
        let bases: Vec<Term> = self.args.iter().flatten().map(|arg| heap.split(heap.norm(*arg)).0).collect();
        let is_pointer =
            |base: Term| heap.terms().width(base) == heap.pointer_bits() && heap.terms().as_const(base).is_none();
        bases.iter().enumerate().any(|(n, base)| is_pointer(*base) && bases[..n].contains(base))
    }

    /// A match of the state as it is; lists may be unfolded for it.
    fn single<'c>(
        &self,
        config: &Config<SymbolicHeap>,
        contract: &'c Contract,
    ) -> Option<(&'c Contract, (Solution, Vec<Term>))> {
        let mut heap = config.memory.clone();
        for _ in 0..MAX_REFINEMENTS {
            match self.attempt(&heap, contract, Mode::Prove) {
                Ok(found) => return Some((contract, found)),
                Err(Obstacle::Refine(mut cases)) if cases.len() == 1 => heap = cases.pop()?,
                Err(_) => return None,
            }
        }
        None
    }

    /// Whether more than bytes was asked for.
    fn learn(
        &self,
        config: &Config<SymbolicHeap>,
        contract: &Contract,
        successors: &mut Successors<SymbolicHeap>,
        fault: &mut Option<(SymbolicHeap, Fault)>,
        why: &mut Option<String>,
    ) -> bool {
        let mut asks = false;
        let mut work = vec![config.memory.clone()];
        let mut fuel = MAX_REFINEMENTS;
        while let Some(heap) = work.pop() {
            if fuel == 0 {
                break;
            }
            fuel -= 1;
            match self.attempt(&heap, contract, Mode::Learn) {
                Ok(found) => {
                    asks |= found.0.rest.asks_more_than_bytes(&config.memory);
                    let config = Config { memory: heap, ..config.clone() };
                    self.finish(&config, contract, found, successors);
                }
                Err(Obstacle::Refine(cases)) => work.extend(cases),
                Err(Obstacle::Fail(reason, found)) => {
                    if let (Some(found), None) = (found, &fault) {
                        *fault = Some((heap, found));
                    }
                    *why = Some(reason);
                }
            }
        }
        asks
    }

    /// Every memory of the state must fit some contract; those that do not are returned where they may be.
    fn cover(
        &self,
        config: &Config<SymbolicHeap>,
        successors: &mut Successors<SymbolicHeap>,
        may_be_left: bool,
    ) -> Vec<SymbolicHeap> {
        let mut left = Vec::new();
        let mut work = vec![config.memory.clone()];
        let mut fuel = 4 * MAX_REFINEMENTS;
        while let Some(heap) = work.pop() {
            let config = Config { memory: heap.clone(), ..config.clone() };
            fuel -= 1;
            if fuel == 0 {
                let why = format!("too many cases at a call of `{}`", self.name());
                successors.push(Outcome::Stuck(config, Stuck::tool(why)));
                return left;
            }
            if let Some((contract, found)) = self.contracts.iter().find_map(|contract| self.single(&config, contract)) {
                self.finish(&config, contract, found, successors);
                continue;
            }
            let mut fault = None;
            let mut why = None;
            let mut refined = None;
            for contract in self.contracts {
                match self.attempt(&heap, contract, Mode::Split) {
                    Ok(found) => {
                        self.finish(&config, contract, found, successors);
                        refined = Some(Vec::new());
                    }
                    Err(Obstacle::Refine(cases)) => refined = Some(cases),
                    Err(Obstacle::Fail(reason, found)) => {
                        fault = fault.or(found.map(|found| (heap.clone(), found)));
                        why = Some(reason);
                    }
                }
                if refined.is_some() {
                    break;
                }
            }
            match refined {
                Some(cases) => work.extend(cases),
                None if may_be_left => left.push(heap),
                None => self.give_up(config, fault, why, successors),
            }
        }
        left
    }

    fn name(&self) -> &str {
        &self.calls.program.function(self.function).name
    }

    fn give_up(
        &self,
        mut config: Config<SymbolicHeap>,
        fault: Option<(SymbolicHeap, Fault)>,
        why: Option<String>,
        successors: &mut Successors<SymbolicHeap>,
    ) {
        if let Some((heap, fault)) = fault {
            config.memory = heap;
            let detail = format!("in a call of `{}`: {}", self.name(), fault.detail);
            successors.push(Outcome::Fault(config, Fault { detail: detail.into(), ..fault }));
            return;
        }
        let why = match why {
            Some(why) => format!("no contract of `{}` fits: {why}", self.name()),
            None => format!("`{}` has no contract", self.name()),
        };
        successors.push(Outcome::Stuck(config, Stuck::tool(why)));
    }

    /// The state after the call, once for each way the callee ends.
    fn finish(
        &self,
        config: &Config<SymbolicHeap>,
        contract: &Contract,
        (solution, vars): (Solution, Vec<Term>),
        successors: &mut Successors<SymbolicHeap>,
    ) {
        let Solution { rest, theta, blocks } = solution;
        for post in &contract.posts {
            if post.ends {
                let config = Config { memory: rest.clone(), ..config.clone() };
                successors.push(Outcome::Next(config, Reason::Halted(crate::cfa::HaltKind::Abort)));
                continue;
            }
            let mut heap = rest.clone();
            let mut values: Vec<Term> = Vec::with_capacity(vars.len() + post.vars.len());
            for var in &vars {
                let bound = heap.terms().as_symbol(*var).and_then(|symbol| theta.get(&symbol).copied());
                let width = heap.terms().width(*var);
                values.push(match bound {
                    Some(value) => heap.norm(value),
                    None => heap.unknown(width),
                });
            }
            for (n, width) in post.vars.iter().enumerate() {
                let number = (vars.len() + n) as u32;
                values.push(if makes(post, number) { heap.new_address() } else { heap.unknown(*width) });
            }
            let reader = self.reader(values);
            let known = heap.blocks.len();
            let Some(mut heap) = reader.add(&post.formula, heap) else { continue };
            // Blocks that come back are those that were given.
            let starts: Vec<Term> = heap.blocks.iter().map(|block| block.start).collect();
            for (index, start) in starts.into_iter().enumerate().skip(known) {
                if let Some(given) = blocks.iter().find(|given| heap.norm(given.start) == start) {
                    let block = &mut Rc::make_mut(&mut heap.blocks)[index];
                    block.foreign = given.foreign;
                    block.origin = given.origin.clone();
                    block.kind = given.kind;
                }
            }
            let result = match &post.result {
                Some(expr) => match reader.term(expr) {
                    Some(term) => Some(heap.norm(term)),
                    None => continue,
                },
                None => None,
            };
            let mut config = Config { memory: heap, ..config.clone() };
            if let Some(dst) = self.dst {
                let caller = config.top().function;
                let width = self.calls.program.function(caller).regs[dst.index()].width;
                let value = result.map(|value| fit(&mut config.memory, value, width));
                config.top_mut().regs[dst.index()] = value;
            }
            successors.push(Outcome::Next(config, Reason::Returned(self.function)));
        }
    }
}

/// It is an access to a block that was freed, or another `free` of it.
fn is_of_freed(fault: &Fault) -> bool {
    matches!(fault.weakness, Some(Weakness::DoubleFree | Weakness::UseAfterFree))
}

/// Whether the variable is a block that the function made.
fn makes(post: &Post, number: u32) -> bool {
    post.formula.blocks.iter().any(|block| block.made.is_some() && block.start == Expr::Var(number))
}

impl SymbolicHeap {
    /// Whether more is missing here than in `before`, besides bytes of any content.
    fn asks_more_than_bytes(&self, before: &Self) -> bool {
        let (Some(now), Some(before)) = (&self.missing, &before.missing) else { return false };
        let is_any = |cell: &Cell| match cell.value {
            Value::Any => true,
            Value::Is(value) => self.terms().as_symbol(value).is_some(),
            Value::Each(_) => false,
        };
        now.pure.len() > before.pure.len()
            || now.segments.len() > before.segments.len()
            || !now.cells.iter().skip(before.cells.len()).all(is_any)
    }

    /// The address of a block that did not exist before.
    pub(super) fn new_address(&mut self) -> Term {
        let id = BlockId::from_index(self.addresses.len());
        let start = self.context().symbol(SymbolKind::Address(id), self.pointer_bits(), 0);
        Rc::make_mut(&mut self.addresses).push(start);
        start
    }
}
