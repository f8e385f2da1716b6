//! `printf` and `scanf`: what their formats make them read and write.

use super::super::ir::Expr;
use super::calls::{Argument, Site};
use super::function::Lowerer;
use crate::base::error::Result;

impl<'u> Lowerer<'_, 'u> {
    pub fn check_print(&mut self, _args: &[Argument<'u>], _format: usize, _site: Site) -> Result<()> {
        Ok(())
    }

    pub fn check_print_list(&mut self, _args: &[Argument<'u>], _format: usize, _site: Site) -> Result<()> {
        Ok(())
    }

    pub fn print_to(
        &mut self,
        _args: &[Argument<'u>],
        _bounded: bool,
        _list: bool,
        _site: Site,
    ) -> Result<Option<Expr>> {
        self.undefined("sprintf");
        Ok(None)
    }

    pub fn scan(&mut self, _args: &[Argument<'u>], _format: usize, _site: Site) -> Result<()> {
        self.undefined("scanf");
        Ok(())
    }
}
