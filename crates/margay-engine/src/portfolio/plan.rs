//! Who works on a question, and which part of the work each gets: plain data, with a reason for each.

use serde::Deserialize;

use super::engine::Make;
use super::engines::{invariants, merged, precise, random_runs, refining, states, values};
use crate::base::error::{Error, ErrorKind, Result};
use crate::cfa::{Asked, Op, Program};
use crate::control::objection;
use crate::frame::Summarised;
use crate::memory::Checks;
use crate::sharing::Calls;

/// A plan, as its file has it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// For people: statistics show it.
    pub(crate) name: String,
    /// Why it suits its programs, as the report says it.
    pub(crate) reason: String,
    /// What the lines of the abstract exploration get together, in hundredths of a slice. Each gets half of what those before it
    /// leave, the last one all of it.
    pub(crate) lines: u64,
    /// In the order of their turns.
    #[serde(alias = "members")]
    pub(crate) engines: Vec<Planned>,
}

/// An engine of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Planned {
    /// Its name in [`ROLES`].
    #[serde(alias = "member")]
    pub engine: String,
    /// In hundredths of a slice; not for lines.
    #[serde(default)]
    pub share: Option<u64>,
    /// How many rounds pass before its first turn.
    #[serde(default)]
    pub from: u64,
    /// Why it is part of the plan, as the report says it.
    pub reason: String,
}

/// What an engine has to do with the others.
#[derive(Clone, Copy)]
pub struct Role {
    /// In plans.
    pub name: &'static str,
    /// In statistics.
    pub title: &'static str,
    pub make: Make,
    /// What it gets by default.
    pub share: Share,
    /// It meets violations in the order of their distance: a leak that others found waits for what it says.
    pub in_order: bool,
    /// It comes to an end some day: until then there is no `UNKNOWN` for lack of ideas.
    pub ends: bool,
}

/// The part of a round's slice that an engine gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Share {
    /// So many hundredths.
    Percent(u64),
    /// So many hundredths; all of a slice, within bounds, once the engine that meets violations in order has come to an end.
    LastChance(u64),
    /// Its part of what all lines get.
    Line,
}

const fn line(name: &'static str, title: &'static str, make: Make) -> Role {
    Role { name, title, make, share: Share::Line, in_order: false, ends: true }
}

/// All engines there are.
pub const ROLES: [Role; 12] = [
    Role {
        name: "precise",
        title: "precise exploration",
        make: precise,
        share: Share::Percent(100),
        in_order: true,
        ends: true,
    },
    Role {
        name: "random",
        title: "random runs",
        make: random_runs,
        share: Share::LastChance(33),
        in_order: false,
        ends: false,
    },
    Role {
        name: "states",
        title: "states of runs",
        make: states,
        share: Share::Percent(50),
        in_order: false,
        ends: false,
    },
    Role {
        name: "values",
        title: "explicit values",
        make: values,
        share: Share::Percent(100),
        in_order: false,
        ends: true,
    },
    Role {
        name: "merged",
        title: "merged paths",
        make: merged,
        share: Share::Percent(100),
        in_order: false,
        ends: true,
    },
    Role {
        name: "invariants",
        title: "invariants of numbers",
        make: invariants,
        share: Share::Percent(100),
        in_order: false,
        ends: true,
    },
    line("abstract-1", "abstract exploration 1", refining::<0>),
    line("abstract-2", "abstract exploration 2", refining::<1>),
    line("abstract-3", "abstract exploration 3", refining::<2>),
    line("abstract-4", "abstract exploration 4", refining::<3>),
    line("abstract-5", "abstract exploration 5", refining::<4>),
    Role {
        name: "abstract-6",
        title: "abstract exploration 6",
        make: refining::<5>,
        share: Share::Percent(100),
        in_order: false,
        ends: true,
    },
];

/// An engine with the part it gets.
#[derive(Clone, Copy)]
pub struct Place {
    pub role: Role,
    pub share: Share,
    /// As in [`Planned::from`].
    pub from: u64,
}

