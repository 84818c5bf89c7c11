//! Charts: points and lines over two axes.

use super::page::narrowing_style;
use crate::report::page::{Chart, ChartSeries, SeriesKind};
use maud::{Markup, html};

const WIDTH: f64 = 560.0;

const HEIGHT: f64 = 240.0;

const LEFT: f64 = 70.0;

const RIGHT: f64 = 16.0;

const TOP: f64 = 14.0;

const BOTTOM: f64 = 44.0;

/// Radius of a mark, or half of its side.
const MARK: f64 = 3.5;

struct Axis {
    low: f64,
    high: f64,
    is_logarithmic: bool,
}

impl Axis {
    fn around(values: impl Iterator<Item = f64>, is_logarithmic: bool) -> Axis {
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
        let low = if is_logarithmic { low.max(1.0) } else { low.min(0.0) };
        Axis { low, high: if high > low { high } else { low + 1.0 }, is_logarithmic }
    }

    /// Returns where a value lies, from 0 to 1.
    fn share(&self, value: f64) -> f64 {
        let scaled = |value: f64| if self.is_logarithmic { libm::log10(value.max(1.0)) } else { value };
        let (low, high) = (scaled(self.low), scaled(self.high));
        if high == low { 0.0 } else { (scaled(value) - low) / (high - low) }
    }

    /// Returns the values that are labelled: powers of ten, or about five round numbers.
    fn ticks(&self) -> Vec<f64> {
        if self.is_logarithmic {
            let powers = (0..40).map(|exponent| (0..exponent).fold(1.0, |power, _| power * 10.0));
            let inside: Vec<f64> = powers.filter(|power| (self.low..=self.high).contains(power)).collect();
            let step = inside.len().div_ceil(6).max(1);
            let ticks: Vec<f64> = inside.into_iter().step_by(step).collect();
            return if ticks.len() > 1 { ticks } else { vec![self.low, self.high] };
        }
        let range = self.high - self.low;
        let mut step = 1.0;
        while range / step > 6.0 {
            step *= if range / step > 12.0 { 10.0 } else { 2.0 };
        }
        (0..=7).map(|i| self.low + step * f64::from(i)).take_while(|tick| *tick <= self.high).collect()
    }
}

/// Renders a chart. Its title and the names of the series say what a mark means; colour only helps.
pub(super) fn render_chart(chart: &Chart) -> Markup {
    let points = || chart.series.iter().flat_map(|series| &series.points);
    if points().next().is_none() {
        return html! {};
    }
    let xs = match chart.x_names.len() {
        0 => Axis::around(points().map(|point| point.0), chart.are_logarithmic[0]),
        count => Axis { low: 0.5, high: count as f64 + 0.5, is_logarithmic: false },
    };
    let ys = Axis::around(points().map(|point| point.1), chart.are_logarithmic[1]);
    let place = |(x, y): (f64, f64)| {
        (LEFT + xs.share(x) * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - ys.share(y) * (HEIGHT - TOP - BOTTOM))
    };
    html! {
        figure {
            figcaption { (chart.title) }
            div.scroll tabindex="0" role="group" aria-label={ "Chart: " (chart.title) } {
                svg.chart viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) width=(WIDTH) height=(HEIGHT)
                    style=(narrowing_style(WIDTH as i32)) role="img"
                    aria-label=(chart.title) {
                    (render_axes(chart, &xs, &ys))
                    @for (i, series) in chart.series.iter().enumerate() {
                        g class={ "series s" (i) } { (render_series(series, i, &chart.x_names, &place)) }
                    }
                }
            }
            p.legend {
                @for (i, series) in chart.series.iter().enumerate() {
                    span {
                        svg.chart width="26" height="12" {
                            g class={ "series s" (i) } { (render_series(&sample(series.kind), i, &[], &|place| place)) }
                        }
                        " " (series.name)
                    } " "
                }
            }
        }
    }
}

/// Returns a series that shows in a legend how one of this kind is drawn.
fn sample(kind: SeriesKind) -> ChartSeries {
    let points = match kind {
        SeriesKind::Marks => vec![(13.0, 6.0)],
        _ => vec![(2.0, 6.0), (24.0, 6.0)],
    };
    ChartSeries { name: String::new(), points, kind }
}

fn render_axes(chart: &Chart, xs: &Axis, ys: &Axis) -> Markup {
    let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
    let tick_x = |tick: f64| pixel(LEFT + xs.share(tick) * (right - LEFT));
    let tick_y = |tick: f64| pixel(bottom - ys.share(tick) * (bottom - TOP));
    html! {
        line.axis x1=(LEFT) y1=(bottom) x2=(right) y2=(bottom) {}
        line.axis x1=(LEFT) y1=(TOP) x2=(LEFT) y2=(bottom) {}
        @for (number, name) in named_ticks(&chart.x_names) {
            // A name at the end of the axis ends there.
            @let class = if xs.share(number) > 0.85 { "tick left" } else { "tick" };
            text class=(class) x=(tick_x(number)) y=(bottom + 14.0) { (name) }
        }
        @for tick in xs.ticks().into_iter().filter(|_| chart.x_names.is_empty()) { text.tick x=(tick_x(tick)) y=(bottom + 14.0) { (format_tick(tick)) } }
        @for tick in ys.ticks() {
            line.grid x1=(LEFT) y1=(tick_y(tick)) x2=(right) y2=(tick_y(tick)) {}
            text.tick.left x=(LEFT - 6.0) y=(tick_y(tick)) { (format_tick(tick)) }
        }
        text.label x=((LEFT + right) / 2.0) y=(HEIGHT - 8.0) { (chart.x_label) }
        text.label transform=(format!("translate(12 {}) rotate(-90)", (TOP + bottom) / 2.0)) { (chart.y_label) }
    }
}

