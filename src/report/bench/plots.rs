//! Plots of CPU times as SVG: how many answers within which time, and one tool against another.

use std::fmt::Write;

use super::results::{Outcome, Status};

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 440.0;
/// Left, top, right and bottom of the axes.
const FRAME: [f64; 4] = [64.0, 36.0, 700.0, 384.0];
/// CPU seconds that the axes begin with; less is shown as that much.
const LEAST: f64 = 0.01;
/// Lines and marks that people with any kind of sight distinguish (after Okabe and Ito).
const COLOURS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];

/// Which answers one tool gives within which CPU time: for each tool a line through its right answers, fastest first.
pub fn quantile_plot(tools: &[(&str, &[Outcome])]) -> String {
    let times: Vec<Vec<f64>> = tools
        .iter()
        .map(|(_, outcomes)| {
            let right = outcomes.iter().filter(|outcome| outcome.status == Status::Correct);
            let mut times: Vec<f64> = right.map(|outcome| outcome.cpu.max(LEAST)).collect();
            times.sort_by(f64::total_cmp);
            times
        })
        .collect();
    let most = times.iter().map(Vec::len).max().unwrap_or(0).max(1);
    let y = Axis::logarithmic(times.iter().flatten().copied(), FRAME[3], FRAME[1]);
    let x = Axis { from: 0.0, to: most as f64, begin: FRAME[0], end: FRAME[2], logarithmic: false };
    let mut plot = Plot::new("right answers, fastest first", "CPU time of the n-th answer in s");
    for tick in round_ticks(most) {
        plot.tick_x(x.place(tick as f64), &tick.to_string());
    }
    for (value, label) in y.decades() {
        plot.tick_y(y.place(value), &label);
    }
    for (number, ((name, _), times)) in tools.iter().zip(&times).enumerate() {
        let colour = COLOURS[number % COLOURS.len()];
        let points =
            times.iter().enumerate().map(|(n, &time)| format!("{:.1},{:.1}", x.place((n + 1) as f64), y.place(time)));
        let points: Vec<String> = points.collect();
        let _ = writeln!(
            plot.body,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.8\"/>",
            points.join(" ")
        );
        plot.legend(number, colour, &format!("{name}: {} right", times.len()));
    }
    plot.finish()
}

/// Each task that both tools were asked, by the CPU time of `theirs` and of `ours`; tasks without a right answer stand at the
/// far end.
pub fn scatter_plot(name: &str, pairs: &[(&Outcome, &Outcome)]) -> String {
    let is_right = |outcome: &Outcome| outcome.status == Status::Correct;
    let times = pairs.iter().flat_map(|(ours, theirs)| [ours.cpu, theirs.cpu]);
    let y = Axis::logarithmic(times, FRAME[3], FRAME[1]);
    let x = Axis { begin: FRAME[0], end: FRAME[2], ..y };
    let mut plot = Plot::new(&format!("CPU time of {name} in s"), "CPU time here in s");
    for (value, label) in y.decades() {
        plot.tick_x(x.place(value), &label);
        plot.tick_y(y.place(value), &label);
    }
    let [left, top, right, bottom] = FRAME;
    let _ = writeln!(plot.body, "<line x1=\"{left}\" y1=\"{bottom}\" x2=\"{right}\" y2=\"{top}\" stroke=\"#bbb\"/>");
    let kinds = ["both right", "right only here", &format!("right only in {name}"), "neither", "wrong"];
    let mut counts = [0; 5];
    let mut marks = String::new();
    for (ours, theirs) in pairs {
        let kind = match (ours.status, theirs.status) {
            (Status::Wrong, _) | (_, Status::Wrong) => 4,
            _ => match (is_right(ours), is_right(theirs)) {
                (true, true) => 0,
                (true, false) => 1,
                (false, true) => 2,
                (false, false) => 3,
            },
        };
        counts[kind] += 1;
        let place = |axis: &Axis, outcome: &Outcome| axis.place(if is_right(outcome) { outcome.cpu } else { axis.to });
        let _ = writeln!(
            marks,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"{}\" fill-opacity=\"0.6\"><title>{} [{}]: {} here, {} there</title></circle>",
            place(&x, theirs),
            place(&y, ours),
            COLOURS[kind],
            escaped(&ours.task),
            escaped(&ours.property),
            escaped(&ours.answer),
            escaped(&theirs.answer),
        );
    }
    plot.body += &marks;
    let shown = kinds.iter().zip(counts).enumerate().filter(|(_, (_, count))| *count > 0);
    for (row, (kind, (title, count))) in shown.enumerate() {
        plot.legend(row, COLOURS[kind], &format!("{title}: {count}"));
    }
    plot.finish()
}

/// Text for a place within XML or HTML.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// From numbers to places in the drawing.
#[derive(Clone, Copy)]
struct Axis {
    from: f64,
    to: f64,
    begin: f64,
    end: f64,
    logarithmic: bool,
}

impl Axis {
    /// Whole decades that hold all values.
    fn logarithmic(values: impl Iterator<Item = f64>, begin: f64, end: f64) -> Self {
        let largest = values.fold(1.0_f64, f64::max);
        Self { from: LEAST, to: 10_f64.powf(largest.log10().ceil()), begin, end, logarithmic: true }
    }

