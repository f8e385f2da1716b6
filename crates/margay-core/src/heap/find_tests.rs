//! Searches and copies of unknown length against brute force: every small array, every place, every limit.

use super::content::Cell;
use super::graph::Smg;
use super::run::Run;
use super::runs_tests::{CELLS, FACTS, Setting, each_case, setting};
use crate::cfa::Stops;
use crate::memory::{Memory, Outcome, Search};
use crate::smt::{SymId, Term};

/// Arrays of every kind: a run, and beside it zeros, nothing that is known, or a known cell.
fn settings() -> Vec<Setting> {
    let mut settings = Vec::new();
    for fact in FACTS {
        for (zeroed, known) in [(false, None), (true, None), (true, Some((0, 3))), (false, Some((2, 0)))] {
            let mut setting = setting(zeroed);
            setting.memory.semantics.finds_at_once = true;
            // Bytes that were never written would become inputs of their own.
            if !zeroed {
                setting.memory.write_cell(setting.block, 0, CELLS, Cell::Forgotten);
            }
            if let Some((place, value)) = known {
                let value = setting.memory.context.terms.constant(value, 8);
                setting.memory.write_cell(setting.block, place, 1, Cell::Value(value));
            }
            settings.push(setting.with_run(fact));
        }
    }
    // A run that goes on behind the array, and one cell that may lie there.
    for is_single in [false, true] {
        let mut setting = setting(false);
        setting.memory.semantics.finds_at_once = true;
        setting.memory.write_cell(setting.block, 0, CELLS, Cell::Forgotten);
        let mut setting = setting.with_run(FACTS[1]);
        let context = setting.memory.context.clone();
        let [run] = &setting.memory.runs(setting.block)[..] else { panic!("one run") };
        let beyond = context.pointer_constant(CELLS + 2);
        let other = match is_single {
            false => Run { last: beyond, ..run.clone() },
            true => Run::cell(&context, run.layout, run.last, context.terms.constant(2, 8), false),
        };
        setting.memory.set_runs(setting.block, vec![run.clone(), other]);
        settings.push(setting);
    }
    settings
}

/// The names of a case, and one number for all that was made up on the way.
fn values(setting: &Setting, names: [u64; 4], made_up: u64) -> impl Fn(SymId) -> u128 {
    let terms = &setting.memory.context.terms;
    let symbols: Vec<SymId> = setting.names.iter().filter_map(|name| terms.as_symbol(*name)).collect();
    move |symbol| symbols.iter().position(|own| *own == symbol).map_or(made_up, |at| names[at]).into()
}

fn holds(memory: &Smg, values: &dyn Fn(SymId) -> u128) -> bool {
    let terms = &memory.context.terms;
    memory.store.constraints().iter().all(|part| terms.evaluate(*part, values) == 1)
}

/// A search finds what stands in the array: some outcome has the number of bytes before the end, with all it says of the bytes, or
/// is a fault where the search leaves the array.
#[test]
fn searches_agree_with_arrays() {
    let (mut found, mut faults, mut exact) = (0, 0, 0);
    for setting in settings() {
        let context = setting.memory.context.clone();
        let terms = &context.terms;
        let start = setting.memory.object(setting.block).expect("the block").address;
        let address = terms.add(start, setting.names[2]);
        let zero = terms.constant(0, 8);
        for (limit, stops, others) in [
            (u128::MAX, vec![zero], false),
            (2, vec![zero], false),
            (2, vec![setting.names[3], zero], false),
            (u128::MAX, vec![setting.names[3]], true),
        ] {
            let stops = if others { Stops::Others(stops) } else { Stops::Bytes(stops) };
            let search = Search { address, beside: None, limit: terms.constant(limit, 64), stops };
            let outcomes = setting.memory.clone().find(&search);
            exact += outcomes
                .iter()
                .filter(|outcome| matches!(outcome, Outcome::Next(_, found) if *found != search.limit))
                .count();
            each_case(&setting, |array, names| {
                let ends = |byte: u64| {
                    let is_stop = |stop: &Term| terms.evaluate(*stop, &values(&setting, names, 0)) == byte.into();
                    search.stops.operands().iter().any(is_stop) != others
                };
                let place = names[2] as usize;
                let before = array[place..].iter().take(limit.min(9) as usize).take_while(|byte| !ends(**byte)).count();
                let leaves = place + before == CELLS as usize && (before as u128) < limit;
                let agrees = |outcome: &Outcome<Smg, Term>| match outcome {
                    Outcome::Next(memory, value) => {
                        let any = values(&setting, names, before as u64);
                        let is_it = terms.evaluate(*value, &any) == before as u128;
                        !leaves && is_it && holds(memory, &any) && setting.allows(memory, array, &any)
                    }
                    Outcome::Fault(memory, _) => leaves && holds(memory, &values(&setting, names, before as u64)),
                    _ => false,
                };
                assert!(outcomes.iter().any(agrees), "{before} in {array:?}, {names:?}, limit {limit}, {others}");
                if leaves { faults += 1 } else { found += 1 }
            });
        }
    }
    assert!(found > 1000 && faults > 1000 && exact > 50, "{found} found, {faults} faults, {exact}");
}