/// Returns the names that have room below the axis, cut if they are long, and their numbers.
fn named_ticks(names: &[String]) -> Vec<(f64, String)> {
    /// Maximum number of names, and of characters of each.
    const MAX_NAMES: usize = 4;
    const MAX_NAME_CHARS: usize = 18;
    let step = names.len().div_ceil(MAX_NAMES).max(1);
    let cut = |name: &String| match name.chars().count().saturating_sub(MAX_NAME_CHARS) {
        0 => name.clone(),
        excess => name.chars().skip(excess).fold("\u{2026}".to_owned(), |text, letter| text + &letter.to_string()),
    };
    names.iter().enumerate().step_by(step).map(|(at, name)| ((at + 1) as f64, cut(name))).collect()
}

fn render_series(
    series: &ChartSeries,
    index: usize,
    names: &[String],
    place: &dyn Fn((f64, f64)) -> (f64, f64),
) -> Markup {
    /// Number of marks, the highest ones, that show their names when one points at them.
    const MAX_NAMED_MARKS: usize = 20;
    let mut heights: Vec<f64> = series.points.iter().map(|point| point.1).collect();
    heights.sort_by(f64::total_cmp);
    let lowest_named = heights.len().checked_sub(MAX_NAMED_MARKS).map_or(f64::MIN, |at| heights[at]);
    let places: Vec<(f64, f64)> = series.points.iter().map(|point| place(*point)).collect();
    let mut path = String::new();
    for (i, (x, y)) in places.iter().enumerate() {
        match (i, series.kind) {
            (0, _) => path.push_str(&format!("M{} {}", pixel(*x), pixel(*y))),
            (_, SeriesKind::Steps) => path.push_str(&format!("H{}V{}", pixel(*x), pixel(*y))),
            _ => path.push_str(&format!("L{} {}", pixel(*x), pixel(*y))),
        }
    }
    html! {
        @if series.kind != SeriesKind::Marks {
            path d=(path) class=[(series.kind == SeriesKind::Dashed).then_some("dashed")] {}
        }
        @if series.kind != SeriesKind::Dashed {
            @for ((x, y), (number, height)) in places.iter().zip(&series.points) {
                @match names.get((*number as usize).wrapping_sub(1)).filter(|_| *height >= lowest_named) {
                    Some(name) => g { title { (name) } (render_mark(index, *x, *y)) },
                    None => (render_mark(index, *x, *y)),
                }
            }
        }
    }
}

/// Renders a mark. Each series has a shape of its own, which can be told apart without colours.
fn render_mark(index: usize, x: f64, y: f64) -> Markup {
    match index % 4 {
        0 => html! { circle cx=(pixel(x)) cy=(pixel(y)) r=(MARK) {} },
        1 => html! { rect x=(pixel(x - MARK)) y=(pixel(y - MARK)) width=(2.0 * MARK) height=(2.0 * MARK) {} },
        2 => {
            let (a, b, c) = (pixel(x), pixel(y - 4.0), pixel(y + 3.0));
            html! { polygon points=(format!("{a},{b} {},{c} {},{c}", pixel(x - 4.0), pixel(x + 4.0))) {} }
        }
        _ => html! { path d=(format!("M{0} {1}l7 7m0-7l-7 7", pixel(x - 3.5), pixel(y - 3.5))) {} },
    }
}

/// Rounds a coordinate to tenths of a pixel.
fn pixel(coordinate: f64) -> f64 {
    (coordinate * 10.0).round() / 10.0
}

/// `0`, `250`, `12k`, `3M`, `1e9`.
fn format_tick(value: f64) -> String {
    match value {
        v if v >= 1e9 => format!("{v:.0e}"),
        v if v >= 1e6 => format!("{}M", v / 1e6),
        v if v >= 1e4 => format!("{}k", v / 1e3),
        v => format!("{v}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        let axis = |low, high, is_logarithmic| Axis { low, high, is_logarithmic };
        assert_eq!(axis(0.0, 23.0, false).ticks(), [0.0, 10.0, 20.0]);
        assert_eq!(axis(0.0, 5.0, false).ticks(), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
        assert_eq!(axis(1.0, 2e5, true).ticks(), [1.0, 10.0, 100.0, 1e3, 1e4, 1e5]);
        assert_eq!(axis(3.0, 7.0, true).ticks(), [3.0, 7.0]);
        assert_eq!([250.0, 12_000.0, 3e6, 1e9].map(format_tick), ["250", "12k", "3M", "1e9"]);
    }

    #[test]
    fn names_have_room_below_the_axis() {
        let names: Vec<String> = (1..=9).map(|number| format!("secret/3_a_long_group/{number}")).collect();
        let ticks = named_ticks(&names);
        assert_eq!(ticks.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [1.0, 4.0, 7.0]);
        assert_eq!(ticks[0].1, "\u{2026}t/3_a_long_group/1");
        assert_eq!(named_ticks(&["sample/1".to_owned()]), [(1.0, "sample/1".to_owned())]);
    }

    #[test]
    fn places_are_logarithmic_if_the_axes_are() {
        let axis = |is_logarithmic| Axis::around([1.0, 100.0].into_iter(), is_logarithmic);
        assert!((axis(true).share(10.0) - 0.5).abs() < 1e-9);
        assert!((axis(false).share(50.0) - 0.5).abs() < 1e-9);
    }
}