/// The plans that are built in, and for which programs each is.
const GENERAL: &str = include_str!("plans/general.json");
const STRAIGHT: &str = include_str!("plans/straight.json");
const SKELETON: &str = include_str!("plans/skeleton.json");
const ENDING_SKELETON: &str = include_str!("plans/ending-skeleton.json");
const NUMBERS: &str = include_str!("plans/numbers.json");
const CLOSED: &str = include_str!("plans/closed.json");
const TERMINATION: &str = include_str!("plans/termination.json");

impl Plan {
    /// From JSON.
    ///
    /// # Errors
    /// `Usage`: it is no plan, or names engines that there are not.
    pub fn from_text(text: &str) -> Result<Self> {
        let refused = |why: String| Error::new(ErrorKind::Usage, format!("no plan: {why}"));
        let plan: Plan = serde_json::from_str(text).map_err(|error| refused(error.to_string()))?;
        plan.places().map_err(|error| refused(error.message))?;
        Ok(plan)
    }

    /// The plan for the skeleton of a program.
    ///
    /// # Errors
    /// None: as for [`Plan::for_program`].
    pub fn for_skeleton(asked: Asked) -> Result<Self> {
        Self::from_text(match asked {
            Asked::Errors => SKELETON,
            Asked::End => ENDING_SKELETON,
        })
    }

    /// No engine, to be added to.
    pub fn empty() -> Self {
        Self { name: "empty".into(), reason: "it was asked for".into(), lines: 100, engines: Vec::new() }
    }

    /// The plan for a program that is asked for `checks`.
    ///
    /// # Errors
    /// None: the plans that are built in can be read, which a test sees to.
    pub fn for_program(program: &Program, checks: &Checks) -> Result<Self> {
        let features = Features::of(program);
        let numbers_only = || objection(program, checks).is_none();
        Self::from_text(if checks.termination {
            TERMINATION
        } else if features.is_straight() {
            STRAIGHT
        } else if numbers_only() {
            if features.inputs { NUMBERS } else { CLOSED }
        } else {
            GENERAL
        })
    }

    /// The same plan with these engines only, separated by commas; `abstract` stands for all lines. What the plan does not
    /// have is added to it.
    ///
    /// # Errors
    /// `Usage`: there is no such engine.
    pub fn only(mut self, names: &str) -> Result<Self> {
        let names: Vec<&str> = names.split(',').map(str::trim).collect();
        let is_named = |engine: &str| names.iter().any(|name| *name == engine || is_line_of(engine, name));
        self.engines.retain(|planned| is_named(&planned.engine));
        for name in &names {
            let mut named = ROLES.iter().filter(|role| role.name == *name || is_line_of(role.name, name)).peekable();
            if named.peek().is_none() {
                let all = ROLES.map(|role| role.name).join(", ");
                let message = format!("there is no engine `{name}`: expected some of {all}, or abstract");
                return Err(Error::new(ErrorKind::Usage, message));
            }
            for role in named {
                self = self.with(role.name);
            }
        }
        Ok(self)
    }

    /// The same plan with an engine that was asked for, if it does not have it.
    pub fn with(mut self, engine: &str) -> Self {
        if !self.engines.iter().any(|planned| planned.engine == engine) {
            let (engine, reason) = (engine.to_owned(), "it was asked for".to_owned());
            self.engines.push(Planned { engine, share: None, from: 0, reason });
        }
        self
    }

    /// The engines with their parts.
    ///
    /// # Errors
    /// `Usage`: there is no such engine, it is there twice, or a line has a part of its own.
    pub fn places(&self) -> Result<Vec<Place>> {
        let refused = |why: String| Err(Error::new(ErrorKind::Usage, why));
        let mut places: Vec<Place> = Vec::new();
        for Planned { engine, share, from, .. } in &self.engines {
            let Some(role) = ROLES.iter().find(|role| role.name == engine) else {
                return refused(format!("there is no engine `{engine}`"));
            };
            if places.iter().any(|place| place.role.name == role.name) {
                return refused(format!("`{engine}` is there twice"));
            }
            let share = match (role.share, share) {
                (own, None) => own,
                (Share::Percent(_), Some(share)) => Share::Percent(*share),
                (Share::LastChance(_), Some(share)) => Share::LastChance(*share),
                (Share::Line, Some(_)) => return refused(format!("`{engine}` shares `lines` with the others")),
            };
            places.push(Place { role: *role, share, from: *from });
        }
        if places.is_empty() {
            return refused("no engine is in it".into());
        }
        Ok(places)
    }
}