/// A comparison of two places of one array finds how far they are the same, in the same way.
#[test]
fn comparisons_agree_with_arrays() {
    let (mut same, mut different, mut faults) = (0, 0, 0);
    for setting in settings() {
        let context = setting.memory.context.clone();
        let terms = &context.terms;
        let start = setting.memory.object(setting.block).expect("the block").address;
        let (anywhere, zero) = (terms.add(start, setting.names[2]), terms.constant(0, 8));
        for (address, beside) in [(anywhere, start), (start, anywhere)] {
            for (limit, stops) in [(u128::MAX, vec![zero]), (2, vec![zero]), (2, vec![])] {
                let limited = terms.constant(limit, 64);
                let search =
                    Search { address, beside: Some(beside), limit: limited, stops: Stops::Bytes(stops.clone()) };
                let outcomes = setting.memory.clone().find(&search);
                each_case(&setting, |array, names| {
                    let place = names[2] as usize;
                    let (from, other) = if address == start { (0, place) } else { (place, 0) };
                    let room = CELLS as usize - place;
                    let most = limit.min(room as u128) as usize;
                    let ends = |at: &usize| {
                        array[from + at] != array[other + at] || (!stops.is_empty() && array[from + at] == 0)
                    };
                    let before = (0..most).find(ends).unwrap_or(most);
                    let leaves = before == room && (before as u128) < limit;
                    // What was read at the end, where that was made up: either byte for each.
                    let ends_at = before.min(room - 1);
                    let bytes = [array[from + ends_at], array[other + ends_at]];
                    let agrees = |outcome: &Outcome<Smg, Term>| {
                        [[0, 0], [0, 1], [1, 0], [1, 1]].iter().any(|choice| {
                            let read = values(&setting, names, before as u64);
                            let first = std::cell::Cell::new(None);
                            let any = |symbol: SymId| match terms.symbol_info(symbol).width {
                                8 if setting.names.iter().all(|name| terms.as_symbol(*name) != Some(symbol)) => {
                                    let is_first = first.get().is_none_or(|first| first == symbol);
                                    first.set(first.get().or(Some(symbol)));
                                    bytes[choice[usize::from(!is_first)]].into()
                                }
                                _ => read(symbol),
                            };
                            match outcome {
                                Outcome::Next(memory, value) => {
                                    !leaves
                                        && terms.evaluate(*value, &any) == before as u128
                                        && holds(memory, &any)
                                        && setting.allows(memory, array, &any)
                                }
                                Outcome::Fault(memory, _) => leaves && holds(memory, &any),
                                _ => false,
                            }
                        })
                    };
                    let about = || format!("{before} in {array:?}, {names:?}, limit {limit}, {stops:?}");
                    assert!(outcomes.iter().any(agrees), "{}", about());
                    match leaves {
                        true => faults += 1,
                        false if bytes[0] == bytes[1] => same += 1,
                        false => different += 1,
                    }
                });
            }
        }
    }
    assert!(same > 1000 && different > 1000 && faults > 100, "{same} same, {different} different, {faults} faults");
}

/// A copy of an unknown number of bytes leaves only what is true of the array after it.
#[test]
fn copies_of_any_length_agree_with_arrays() {
    let mut kept = 0;
    for setting in settings() {
        let context = setting.memory.context.clone();
        let terms = &context.terms;
        let start = setting.memory.object(setting.block).expect("the block").address;
        let size = terms.add_constant(setting.names[0], 1);
        let anywhere = terms.add(start, setting.names[2]);
        for (to, from) in [(anywhere, start), (start, anywhere), (anywhere, anywhere)] {
            let outcomes = setting.memory.clone().copy_many(to, from, size);
            let next = outcomes.iter().filter_map(|outcome| match outcome {
                Outcome::Next(memory, ()) => Some(memory),
                _ => None,
            });
            let next: Vec<&Smg> = next.collect();
            kept += next.iter().map(|memory| memory.runs(setting.block).len()).sum::<usize>();
            each_case(&setting, |array, names| {
                let offset = |address: Term| if address == start { 0 } else { names[2] as usize };
                let count = names[0] as usize + 1;
                if offset(to).max(offset(from)) + count > CELLS as usize {
                    return;
                }
                let mut after = array.to_vec();
                after.copy_within(offset(from)..offset(from) + count, offset(to));
                let any = values(&setting, names, 0);
                let is_allowed = |memory: &&Smg| holds(memory, &any) && setting.allows(memory, &after, &any);
                assert!(next.iter().any(is_allowed), "{count} bytes of {array:?}, {names:?}");
            });
        }
    }
    assert!(kept > 16, "copies carry runs along: {kept}");
}
