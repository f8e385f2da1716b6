//! Verifies a C file for memory safety, or a small program that uses memory after it was freed, and says what was found:
//! `cargo run --example library -- list.c`

use std::time::Duration;

use margay::{Error, Limits, Program, Property, Verdict, Verifier};

const USE_AFTER_FREE: &str = "\
#include <stdlib.h>
int main(void) {
    int *p = malloc(sizeof *p);
    free(p);
    return *p;
}
";

fn main() -> Result<(), Error> {
    let program = match std::env::args().nth(1) {
        Some(file) => Program::from_file(file),
        None => Program::from_text("used.c", USE_AFTER_FREE),
    };
    let limits = Limits::none().time(Duration::from_secs(60));
    let answer = Verifier::new(program).property(Property::MemorySafety).limits(limits).verify()?;
    println!("{}", answer.verdict);
    if let Verdict::False(run) = &answer.verdict {
        println!("{}", run.detail);
        for step in &run.steps {
            println!("{}: {:?}", step.position, step.action);
        }
    }
    Ok(())
}