fn is_line_of(engine: &str, name: &str) -> bool {
    name == "abstract" && engine.starts_with("abstract-")
}

/// What of a program matters for a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Features {
    /// Those of library functions that are called count, too.
    pub loops: bool,
    /// A function calls itself, directly or through others.
    pub recursion: bool,
    /// Functions without a body.
    pub assumptions: bool,
    /// Runs may differ in what they are given, or leave unset.
    pub inputs: bool,
    /// Of the program's own functions.
    pub locations: usize,
}

impl Features {
    /// Those of the functions in `program`.
    pub fn of(program: &Program) -> Self {
        let all = || program.functions.iter();
        let own = || program.functions.iter().filter(|function| !function.library);
        Self {
            loops: all().flat_map(|function| &function.locations).any(|location| location.loop_head),
            recursion: Calls::new(program, Summarised::Recursive).split_any(),
            assumptions: !program.assumed.is_empty(),
            inputs: own()
                .flat_map(|function| &function.locations)
                .flat_map(|location| &location.edges)
                .any(|edge| matches!(&edge.op, Op::Nondet { kind, .. } if !kind.is_order())),
            locations: own().map(|function| function.locations.len()).sum(),
        }
    }

    /// There are finitely many paths.
    fn is_straight(self) -> bool {
        !self.loops && !self.recursion
    }
}

impl std::fmt::Display for Features {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let words = [
            (self.loops, "loops"),
            (self.recursion, "recursion"),
            (self.assumptions, "calls without bodies"),
            (self.inputs, "inputs"),
        ];
        for (_, word) in words.iter().filter(|(holds, _)| *holds) {
            write!(f, "{word}, ")?;
        }
        write!(f, "{} locations", self.locations)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_plans_are_plans() {
        for text in [GENERAL, STRAIGHT, NUMBERS, CLOSED, TERMINATION] {
            let plan = Plan::from_text(text).unwrap();
            assert!(plan.engines.iter().all(|planned| !planned.reason.is_empty()), "{}", plan.name);
            // The engine that meets violations in order goes first: leaks wait for it.
            assert!(plan.places().unwrap()[0].role.in_order, "{}", plan.name);
        }
        for asked in [Asked::Errors, Asked::End] {
            assert!(Plan::for_skeleton(asked).unwrap().engines.iter().all(|planned| !planned.reason.is_empty()));
        }
    }

    #[test]
    fn what_is_no_plan_is_refused() {
        let engine = |name: &str, share: &str| format!("{{\"engine\": \"{name}\", {share}\"reason\": \"r\"}}");
        let plan = |engines: &[String]| {
            let engines = engines.join(",");
            let text = format!("{{\"name\": \"n\", \"reason\": \"r\", \"lines\": 600, \"engines\": [{engines}]}}");
            Plan::from_text(&text).map(|plan| plan.engines.len()).map_err(|error| error.message)
        };
        let (precise, line) = (engine("precise", "\"share\": 50, "), engine("abstract-2", ""));
        assert_eq!(plan(&[precise.clone(), line]), Ok(2));
        for engines in [
            vec![],
            vec![precise.clone(), precise],
            vec![engine("none", "")],
            vec![engine("abstract-1", "\"share\": 5, ")],
        ] {
            assert!(plan(&engines).is_err_and(|why| why.starts_with("no plan: ")), "{engines:?}");
        }
    }

    #[test]
    fn members_can_be_chosen() {
        let names = |chosen: &str| {
            let plan = Plan::from_text(STRAIGHT)?.only(chosen)?;
            Ok(plan.engines.into_iter().map(|planned| planned.engine).collect::<Vec<_>>())
        };
        let chosen = |chosen| -> Result<Vec<String>> { names(chosen) };
        assert_eq!(chosen("random, precise").unwrap(), ["precise", "random"]);
        assert_eq!(chosen("abstract").unwrap(), [1, 2, 3, 4, 5, 6].map(|n| format!("abstract-{n}")));
        assert!(chosen("abstruse").is_err());
    }
}
