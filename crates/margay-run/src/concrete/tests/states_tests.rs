//! The search through states: what it tries, what it takes for one state, and what it finds.

use crate::base::limits::Limits;
use crate::c::{SourceText, parse, with_big_stack};
use crate::cfa::{LowerOptions, Program, lower};
use crate::concrete::choices::Choices;
use crate::concrete::{RandomSearch, States, Turned};
use crate::memory::Checks;
use crate::task::{DataModel, Violation};

fn lowered(text: &str) -> Program {
    let text = format!(
        "extern int __VERIFIER_nondet_int(void); extern _Bool __VERIFIER_nondet_bool(void);
         extern void reach_error(void); extern void *malloc(unsigned long); extern void free(void *);\n{text}"
    );
    let source = SourceText::from_text("test.c", &text, DataModel::Lp64);
    with_big_stack(|| lower(&parse(&source)?, &LowerOptions::default())).expect("test programs are plain C")
}

fn checks(one: impl FnOnce(&mut Checks)) -> Checks {
    let mut checks = Checks::default();
    one(&mut checks);
    checks
}

/// The values that are tried for each input, in the order of the text.
fn tried(text: &str) -> Vec<Vec<i32>> {
    let program = lowered(text);
    let choices = Choices::of(&program);
    let mut tried = Vec::new();
    for (id, function) in program.functions.iter().enumerate() {
        for (at, _) in function.locations.iter().enumerate() {
            let values = choices.at((crate::cfa::FunctionId::from_index(id), crate::cfa::Loc::from_index(at)));
            if !values.is_empty() {
                tried.push(values.iter().map(|value| *value as i32).collect());
            }
        }
    }
    tried
}

#[test]
fn inputs_are_divided_by_what_they_are_compared_with() {
    let plain = "int main(void) { int x = __VERIFIER_nondet_int(); if (x == 7) return 1; return x == 9; }";
    assert_eq!(tried(plain), [[7, 9, 0]]);
    let ordered = "int main(void) { int x = __VERIFIER_nondet_int(); return x < 5; }";
    let [values] = &tried(ordered)[..] else { panic!("one input") };
    assert!([4, 5, 6].iter().all(|value| values.contains(value)), "{values:?}");
    let truth = "int main(void) { if (__VERIFIER_nondet_int()) return 1; return 0; }";
    assert_eq!(tried(truth), [[0, 1]]);
    let all = "int main(void) { _Bool b = __VERIFIER_nondet_bool(); if (b == 0) return 1; return b == 1; }";
    assert_eq!(tried(all), [[0, 1]]);
    let unknown = "int main(void) { return __VERIFIER_nondet_int(); }";
    assert_eq!(tried(unknown), [[0, 1, 2, -1]]);
}

#[test]
fn inputs_are_followed_through_calls_and_variables() {
    let through = "
        int kept, other, seen;
        void ask(void) { kept = __VERIFIER_nondet_int(); }
        void ask_again(void) { other = __VERIFIER_nondet_int(); }
        int handed(void) { return kept; }
        int established(int x) { return x == 11; }
        void judge(void) { if (other == 13) seen = 1; }
        int main(void) {
          ask();
          ask_again();
          judge();
          if (handed() == 12) return 1;
          return established(kept);
        }";
    assert_eq!(tried(through), [vec![11, 12, 0], vec![13, 0]]);
}

/// Five inputs in a row, out of eight each: one run in 32,768.
const LOCK: &str = "
    int place = 0;
    void press(int key) {
      if (place == 0 && key == 3) place = 1;
      else if (place == 1 && key == 7) place = 2;
      else if (place == 2 && key == 1) place = 3;
      else if (place == 3 && key == 5) place = 4;
      else if (place == 4 && key == 2) place = 5;
      else place = 0;
    }
    int main(void) {
      while (1) {
        int key = __VERIFIER_nondet_int();
        if (key < 1 || key > 8) return 0;
        press(key);
        if (place == LAST) reach_error();
      }
    }";

