//! (room)
#[cfg(test)]
mod tests {
    #[test]
    fn z3_links() {
        let x = z3::ast::BV::new_const("x", 32);
        let s = z3::Solver::new();
        s.assert(x.bvult(0u64));
        assert_eq!(s.check(), z3::SatResult::Unsat);
    }
}
