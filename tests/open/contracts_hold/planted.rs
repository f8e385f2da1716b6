//! Errors planted in contracts: the judge notices each.

use margay::gamma::Random;
use margay::open::{Contract, Expr, ValueText};

use super::check::{Analysed, Tally, of_text};

const TEXT: &str = "
#include <stdlib.h>
struct node { struct node *next; int data; };
struct node *push(struct node *list, int data) {
    struct node *made = malloc(sizeof *made);
    made->next = list;
    made->data = data;
    return made;
}
struct node *pop(struct node *list) {
    if (!list) return 0;
    struct node *next = list->next;
    free(list);
    return next;
}
int length(struct node *list) {
    int n = 0;
    for (; list; list = list->next) n++;
    return n;
}
struct node *last(struct node *list) {
    while (list->next) list = list->next;
    return list;
}
void clear(struct node *list) {
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}
int sign(int x) { return x < 0 ? -1 : 1; }
void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
void set(struct node *node) { node->data = 7; }
void check(int x) { if (x > 100) exit(1); }
";

fn analysed() -> Analysed {
    of_text(&margay_text())
}

/// Without a preprocessor.
fn margay_text() -> String {
    let declared = "typedef unsigned long size_t; void *malloc(size_t); void free(void *); void exit(int);";
    TEXT.replace("#include <stdlib.h>", declared)
}

/// Whether some run shows that a contract does not hold.
fn is_refuted(of: &Analysed, function: &str, contract: &Contract) -> bool {
    let mut tally = Tally::default();
    let id = of.open.program.function_named(function).expect("it is there");
    of.contract(id, contract, function, 120, Random(3), &mut tally);
    !tally.violations.is_empty()
}

/// All that `plant` makes of the contracts, those it leaves as they are left out: how many, and which stay unnoticed.
fn planted(of: &Analysed, plant: &dyn Fn(&Contract) -> Vec<Contract>) -> (usize, Vec<String>) {
    let mut count = 0;
    let mut unnoticed = Vec::new();
    for report in &of.reports {
        for contract in &report.contracts {
            for wrong in plant(contract) {
                assert_ne!(wrong, *contract);
                count += 1;
                if !is_refuted(of, &report.name, &wrong) {
                    unnoticed.push(format!("{}: {wrong:?} instead of {contract:?}", report.name));
                }
            }
        }
    }
    (count, unnoticed)
}

/// A contract for each place where something can be taken out.
fn without<T>(
    contract: &Contract,
    places: impl Fn(&Contract) -> usize,
    take: impl Fn(&mut Contract, usize) -> T,
) -> Vec<Contract> {
    (0..places(contract))
        .map(|index| {
            let mut wrong = contract.clone();
            take(&mut wrong, index);
            wrong
        })
        .collect()
}

/// As [`without`], for each postcondition.
fn in_posts(contract: &Contract, change: impl Fn(&mut margay::open::Post, usize) -> bool) -> Vec<Contract> {
    let mut found = Vec::new();
    for post in 0..contract.posts.len() {
        for index in 0.. {
            let mut wrong = contract.clone();
            if !change(&mut wrong.posts[post], index) {
                break;
            }
            found.push(wrong);
        }
    }
    found
}

fn one_more(expr: &mut Expr) -> bool {
    let Expr::Const { value, width } = expr else { return false };
    let more = value.parse::<u128>().expect("a number").wrapping_add(1) & super::expr::mask(*width);
    *value = more.to_string();
    true
}

#[test]
fn contracts_as_they_are_hold() {
    let of = analysed();
    let tally = of.check(100, 5);
    assert_eq!((tally.violations, tally.unbuilt), (Vec::new(), Vec::new()));
    assert!(tally.functions == 9 && tally.contracts >= 9 && tally.judged >= 900, "{} runs", tally.judged);
}

#[test]
fn a_missing_postcondition_is_noticed() {
    let dropped = |contract: &Contract| without(contract, |c| c.posts.len(), |c, index| c.posts.remove(index));
    let (count, unnoticed) = planted(&analysed(), &dropped);
    assert!(count >= 10 && unnoticed.is_empty(), "{count}: {unnoticed:#?}");
}

#[test]
fn a_wrong_constant_in_a_postcondition_is_noticed() {
    let (count, unnoticed) = planted(&analysed(), &|contract| {
        let results = in_posts(contract, |post, index| index == 0 && post.result.as_mut().is_some_and(one_more));
        let cells = in_posts(contract, |post, index| {
            let mut held = post.formula.cells.iter_mut().filter_map(|cell| match &mut cell.value {
                ValueText::Is(expr @ Expr::Const { .. }) => Some(expr),
                _ => None,
            });
            held.nth(index).is_some_and(one_more)
        });
        results.into_iter().chain(cells).collect()
    });
    assert!(count >= 4 && unnoticed.is_empty(), "{count}: {unnoticed:#?}");
}

#[test]
fn a_weaker_precondition_is_noticed() {
    let of = analysed();
    let (count, unnoticed) = planted(&of, &|contract| {
        let cells = without(contract, |c| c.pre.cells.len(), |c, index| drop(c.pre.cells.remove(index)));
        let blocks = without(contract, |c| c.pre.blocks.len(), |c, index| drop(c.pre.blocks.remove(index)));
        let segments = without(contract, |c| c.pre.segments.len(), |c, index| drop(c.pre.segments.remove(index)));
        [cells, blocks, segments].concat()
    });
    assert!(count >= 8 && unnoticed.is_empty(), "{count}: {unnoticed:#?}");
}

#[test]
fn a_list_that_may_be_empty_after_all_is_noticed() {
    let (count, unnoticed) = planted(&analysed(), &|contract| {
        let nonempty = contract.pre.segments.iter().enumerate().filter(|(_, segment)| segment.nonempty);
        let pre = nonempty.map(|(index, _)| {
            let mut wrong = contract.clone();
            wrong.pre.segments[index].nonempty = false;
            wrong
        });
        pre.collect()
    });
    assert!(count >= 1 && unnoticed.is_empty(), "{count}: {unnoticed:#?}");
}

#[test]
fn what_a_postcondition_does_not_account_for_is_noticed() {
    let (count, unnoticed) = planted(&analysed(), &|contract| {
        let cells = in_posts(contract, |post, index| {
            index < post.formula.cells.len() && post.formula.cells.remove(index).size.ne(&super::expr::number(0, 64))
        });
        // That a node of a list was freed need not be said.
        let given: Vec<Expr> = contract.pre.blocks.iter().map(|block| block.start.clone()).collect();
        let blocks = in_posts(contract, |post, index| {
            let matters = |block: &&margay::open::BlockText| block.live || given.contains(&block.start);
            let Some(block) = post.formula.blocks.iter().filter(matters).nth(index).cloned() else { return false };
            post.formula.blocks.retain(|other| *other != block);
            true
        });
        let segments = in_posts(contract, |post, index| {
            index < post.formula.segments.len() && {
                post.formula.segments.remove(index);
                true
            }
        });
        [cells, blocks, segments].concat()
    });
    assert!(count >= 10 && unnoticed.is_empty(), "{count}: {unnoticed:#?}");
}

#[test]
fn a_block_that_is_said_to_live_or_to_be_dead_is_noticed() {
    let (count, unnoticed) = planted(&analysed(), &|contract| {
        in_posts(contract, |post, index| {
            let block = post.formula.blocks.get_mut(index);
            block.is_some_and(|block| {
                block.live = !block.live;
                true
            })
        })
    });
    assert!(count >= 2 && unnoticed.is_empty(), "{count}: {unnoticed:#?}");
}
