//! Text of typed syntax.

use super::syntax::Unit;

pub fn unit(unit: &Unit) -> String {
    let mut out = String::new();
    for global in &unit.globals {
        out.push_str(&format!("{}: {} = {:?}\n", global.name, unit.types.display(global.ty), global.definition));
    }
    for function in &unit.functions {
        out.push_str(&format!("{}: {} {:?}\n", function.name, unit.types.display(function.ty), function.body));
    }
    out
}
