//! What stands at the heads of loops in a proof.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::draw::picture;
use super::general::most_general;
use super::picture::{DrawnLoop, Picture};
use crate::certificate::Proof;
use crate::cfa::Program;
use crate::heap::State;
use crate::ranking::loop_heads;

/// Different states of one loop that are drawn.
const MOST_PICTURES: usize = 8;

/// The states at each loop's head that no other one covers, equal pictures once, those with fewer objects first.
pub fn loop_pictures(program: &Program, proof: &Proof) -> Vec<DrawnLoop> {
    let mut heads: BTreeMap<u32, Vec<Rc<State>>> = BTreeMap::new();
    for ((function, at), states) in loop_heads(program, proof) {
        if proof.passed.contains(&(function, at)) {
            continue;
        }
        let location = program.function(function).location(at);
        for span in location.loop_span.iter().chain(&location.outer_loops) {
            heads.entry(span.start).or_default().extend(states.iter().map(|index| proof.states[*index].clone()));
        }
    }
    let drawn = |(at, states): (u32, Vec<Rc<State>>)| {
        let mut pictures: Vec<Picture> = Vec::new();
        for state in most_general(&states) {
            let drawn = picture(program, &state);
            if pictures.len() < MOST_PICTURES && !pictures.contains(&drawn) {
                pictures.push(drawn);
            }
        }
        pictures.sort_by_key(|picture| picture.shapes.len());
        DrawnLoop { pos: program.source.pos(at), pictures }
    };
    heads.into_iter().map(drawn).collect()
}
