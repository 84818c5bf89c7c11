//! Renders drawings as SVG elements.

use super::drawing::{Drawing, Shape, Tone};
use rebut_diagnostics::escape_markup;
use std::fmt::Write as _;

/// Returns the shapes of a drawing as the contents of an `svg` element. Colours are those of a style sheet: the classes
/// are the tones, `area`, `line` and `letters`. Rectangles and lines of the same tone that follow each other are one path,
/// since boards have many.
pub fn svg_shapes(drawing: &Drawing) -> String {
    let mut svg = String::new();
    for run in drawing.shapes.chunk_by(|a, b| path_tone(a).is_some() && path_tone(a) == path_tone(b)) {
        match path_tone(&run[0]) {
            Some((kind, tone)) if run.len() > 1 => {
                let data: String = run.iter().map(path_data).collect();
                let _ = write!(svg, r#"<path class="{kind} {}" d="{data}"></path>"#, tone_class(tone));
            }
            _ => svg.extend(run.iter().map(shape_element)),
        }
    }
    svg
}

/// Returns the kind and the tone of a shape that can be a part of a path.
fn path_tone(shape: &Shape) -> Option<(&'static str, Tone)> {
    match shape {
        Shape::Rectangle(_, tone) => Some(("area", *tone)),
        Shape::Line(_, tone) => Some(("line", *tone)),
        _ => None,
    }
}

fn path_data(shape: &Shape) -> String {
    match shape {
        Shape::Rectangle([x, y, width, height], _) => format!("M{x} {y}h{width}v{height}h-{width}z"),
        Shape::Line([x, y, to_x, to_y], _) => format!("M{x} {y}L{to_x} {to_y}"),
        _ => String::new(),
    }
}

fn shape_element(shape: &Shape) -> String {
    match shape {
        Shape::Rectangle([x, y, width, height], tone) => {
            let class = tone_class(*tone);
            format!(r#"<rect class="{class}" x="{x}" y="{y}" width="{width}" height="{height}"></rect>"#)
        }
        Shape::Line([x, y, to_x, to_y], tone) => {
            format!(r#"<line class="{}" x1="{x}" y1="{y}" x2="{to_x}" y2="{to_y}"></line>"#, tone_class(*tone))
        }
        Shape::Circle([x, y, radius], tone) => {
            format!(r#"<circle class="{}" cx="{x}" cy="{y}" r="{radius}"></circle>"#, tone_class(*tone))
        }
        Shape::Triangle([a, b, c, d, e, f], tone) => {
            format!(r#"<polygon class="{}" points="{a},{b} {c},{d} {e},{f}"></polygon>"#, tone_class(*tone))
        }
        Shape::Letters([x, y, width], text) => {
            let count = text.chars().count() as i32;
            // The browser spreads the characters over the cells; each is about 7 pixels wide.
            let (start, length) = (x + (width - 7) / 2, (width * (count - 1) + 7).max(7));
            let place = format!(r#"x="{start}" y="{y}" textLength="{length}""#);
            format!(r#"<text class="letters" {place} xml:space="preserve">{}</text>"#, escape_markup(text))
        }
        Shape::Label([x, y], text, tone) => {
            format!(r#"<text class="{}" x="{x}" y="{y}">{}</text>"#, tone_class(*tone), escape_markup(text))
        }
    }
}

fn tone_class(tone: Tone) -> &'static str {
    const LEVELS: [&str; Tone::LEVELS as usize] = ["l0", "l1", "l2", "l3", "l4", "l5"];
    match tone {
        Tone::Plain => "plain",
        Tone::Muted => "muted",
        Tone::Kept => "kept",
        Tone::Level(level) => LEVELS[usize::from(level).min(LEVELS.len() - 1)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_of_a_tone_in_a_row_are_one_path() {
        let shapes = vec![
            Shape::Rectangle([0, 0, 4, 2], Tone::Level(1)),
            Shape::Rectangle([4, 0, 4, 2], Tone::Level(1)),
            Shape::Rectangle([8, 0, 4, 2], Tone::Level(2)),
        ];
        assert_eq!(
            svg_shapes(&Drawing { width: 12, height: 2, shapes }),
            r#"<path class="area l1" d="M0 0h4v2h-4zM4 0h4v2h-4z"></path><rect class="l2" x="8" y="0" width="4" height="2"></rect>"#
        );
    }

    #[test]
    fn no_character_of_an_input_becomes_markup() {
        let shapes = vec![
            Shape::Label([1, 2], "<b a=\"1\">&".to_owned(), Tone::Muted),
            Shape::Letters([0, 9, 20], "<&".to_owned()),
        ];
        assert_eq!(
            svg_shapes(&Drawing { width: 9, height: 9, shapes }),
            concat!(
                r#"<text class="muted" x="1" y="2">&lt;b a=&quot;1&quot;&gt;&amp;</text>"#,
                r#"<text class="letters" x="6" y="9" textLength="27" xml:space="preserve">&lt;&amp;</text>"#
            )
        );
    }
}
