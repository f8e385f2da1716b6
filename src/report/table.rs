//! Aligned text.

/// How a column stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Blanks are at the right.
    Left,
    /// Blanks are at the left: for numbers.
    Right,
}

/// Rows as lines with two blanks between columns; the first row is the head, underlined where `rows` has more.
pub fn table(columns: &[Align], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns.len()).map(width).collect();
    let mut text = String::new();
    for (number, row) in rows.iter().enumerate() {
        let cells = row.iter().zip(columns).zip(&widths).map(|((cell, align), width)| match align {
            Align::Left => format!("{cell:<width$}"),
            Align::Right => format!("{cell:>width$}"),
        });
        let line = cells.collect::<Vec<_>>().join("  ");
        text += line.trim_end();
        text.push('\n');
        if number == 0 && rows.len() > 1 {
            let total = widths.iter().sum::<usize>() + 2 * widths.len().saturating_sub(1);
            text += &"-".repeat(total);
            text.push('\n');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let rows = [["suite", "n"], ["lists", "5"], ["ä", "120"]].map(|row| row.map(str::to_owned).to_vec());
        let text = table(&[Align::Left, Align::Right], &rows);
        assert_eq!(text, "suite    n\n----------\nlists    5\nä      120\n");
    }
}
