//! Random C programs that build, change, walk and free lists: right ones, and ones with a mistake planted.

use std::fmt::Write;

use margay::gamma::Random;

/// What the lists of a program look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Single,
    Double,
    /// Doubly linked around a head without data.
    Circular,
    /// Singly linked rows, each with a singly linked list of its own.
    Nested,
}

/// A program as statements of `main`, so that a failing one can be made smaller.
#[derive(Clone, Debug)]
pub struct Program {
    pub kind: Kind,
    pub statements: Vec<String>,
}

const KINDS: [Kind; 4] = [Kind::Single, Kind::Double, Kind::Circular, Kind::Nested];

impl Program {
    pub fn random(random: &mut Random) -> Self {
        let kind = random.pick(&KINDS);
        let mut statements: Vec<String> = (0..1 + random.below(2)).map(|_| build(kind, random)).collect();
        for _ in 0..random.below(4) {
            let pool = changes(kind);
            statements.push(filled(pool[random.below(pool.len())], random));
        }
        if random.once_in(3) {
            let pool = mistakes(kind);
            let at = random.below(statements.len() + 1);
            statements.insert(at, filled(pool[random.below(pool.len())], random));
        }
        if !random.once_in(6) {
            statements.extend(free_all(kind).iter().map(|text| (*text).to_owned()));
        }
        Self { kind, statements }
    }

    /// The text of the program.
    pub fn text(&self) -> String {
        let mut text = String::from(
            "extern void *malloc(unsigned long); extern void free(void *);\n\
             extern unsigned char __VERIFIER_nondet_uchar(void); extern void reach_error(void);\n\
             struct node { struct node *next, *prev; int data; };\n\
             struct row { struct row *next; struct node *cells; int data; };\n\
             static struct node *make(int data) { struct node *n = malloc(sizeof *n);\n\
             n->next = 0; n->prev = 0; n->data = data; return n; }\n\
             static int more(void) { return __VERIFIER_nondet_uchar() % 4 != 0; }\n\
             int main(void) { struct node *p = 0, *t = 0, *n = 0; int count = 0;\n",
        );
        text.push_str(match self.kind {
            Kind::Single | Kind::Double => "struct node *l = 0, *m = 0;\n",
            Kind::Circular => "struct node h; h.next = &h; h.prev = &h; h.data = 9;\n",
            Kind::Nested => "struct row *r = 0, *s = 0, *u = 0;\n",
        });
        for statement in &self.statements {
            let _ = writeln!(text, "{statement}");
        }
        text.push_str("return 0; }\n");
        text
    }
}

/// `D` becomes a number, `L` one of the lists.
fn filled(text: &str, random: &mut Random) -> String {
    let number = random.below(3).to_string();
    let list = random.pick(&["l", "l", "m"]);
    text.replace('D', &number).replace('L', list)
}

fn build(kind: Kind, random: &mut Random) -> String {
    let pool: &[&str] = match kind {
        Kind::Single => &[
            "while (more()) { n = make(D); n->next = L; L = n; }",
            "while (more()) { n = make(more()); n->next = L; L = n; count++; }",
            "t = 0; while (more()) { n = make(D); if (t) t->next = n; else { n->next = L; L = n; } t = n; }\n\
             if (t && L != t) t->next = 0;",
            "n = make(D); n->next = L; L = n; while (more()) { n = make(D); n->next = L->next; L->next = n; }",
        ],
        Kind::Double => &[
            "while (more()) { n = make(D); n->next = L; if (L) L->prev = n; L = n; }",
            "if (!L) { L = make(D); t = L; while (more()) { n = make(1); n->prev = t; t->next = n; t = n; } }",
        ],
        Kind::Circular => &[
            "while (more()) { n = make(D); n->next = h.next; n->prev = &h; h.next->prev = n; h.next = n; }",
            "while (more()) { n = make(D); n->prev = h.prev; n->next = &h; h.prev->next = n; h.prev = n; }",
        ],
        Kind::Nested => &[
            "while (more()) { s = malloc(sizeof *s); s->cells = 0; s->data = D; s->next = r; r = s;\n\
             while (more()) { n = make(D); n->next = s->cells; s->cells = n; } }",
            "while (more()) { s = malloc(sizeof *s); s->cells = more() ? make(D) : 0; s->data = 0; s->next = r; r = s; }",
        ],
    };
    filled(pool[random.below(pool.len())], random)
}

