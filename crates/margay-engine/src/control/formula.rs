//! Formulas in SMT-LIB, as solvers for Horn clauses print them and people write them, read as conditions on bit-vectors.
//!
//! Integers are read exactly: whatever is computed gets as many bits as its least and greatest value need, so that nothing wraps. What
//! cannot be read (another operator, a quantifier, numbers that are too large) costs the conjunct it stands in, no more.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use crate::smt::{Term, Terms};

/// Formulas nested deeper than this are not read.
const MOST_NESTING: u32 = 1000;

/// The widest number that is computed.
const MOST_BITS: u32 = 120;

/// What could be read of a formula.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Read {
    /// Its conjuncts.
    pub conjuncts: Vec<Term>,
    /// Where it says that a sum is at most a number, that it is one that is near, modulo what its numbers are counted by: two such
    /// bounds are often an equation, and unlike them it holds on where numbers wrap.
    pub equations: Vec<Term>,
}

/// Reads `text`, over arguments with these names: numbers with their sign, or booleans where they have one bit. `None` where it is no
/// expression.
pub fn read(terms: &Terms, arguments: &[(String, Term)], text: &str) -> Option<Read> {
    let expression = parse(text)?;
    let mut scope: Scope = FxHashMap::default();
    for (name, argument) in arguments {
        scope.insert(name.as_str(), Some(Value::of_term(terms, *argument)));
    }
    let mut reader = Reader { terms, scope, found: Vec::new(), equations: RefCell::default() };
    reader.collect(&expression, true, 0);
    Some(Read { conjuncts: reader.found, equations: reader.equations.into_inner() })
}

/// An S-expression.
enum Expression<'t> {
    Word(&'t str),
    List(Vec<Expression<'t>>),
}

/// The only expression in `text`.
fn parse(text: &str) -> Option<Expression<'_>> {
    let mut open: Vec<Vec<Expression>> = vec![Vec::new()];
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let Some(first) = rest.chars().next() else { break };
        match first {
            '(' => {
                if open.len() > MOST_NESTING as usize {
                    return None;
                }
                open.push(Vec::new());
                rest = &rest[1..];
            }
            ')' => {
                let list = open.pop()?;
                open.last_mut()?.push(Expression::List(list));
                rest = &rest[1..];
            }
            ';' => rest = rest.split_once('\n').map_or("", |(_, rest)| rest),
            '|' => {
                let (name, after) = rest[1..].split_once('|')?;
                open.last_mut()?.push(Expression::Word(name));
                rest = after;
            }
            _ => {
                let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | ';')).unwrap_or(rest.len());
                open.last_mut()?.push(Expression::Word(&rest[..end]));
                rest = &rest[end..];
            }
        }
    }
    let [all] = <[_; 1]>::try_from(open).ok()?;
    let [only] = <[_; 1]>::try_from(all).ok()?;
    Some(only)
}

#[derive(Clone, Copy)]
enum Value {
    /// Of one bit.
    Truth(Term),
    /// A number with its sign, and its least and greatest value.
    Number { term: Term, least: i128, most: i128 },
}

impl Value {
    fn of_term(terms: &Terms, term: Term) -> Self {
        match terms.width(term) {
            1 => Value::Truth(term),
            width => {
                let most = i128::MAX >> (128 - width);
                Value::Number { term, least: -most - 1, most }
            }
        }
    }

    fn truth(self) -> Option<Term> {
        match self {
            Value::Truth(term) => Some(term),
            Value::Number { .. } => None,
        }
    }

    fn number(self) -> Option<(Term, i128, i128)> {
        match self {
            Value::Truth(_) => None,
            Value::Number { term, least, most } => Some((term, least, most)),
        }
    }

    /// Where bits are asked for.
    fn bits(self) -> Term {
        match self {
            Value::Truth(term) | Value::Number { term, .. } => term,
        }
    }
}

/// What names stand for, as far as it could be read.
type Scope<'t> = FxHashMap<&'t str, Option<Value>>;