#[test]
fn a_sequence_of_inputs_is_found_once() {
    let program = lowered(&LOCK.replace("LAST", "5"));
    let checks = checks(|checks| checks.reach_call = true);
    let limits = Limits::none();
    let mut whole = States::new(&program, &checks);
    let Turned::Violated(found) = whole.run(&limits, &limits) else { panic!("five inputs open the lock") };
    assert_eq!(found.violation, Violation::UnreachCall);
    assert_eq!(found.inputs.values, [3, 7, 1, 5, 2]);
    // In turns of little work it is the same search.
    let mut parts = States::new(&program, &checks);
    let mut turns = 1;
    let again = loop {
        match parts.run(&limits.within_work(500), &limits) {
            Turned::Paused => turns += 1,
            Turned::Violated(found) => break found,
            Turned::OutOf(_) | Turned::Done(_) => panic!("the lock opens"),
        }
    };
    assert!(turns > 1);
    assert_eq!((&again.inputs.values, parts.count()), (&found.inputs.values, whole.count()));
}

#[test]
fn each_state_is_gone_on_from_once() {
    let program = lowered(&LOCK.replace("LAST", "6"));
    let checks = checks(|checks| checks.reach_call = true);
    let mut search = States::new(&program, &checks);
    assert!(matches!(search.run(&Limits::none(), &Limits::none()), Turned::Done(_)));
    // Six places of the lock.
    assert_eq!(search.count(), 6);
}

#[test]
fn where_blocks_lie_makes_no_state() {
    // A new node for each input, the old one freed: addresses are never the same.
    let text = "
        struct node { struct node *self; int tag; };
        int main(void) {
          struct node *node = 0;
          while (1) {
            int key = __VERIFIER_nondet_int();
            free(node);
            node = malloc(sizeof(struct node));
            node->self = node;
            node->tag = key == 4;
          }
        }";
    let program = lowered(text);
    let checks = checks(|checks| checks.deref = true);
    let mut search = States::new(&program, &checks);
    assert!(matches!(search.run(&Limits::none(), &Limits::none()), Turned::Done(_)));
    // No node yet, a node with either tag.
    assert_eq!(search.count(), 3);
}

#[test]
fn what_a_node_holds_makes_a_state() {
    let text = "
        int main(void) {
          unsigned char *cell = malloc(1);
          *cell = 0;
          while (*cell != 9) {
            if (__VERIFIER_nondet_int() == 4) *cell = *cell + 1; else *cell = 0;
          }
          return 0;
        }";
    let program = lowered(text);
    let checks = checks(|checks| checks.memtrack = true);
    let limits = Limits::none();
    let mut search = States::new(&program, &checks);
    let Turned::Violated(found) = search.run(&limits, &limits) else { panic!("the cell is lost after nine inputs") };
    assert_eq!(found.violation, Violation::ValidMemtrack);
    assert_eq!(found.inputs.values, [4; 9]);
}

#[test]
fn runs_that_go_far_in_one_direction_fill_a_table() {
    // Thirty numbers in a row that are not zero and not the last one, while the other place never says stop.
    let text = "
        int main(void) {
          int held = 0, last = 0;
          while (__VERIFIER_nondet_int()) {
            int number = __VERIFIER_nondet_int();
            if (number == 0 || number == last) held = 0; else held++;
            last = number;
            if (held == 30) reach_error();
          }
          return 0;
        }";
    let program = lowered(text);
    let checks = checks(|checks| checks.reach_call = true);
    // Where values are drawn one by one, some of sixty is zero as good as always.
    let found =
        RandomSearch::new(&program, &checks, 0).explore(&Limits::none(), &Limits::none()).expect("some of many runs");
    assert_eq!(found.violation, Violation::UnreachCall);
    assert!(found.inputs.values.len() >= 60);
}

#[test]
fn programs_without_inputs_are_left_to_others() {
    let program = lowered("int main(void) { return 0; }");
    let checks = checks(|checks| checks.reach_call = true);
    let mut search = States::new(&program, &checks);
    assert!(matches!(search.run(&Limits::none(), &Limits::none()), Turned::Done(_)));
    assert_eq!(search.count(), 0);
}