    fn place(&self, value: f64) -> f64 {
        let scale = |value: f64| if self.logarithmic { value.max(self.from).log10() } else { value };
        let share = (scale(value) - scale(self.from)) / (scale(self.to) - scale(self.from));
        self.begin + share.min(1.0) * (self.end - self.begin)
    }

    fn decades(&self) -> Vec<(f64, String)> {
        let [first, last] = [self.from, self.to].map(|value| value.log10().round() as i32);
        let value = |exponent: i32| 10_f64.powi(exponent);
        (first..=last).map(|exponent| (value(exponent), value(exponent).to_string())).collect()
    }
}

/// At most eight multiples of a round number up to `most`.
fn round_ticks(most: usize) -> Vec<usize> {
    let steps = (0..).flat_map(|exponent| [1, 2, 5].map(|digit| digit * 10_usize.pow(exponent)));
    let step = steps.take_while(|&step| step <= most.max(1)).find(|step| most / step <= 8).unwrap_or(most.max(1));
    (0..=most / step).map(|n| n * step).collect()
}

/// A drawing in the making.
struct Plot {
    body: String,
}

impl Plot {
    fn new(x: &str, y: &str) -> Self {
        let [left, top, right, bottom] = FRAME;
        let (middle, height) = (f64::midpoint(left, right), f64::midpoint(top, bottom));
        let mut body = String::new();
        let _ = writeln!(
            body,
            "<rect x=\"{left}\" y=\"{top}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#444\"/>\n\
             <text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n\
             <text x=\"16\" y=\"{height}\" text-anchor=\"middle\" transform=\"rotate(-90 16 {height})\">{}</text>",
            right - left,
            bottom - top,
            bottom + 42.0,
            escaped(x),
            escaped(y),
        );
        Self { body }
    }

    fn tick_x(&mut self, place: f64, label: &str) {
        let [_, top, _, bottom] = FRAME;
        let _ = writeln!(
            self.body,
            "<line x1=\"{place:.1}\" y1=\"{bottom}\" x2=\"{place:.1}\" y2=\"{top}\" stroke=\"#eee\"/>\
             <text x=\"{place:.1}\" y=\"{}\" text-anchor=\"middle\">{label}</text>",
            bottom + 18.0
        );
    }

    fn tick_y(&mut self, place: f64, label: &str) {
        let [left, _, right, _] = FRAME;
        let _ = writeln!(
            self.body,
            "<line x1=\"{left}\" y1=\"{place:.1}\" x2=\"{right}\" y2=\"{place:.1}\" stroke=\"#eee\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
            left - 6.0,
            place + 4.0
        );
    }

    /// A line of the legend, in the upper left corner.
    fn legend(&mut self, row: usize, colour: &str, text: &str) {
        let (x, y) = (FRAME[0] + 12.0, FRAME[1] + 16.0 + 18.0 * row as f64);
        let _ = writeln!(
            self.body,
            "<rect x=\"{x}\" y=\"{}\" width=\"12\" height=\"12\" fill=\"{colour}\"/><text x=\"{}\" y=\"{}\">{}</text>",
            y - 10.0,
            x + 18.0,
            y,
            escaped(text)
        );
    }

    fn finish(self) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
             font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n{}</svg>\n",
            self.body
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The points of the n-th line.
    fn line(svg: &str, n: usize) -> Vec<(f64, f64)> {
        let points = svg.split("<polyline points=\"").nth(n + 1).unwrap().split('"').next().unwrap();
        let pairs = points.split(' ').map(|pair| pair.split_once(',').unwrap());
        pairs.map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap())).collect()
    }

    #[test]
    fn right_answers_are_drawn_fastest_first() {
        let ours = [
            Outcome::sample("a", "true", "TRUE", 10.0),
            Outcome::sample("b", "true", "TRUE", 0.1),
            Outcome::sample("c", "true", "UNKNOWN (timeout)", 60.0),
        ];
        let svg = quantile_plot(&[("Margay", &ours), ("Spy", &ours[..1])]);
        let [first, second] = line(&svg, 0)[..] else { panic!("{svg}") };
        // Two of two answers: half-way and at the right end; more time is further up.
        assert_eq!((first.0, second.0), (f64::midpoint(FRAME[0], FRAME[2]), FRAME[2]));
        assert!(first.1 > second.1, "{svg}");
        // Ten seconds are the largest time there is, the axis ends with them.
        assert_eq!(second.1, FRAME[1]);
        assert_eq!(line(&svg, 1).len(), 1);
        assert!(svg.contains("Margay: 2 right") && svg.contains("Spy: 1 right"), "{svg}");
    }

    #[test]
    fn tasks_without_an_answer_stand_at_the_far_end() {
        let (ours, theirs) =
            (Outcome::sample("<a>", "true", "TRUE", 1.0), Outcome::sample("<a>", "true", "UNKNOWN (timeout)", 60.0));
        let svg = scatter_plot("Spy", &[(&ours, &theirs)]);
        assert!(svg.contains(&format!("<circle cx=\"{:.1}\"", FRAME[2])), "{svg}");
        assert!(svg.contains("right only here: 1") && !svg.contains("both right"), "{svg}");
        assert!(svg.contains("&lt;a&gt; [p]: TRUE here, UNKNOWN (timeout) there") && !svg.contains("<a>"), "{svg}");
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(round_ticks(1), [0, 1]);
        assert_eq!(round_ticks(348), [0, 50, 100, 150, 200, 250, 300]);
        assert_eq!(round_ticks(0), [0]);
    }
}