struct Reader<'r, 't> {
    terms: &'r Terms,
    scope: Scope<'t>,
    found: Vec<Term>,
    equations: RefCell<Vec<Term>>,
}

/// How many bits numbers between these have with their sign.
fn bits_for(least: i128, most: i128) -> u32 {
    let magnitude = |value: i128| if value < 0 { !value } else { value };
    129 - magnitude(least).max(magnitude(most)).leading_zeros()
}

impl<'t> Reader<'_, 't> {
    /// The conjuncts of the expression, or of its negation.
    fn collect(&mut self, expression: &Expression<'t>, is_true: bool, depth: u32) {
        if depth > MOST_NESTING {
            return;
        }
        if let Expression::List(parts) = expression
            && let [Expression::Word(head), operands @ ..] = parts.as_slice()
        {
            match (*head, operands) {
                ("and", _) if is_true => return operands.iter().for_each(|part| self.collect(part, true, depth + 1)),
                ("or", _) if !is_true => return operands.iter().for_each(|part| self.collect(part, false, depth + 1)),
                ("=>", [condition, then]) if !is_true => {
                    self.collect(condition, true, depth + 1);
                    return self.collect(then, false, depth + 1);
                }
                ("not", [part]) => return self.collect(part, !is_true, depth + 1),
                ("let", [Expression::List(bindings), body]) => {
                    let shadowed = self.bind(bindings, depth);
                    self.collect(body, is_true, depth + 1);
                    return self.unbind(shadowed);
                }
                _ => {}
            }
        }
        if let Some(Value::Truth(term)) = self.value(expression, depth) {
            self.found.push(if is_true { term } else { self.terms.not(term) });
        }
    }

    /// Gives names their values for what follows; what they stood for before.
    fn bind(&mut self, bindings: &[Expression<'t>], depth: u32) -> Vec<(&'t str, Option<Option<Value>>)> {
        let values: Vec<(&'t str, Option<Value>)> = bindings
            .iter()
            .filter_map(|binding| match binding {
                Expression::List(pair) => match pair.as_slice() {
                    [Expression::Word(name), value] => Some((*name, self.value(value, depth + 1))),
                    _ => None,
                },
                Expression::Word(_) => None,
            })
            .collect();
        values.into_iter().map(|(name, value)| (name, self.scope.insert(name, value))).collect()
    }

    fn unbind(&mut self, shadowed: Vec<(&'t str, Option<Option<Value>>)>) {
        for (name, value) in shadowed.into_iter().rev() {
            match value {
                Some(value) => _ = self.scope.insert(name, value),
                None => _ = self.scope.remove(name),
            }
        }
    }

    fn value(&mut self, expression: &Expression<'t>, depth: u32) -> Option<Value> {
        if depth > MOST_NESTING {
            return None;
        }
        let parts = match expression {
            Expression::Word(word) => return self.word(word),
            Expression::List(parts) => parts,
        };
        let (head, operands) = parts.split_first()?;
        if let (Expression::Word("let"), [Expression::List(bindings), body]) = (head, operands) {
            let shadowed = self.bind(bindings, depth);
            let value = self.value(body, depth + 1);
            self.unbind(shadowed);
            return value;
        }
        if let (Expression::Word("_"), [Expression::Word(literal), Expression::Word(width)]) = (head, operands) {
            let value = literal.strip_prefix("bv")?.parse().ok()?;
            return self.literal(value, width.parse().ok()?);
        }
        let values: Option<Vec<Value>> = operands.iter().map(|operand| self.value(operand, depth + 1)).collect();
        let values = values?;
        match head {
            Expression::Word(operator) => self.applied(operator, &values),
            Expression::List(indexed) => self.indexed(indexed, &values),
        }
    }

    fn word(&self, word: &str) -> Option<Value> {
        if let Some(known) = self.scope.get(word) {
            return *known;
        }
        let from_digits = |digits: &str, radix: u32, bits: u32| {
            let width = u32::try_from(digits.len()).ok()?.checked_mul(bits)?;
            self.literal(u128::from_str_radix(digits, radix).ok()?, width)
        };
        match word {
            "true" => Some(Value::Truth(self.terms.true_())),
            "false" => Some(Value::Truth(self.terms.false_())),
            _ => match (word.strip_prefix("#x"), word.strip_prefix("#b")) {
                (Some(digits), _) => from_digits(digits, 16, 4),
                (_, Some(digits)) => from_digits(digits, 2, 1),
                _ => {
                    let value: i128 = word.parse().ok().filter(|_| word.starts_with(|c: char| c.is_ascii_digit()))?;
                    self.number_in(value, value, |width| self.terms.signed_constant(value, width))
                }
            },
        }
    }

    fn literal(&self, value: u128, width: u32) -> Option<Value> {
        (1..=MOST_BITS).contains(&width).then(|| Value::of_term(self.terms, self.terms.constant(value, width)))
    }

    /// A number between these, made with the bits it needs.
    fn number_in(&self, least: i128, most: i128, make: impl FnOnce(u32) -> Term) -> Option<Value> {
        let width = bits_for(least, most).max(2);
        (width <= MOST_BITS).then(|| Value::Number { term: make(width), least, most })
    }

    /// A number as one of `width` bits that can hold it.
    fn resized(&self, term: Term, width: u32) -> Term {
        let own = self.terms.width(term);
        if own < width { self.terms.sext(term, width) } else { self.terms.truncate(term, width) }
    }

    fn applied(&self, operator: &str, values: &[Value]) -> Option<Value> {
        let terms = self.terms;
        let truths = || values.iter().map(|value| value.truth()).collect::<Option<Vec<Term>>>();
        let truth = |term: Term| Some(Value::Truth(term));
        // What is said of neighbours, of all of them together.
        let chain = |holds: &dyn Fn(Value, Value) -> Option<Term>| {
            let pairs: Option<Vec<Term>> = values.windows(2).map(|pair| holds(pair[0], pair[1])).collect();
            truth(terms.conjunction(&pairs?))
        };
        match (operator, values) {
            ("and", _) => truth(terms.conjunction(&truths()?)),
            ("or", _) => truth(terms.disjunction(&truths()?)),
            ("not", [value]) => truth(terms.not(value.truth()?)),
            ("=>", [condition, then]) => truth(terms.implies(condition.truth()?, then.truth()?)),
            ("xor", [left, right]) => truth(terms.xor(left.truth()?, right.truth()?)),
            ("=", _) => chain(&|left, right| self.equal(left, right)),
            ("distinct", [left, right]) => truth(terms.not(self.equal(*left, *right)?)),
            ("ite", [condition, then, other]) => self.choice(condition.truth()?, *then, *other),
            ("<=", _) => chain(&|left, right| self.at_most(left, right)),
            (">=", _) => chain(&|left, right| self.at_most(right, left)),
            ("<", _) => chain(&|left, right| Some(terms.not(self.at_most(right, left)?))),
            (">", _) => chain(&|left, right| Some(terms.not(self.at_most(left, right)?))),
            ("+", _) => self.summed(values, 1),
            ("-", [value]) => self.summed(&[self.word("0")?, *value], -1),
            ("-", _) => self.summed(values, -1),
            ("*", [first, rest @ ..]) => rest.iter().try_fold(*first, |product, factor| self.product(product, *factor)),
            ("div" | "mod", [value, by]) => self.divided(*value, *by, operator == "mod"),
            _ => self.on_bits(operator, values),
        }
    }

    /// Two numbers with equally many bits.
    fn alike(&self, left: Value, right: Value) -> Option<(Term, Term)> {
        let ((left, ..), (right, ..)) = (left.number()?, right.number()?);
        let width = self.terms.width(left).max(self.terms.width(right));
        Some((self.resized(left, width), self.resized(right, width)))
    }

    fn equal(&self, left: Value, right: Value) -> Option<Term> {
        if let (Value::Truth(left), Value::Truth(right)) = (left, right) {
            return Some(self.terms.eq(left, right));
        }
        let (left, right) = self.alike(left, right)?;
        Some(self.terms.eq(left, right))
    }

    fn at_most(&self, left: Value, right: Value) -> Option<Term> {
        self.equate(left, right);
        let (left, right) = self.alike(left, right)?;
        Some(self.terms.sle(left, right))
    }

    /// Notes equations between what is compared, one of them a number.
    fn equate(&self, left: Value, right: Value) {
        let terms = self.terms;
        let (Some((left, ..)), Some((right, ..))) = (left.number(), right.number()) else { return };
        let (sum, bound) = if terms.as_const(right).is_some() { (left, right) } else { (right, left) };
        let symbols = terms.symbols_of(sum);
        let Some(width) = symbols.iter().map(|symbol| terms.symbol_info(*symbol).width).max() else { return };
        let Some(bound) = terms.as_signed_const(bound).filter(|_| symbols.len() > 1 && width > 1) else { return };
        let sum = self.resized(sum, width);
        let near = (-1..=1).filter_map(|off| bound.checked_add(off));
        self.equations.borrow_mut().extend(near.map(|bound| terms.eq(sum, terms.signed_constant(bound, width))));
    }

    fn choice(&self, condition: Term, then: Value, other: Value) -> Option<Value> {
        if let (Value::Truth(then), Value::Truth(other)) = (then, other) {
            return Some(Value::Truth(self.terms.ite(condition, then, other)));
        }
        let ((_, low, high), (_, other_low, other_high)) = (then.number()?, other.number()?);
        let (then, other) = self.alike(then, other)?;
        let term = self.terms.ite(condition, then, other);
        Some(Value::Number { term, least: low.min(other_low), most: high.max(other_high) })
    }

    /// The first value, and `sign` times each of the others.
    fn summed(&self, values: &[Value], sign: i128) -> Option<Value> {
        let numbers: Vec<(Term, i128, i128)> = values.iter().map(|value| value.number()).collect::<Option<_>>()?;
        let (&(first, mut least, mut most), rest) = numbers.split_first()?;
        for (_, low, high) in rest {
            let (low, high) = if sign < 0 { (high.checked_neg()?, low.checked_neg()?) } else { (*low, *high) };
            (least, most) = (least.checked_add(low)?, most.checked_add(high)?);
        }
        // Within the sum all may wrap that comes out right in the end.
        self.number_in(least, most, |width| {
            rest.iter().fold(self.resized(first, width), |sum, (term, ..)| {
                let term = self.resized(*term, width);
                if sign < 0 { self.terms.sub(sum, term) } else { self.terms.add(sum, term) }
            })
        })
    }

    fn product(&self, left: Value, right: Value) -> Option<Value> {
        let ((a, a_least, a_most), (b, b_least, b_most)) = (left.number()?, right.number()?);
        let corners = [(a_least, b_least), (a_least, b_most), (a_most, b_least), (a_most, b_most)];
        let corners: Option<Vec<i128>> = corners.iter().map(|(a, b)| a.checked_mul(*b)).collect();
        let corners = corners?;
        let (least, most) = (*corners.iter().min()?, *corners.iter().max()?);
        self.number_in(least, most, |width| self.terms.mul(self.resized(a, width), self.resized(b, width)))
    }

    /// Quotient or remainder by a positive constant, where the remainder is not negative.
    fn divided(&self, value: Value, by: Value, remainder: bool) -> Option<Value> {
        let terms = self.terms;
        let ((term, least, most), (_, by, other)) = (value.number()?, by.number()?);
        if by <= 0 || by != other {
            return None;
        }
        let width = bits_for(least.min(-by), most.max(by)) + 1;
        if width > MOST_BITS {
            return None;
        }
        let (term, divisor) = (self.resized(term, width), terms.signed_constant(by, width));
        let rest = terms.srem(term, divisor);
        let is_negative = terms.slt(rest, terms.constant(0, width));
        let rest = terms.ite(is_negative, terms.add(rest, divisor), rest);
        if remainder {
            return Some(Value::Number { term: rest, least: 0, most: by - 1 });
        }
        let term = terms.sdiv(terms.sub(term, rest), divisor);
        Some(Value::Number { term, least: least.div_euclid(by), most: most.div_euclid(by) })
    }

    fn on_bits(&self, operator: &str, values: &[Value]) -> Option<Value> {
        let terms = self.terms;
        let bits: Vec<Term> = values.iter().map(|value| value.bits()).collect();
        let made = |term: Term| Some(Value::of_term(terms, term));
        let same = |a: Term, b: Term| terms.width(a) == terms.width(b);
        match (operator, bits.as_slice()) {
            ("bvneg", [a]) => made(terms.neg(*a)),
            ("bvnot", [a]) => made(terms.not(*a)),
            ("concat", [a, b]) if terms.width(*a) + terms.width(*b) <= MOST_BITS => made(terms.concat(*a, *b)),
            ("bvadd" | "bvmul" | "bvand" | "bvor" | "bvxor", [first, rest @ ..]) => {
                let all = rest.iter().try_fold(*first, |a, b| {
                    same(a, *b).then(|| match operator {
                        "bvadd" => terms.add(a, *b),
                        "bvmul" => terms.mul(a, *b),
                        "bvand" => terms.and(a, *b),
                        "bvor" => terms.or(a, *b),
                        _ => terms.xor(a, *b),
                    })
                });
                made(all?)
            }
            (_, [a, b]) if same(*a, *b) => {
                let (a, b) = (*a, *b);
                made(match operator {
                    "bvsub" => terms.sub(a, b),
                    "bvudiv" => terms.udiv(a, b),
                    "bvurem" => terms.urem(a, b),
                    "bvsdiv" => terms.sdiv(a, b),
                    "bvsrem" => terms.srem(a, b),
                    "bvshl" => terms.shl(a, b),
                    "bvlshr" => terms.lshr(a, b),
                    "bvashr" => terms.ashr(a, b),
                    "bvult" => terms.ult(a, b),
                    "bvule" => terms.ule(a, b),
                    "bvugt" => terms.ult(b, a),
                    "bvuge" => terms.ule(b, a),
                    "bvslt" => terms.slt(a, b),
                    "bvsle" => terms.sle(a, b),
                    "bvsgt" => terms.slt(b, a),
                    "bvsge" => terms.sle(b, a),
                    _ => return None,
                })
            }
            _ => None,
        }
    }

    /// `((_ extract 7 0) x)` and its like.
    fn indexed(&self, head: &[Expression], values: &[Value]) -> Option<Value> {
        let words: Option<Vec<&str>> = head
            .iter()
            .map(|part| match part {
                Expression::Word(word) => Some(*word),
                Expression::List(_) => None,
            })
            .collect();
        let words = words?;
        let ([value], ["_", operator, indices @ ..]) = (values, words.as_slice()) else { return None };
        let indices: Vec<u32> = indices.iter().map(|index| index.parse().ok()).collect::<Option<_>>()?;
        let term = value.bits();
        let width = self.terms.width(term);
        let wider = |by: u32| width.checked_add(by).filter(|wider| *wider <= MOST_BITS);
        let term = match (*operator, indices.as_slice()) {
            ("extract", [high, low]) if low <= high && *high < width => self.terms.extract(term, *high, *low),
            ("zero_extend", [by]) => self.terms.zext(term, wider(*by)?),
            ("sign_extend", [by]) => self.terms.sext(term, wider(*by)?),
            _ => return None,
        };
        Some(Value::of_term(self.terms, term))
    }
}

/// The names of a predicate's arguments in formulas.
pub fn argument_names(arguments: &[Term]) -> Vec<(String, Term)> {
    arguments.iter().enumerate().map(|(index, argument)| (format!("a{index}"), *argument)).collect()
}