fn changes(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Single => &[
            "for (p = L; p; p = p->next) p->data = D;",
            "for (p = L; p; p = p->next) if (p->data == 5) reach_error();",
            "for (p = L; p; p = p->next) if (p->data == D) reach_error();",
            "p = L; while (p && more()) p = p->next; if (p) { n = make(D); n->next = p->next; p->next = n; }",
            "if (L && L->next) { p = L; while (more() && p->next->next) p = p->next;\n\
             t = p->next; p->next = t->next; free(t); }",
            "if (L) { t = L; L = L->next; free(t); }",
            "p = 0; while (L) { t = L->next; L->next = p; p = L; L = t; } L = p; p = 0;",
            "if (l) { p = l; while (p->next) p = p->next; p->next = m; m = 0; }",
            "count = 0; for (p = L; p; p = p->next) count++; if (count < 0) reach_error();",
            "if (L && L->next) { t = L->next; L->next = t->next; t->next = m; m = t; t = 0; }",
            "for (p = L; p && p->next; p = p->next) { count = p->data; p->data = p->next->data; p->next->data = count; }",
            "while (L && L->data != D) { t = L; L = L->next; free(t); } if (L && L->data != D) reach_error();",
        ],
        Kind::Double => &[
            "for (p = L; p; p = p->next) if (p->next && p->next->prev != p) reach_error();",
            "for (p = L; p; p = p->next) p->data = D;",
            "for (p = L; p; p = p->next) if (p->data == D) reach_error();",
            "if (L) { p = L; while (more() && p->next) p = p->next; n = make(D); n->prev = p; n->next = p->next;\n\
             if (p->next) p->next->prev = n; p->next = n; }",
            "if (L && L->next) { p = L->next; while (more() && p->next) p = p->next; p->prev->next = p->next;\n\
             if (p->next) p->next->prev = p->prev; free(p); p = 0; }",
            "if (L) { t = L; L = L->next; if (L) L->prev = 0; free(t); }",
            "if (L) { p = L; while (p->next) p = p->next; while (p->prev) p = p->prev; if (p != L) reach_error(); }",
            "p = 0; while (L) { t = L->next; L->next = p; L->prev = t; p = L; L = t; } L = p;",
        ],
        Kind::Circular => &[
            "for (p = h.next; p != &h; p = p->next) p->data = D;",
            "for (p = h.next; p != &h; p = p->next) if (p->data == D) reach_error();",
            "for (p = h.next; p != &h; p = p->next) if (p->next->prev != p) reach_error();",
            "if (h.next != &h) { p = h.next; while (more() && p->next != &h) p = p->next;\n\
             p->next->prev = p->prev; p->prev->next = p->next; free(p); }",
            "p = &h; while (more() && p->next != &h) p = p->next;\n\
             n = make(D); n->next = p->next; n->prev = p; p->next->prev = n; p->next = n;",
            "if (h.next != h.prev) { p = h.prev; p->prev->next = &h; h.prev = p->prev; free(p); }",
        ],
        Kind::Nested => &[
            "for (s = r; s; s = s->next) for (p = s->cells; p; p = p->next) p->data = D;",
            "for (s = r; s; s = s->next) for (p = s->cells; p; p = p->next) if (p->data == D) reach_error();",
            "for (s = r; s; s = s->next) if (more()) { n = make(D); n->next = s->cells; s->cells = n; }",
            "for (s = r; s; s = s->next) if (s->cells) { t = s->cells; s->cells = t->next; free(t); }",
            "if (r && r->next) { for (s = r; s->next; s = s->next) ; if (!s->cells) { s->cells = r->cells; r->cells = 0; } }",
        ],
    }
}

fn mistakes(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Single | Kind::Double => &[
            "if (L) free(L);",
            "L = 0;",
            "if (L && L->next) { t = L->next; free(t); }",
            "if (L) { p = L; while (p->next->next) p = p->next; }",
            "if (L && L->next && L->next->next) L->next->next->data = 5;",
            "if (L && L->next) L->next = L->next->next;",
            "if (L) { for (p = L; p->next; p = p->next) ; p->next = L; }",
            "if (L) { n = make(D); n->next = L->next; L = n; }",
            "if (L && L->next) { t = L; free(L->next); t->next = 0; if (t->prev) free(t->prev); }",
            "if (L && L->next && L->next->next) L->next->prev = L->next->next;",
        ],
        Kind::Circular => &[
            "if (h.next != &h) free(h.next);",
            "h.next = &h;",
            "if (h.next != &h) h.next->next->prev = &h;",
            "if (h.next != h.prev) { p = h.next; h.next = p->next; free(p); }",
            "p = h.next; while (p) p = p->next;",
        ],
        Kind::Nested => &[
            "if (r && r->cells) free(r->cells);",
            "if (r) r->cells = 0;",
            "for (s = r; s; s = s->next) if (more()) s->cells = 0;",
            "for (s = r; s && s->next; s = s->next) s->cells = s->next->cells;",
            "if (r && r->next && r->next->next) r->next = r->next->next;",
        ],
    }
}

fn free_all(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Single | Kind::Double => {
            &["while (l) { t = l; l = l->next; free(t); }", "while (m) { t = m; m = m->next; free(t); }"]
        }
        Kind::Circular => &["p = h.next; while (p != &h) { t = p; p = p->next; free(t); }"],
        Kind::Nested => &["while (r) { s = r; r = r->next;\n\
             while (s->cells) { t = s->cells; s->cells = t->next; free(t); } free(s); }"],
    }
}
