//! Random functions over lists: small, often odd, seldom sensible.

use margay::gamma::Random;

const HEAD: &str = "
typedef unsigned long size_t;
void *malloc(size_t); void free(void *); void exit(int); void *memset(void *, int, size_t);
struct node { struct node *next, *prev; int data; };
struct pair { struct node first; struct node second; };
static struct node shared; static int count;
";

const ASSIGNMENTS: [&str; 26] = [
    "a = b;",
    "b = a;",
    "a = a->next;",
    "b = a->next;",
    "c = a->prev;",
    "c = b;",
    "a = c;",
    "b = c;",
    "a->next = b;",
    "b->prev = a;",
    "a->next = c;",
    "c->next = a;",
    "a->data = n;",
    "n = a->data;",
    "n = n + 1;",
    "n = b->data + n;",
    "b->data = 5;",
    "a->next->prev = b;",
    "a->prev->next = b;",
    "c = malloc(sizeof *c); c->next = a; c->prev = b; c->data = n;",
    "c = (struct node *)malloc(sizeof *c); memset(c, 0, sizeof *c);",
    "count = count + n;",
    "shared.next = a;",
    "c = &shared;",
    "c = &((struct pair *)a)->second;",
    "free(c); c = 0;",
];

const CONDITIONS: [&str; 13] = [
    "a",
    "b",
    "c",
    "a == b",
    "a != c",
    "n > 3",
    "n == 7",
    "n < 0",
    "a->next == b",
    "b->data > n",
    "a && a->next",
    "a->next != a",
    "count == 2",
];

const LOOPS: [&str; 9] = [
    "while (a) { n++; a = a->next; }",
    "while (a && a->data != n) a = a->next;",
    "for (c = a; c; c = c->next) c->data = n;",
    "for (c = a->next; c != a; c = c->next) n += c->data;",
    "while (b) { c = b->next; free(b); b = c; }",
    "while (a->next) a = a->next;",
    "c = 0; while (a) { b = a->next; a->next = c; c = a; a = b; }",
    "for (c = a; c != b; c = c->prev) n++;",
    "for (c = a; c; c = c->next) { if (c->data == n) break; count++; }",
];

/// A file with some functions that call those before them.
pub fn random(random: &mut Random) -> String {
    let mut text = String::from(HEAD);
    for index in 0..3 {
        text.push_str(&format!("struct node *f{index}(struct node *a, struct node *b, int n) {{\n"));
        text.push_str("  struct node *c = 0;\n");
        for _ in 0..1 + random.below(5) {
            text.push_str(&format!("  {}\n", statement(random, index, 2)));
        }
        let result = random.pick(&["a", "b", "c", "0", "a->next"]);
        text.push_str(&format!("  return {result};\n}}\n"));
    }
    text
}

fn statement(random: &mut Random, functions: usize, depth: usize) -> String {
    match random.below(12) {
        0..=1 => random.pick(&LOOPS).to_owned(),
        2..=4 if depth > 0 => {
            let condition = random.pick(&CONDITIONS);
            let then = statement(random, functions, depth - 1);
            match random.below(3) {
                0 => format!("if ({condition}) {{ {then} }} else {{ {} }}", statement(random, functions, depth - 1)),
                1 => format!("if ({condition}) {{ {then} return a; }}"),
                _ => format!("if ({condition}) {{ {then} }}"),
            }
        }
        5..=6 if functions > 0 => {
            let (to, from) =
                (random.pick(&["a", "b", "c"]), random.pick(&["a, b", "b, a", "a, a", "c, b", "a->next, b"]));
            format!("{to} = f{}({from}, {});", random.below(functions), random.pick(&["n", "0", "7", "n + 1"]))
        }
        _ => random.pick(&ASSIGNMENTS).to_owned(),
    }
}
