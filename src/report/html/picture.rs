//! Renders figures of inputs as SVG.

use data_encoding::BASE64;
use maud::{Markup, PreEscaped, html};
use rebut_engine::event::FindingImage;
use rebut_format::picture::{Drawing, Figure, Shape, Tone, draw_figure};

/// The colours of a picture that is a file of its own; pages have theirs in their styles.
const PICTURE_STYLES: &str = include_str!("picture.css");

/// Renders a figure of a page.
pub(super) fn render_figure(figure: &Figure) -> Markup {
    let drawing = draw_figure(figure);
    html! {
        figure {
            figcaption { (figure.title) }
            div.scroll tabindex="0" role="group" aria-label={ "Picture of " (figure.title) } {
                svg.picture width=(drawing.width) height=(drawing.height) style=(narrowing_style(drawing.width))
                    viewBox=(format!("0 0 {} {}", drawing.width, drawing.height)) role="img" aria-label=(figure.title) {
                    (render_shapes(&drawing))
                }
            }
        }
    }
}

/// Returns the style of a picture of this width in pixels: on a narrow page it shrinks, as far as its labels can be read.
pub(super) fn narrowing_style(width: i32) -> String {
    format!("min-width:{}px", width * 3 / 5)
}

/// Renders a picture that a program of the package drew. As an image, it can neither run nor load anything, whatever is
/// in it.
pub(super) fn render_image(image: &FindingImage) -> Markup {
    let data = format!("data:{};base64,{}", image.kind.media_type(), BASE64.encode(&image.bytes));
    let title = format!("{}, drawn by the package", image.title);
    html! {
        figure {
            figcaption { (title) }
            div.scroll tabindex="0" role="group" aria-label={ "Picture: " (title) } {
                img.drawn src=(data) alt=(title);
            }
        }
    }
}

/// Returns the text of an SVG file with these figures below each other, each under its title.
pub fn svg_document(figures: &[Figure]) -> String {
    /// Height of a title.
    const TITLE: i32 = 24;
    let drawings: Vec<Drawing> = figures.iter().map(draw_figure).collect();
    let width = drawings.iter().map(|drawing| drawing.width).max().unwrap_or(0).max(160);
    let height = drawings.iter().map(|drawing| drawing.height + TITLE).sum::<i32>();
    let mut top = 0;
    let mut groups = Vec::new();
    for (figure, drawing) in figures.iter().zip(&drawings) {
        groups.push(html! {
            g transform=(format!("translate(0 {top})")) {
                text.title x="8" y="16" { (figure.title) }
                g transform=(format!("translate(0 {TITLE})")) { (render_shapes(drawing)) }
            }
        });
        top += drawing.height + TITLE;
    }
    let document = html! {
        svg.picture xmlns="http://www.w3.org/2000/svg" width=(width) height=(height)
            viewBox=(format!("0 0 {width} {height}")) {
            style { (PreEscaped(PICTURE_STYLES)) }
            rect.background width=(width) height=(height) {}
            @for group in groups { (group) }
        }
    };
    super::page::finish_text(document)
}

/// Renders the shapes. Rectangles and lines of the same tone that follow each other are one path, since boards have many.
fn render_shapes(drawing: &Drawing) -> Markup {
    let runs = drawing.shapes.chunk_by(|a, b| path_tone(a).is_some() && path_tone(a) == path_tone(b));
    html! {
        @for run in runs {
            @match path_tone(&run[0]) {
                Some((kind, tone)) if run.len() > 1 => {
                    path class={ (kind) " " (tone_class(tone)) } d=(run.iter().map(path_data).collect::<String>()) {}
                }
                _ => { @for shape in run { (render_shape(shape)) } }
            }
        }
    }
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

fn render_shape(shape: &Shape) -> Markup {
    match shape {
        Shape::Rectangle([x, y, width, height], tone) => {
            html! { rect class=(tone_class(*tone)) x=(x) y=(y) width=(width) height=(height) {} }
        }
        Shape::Line([x, y, to_x, to_y], tone) => {
            html! { line class=(tone_class(*tone)) x1=(x) y1=(y) x2=(to_x) y2=(to_y) {} }
        }
        Shape::Circle([x, y, radius], tone) => html! { circle class=(tone_class(*tone)) cx=(x) cy=(y) r=(radius) {} },
        Shape::Triangle([a, b, c, d, e, f], tone) => {
            html! { polygon class=(tone_class(*tone)) points=(format!("{a},{b} {c},{d} {e},{f}")) {} }
        }
        Shape::Area(corners, tone) => {
            let points: Vec<String> = corners.iter().map(|[x, y]| format!("{x},{y}")).collect();
            html! { polygon class={ "area " (tone_class(*tone)) } points=(points.join(" ")) {} }
        }
        Shape::Letters([x, y, width], text) => {
            let count = text.chars().count() as i32;
            // The browser spreads the characters over the cells; each is about 7 pixels wide.
            let (start, length) = (x + (width - 7) / 2, width * (count - 1) + 7);
            html! {
                text.letters x=(start) y=(y) textLength=(length.max(7)) xml:space="preserve" { (text) }
            }
        }
        Shape::Label([x, y], text, tone) => html! { text class=(tone_class(*tone)) x=(x) y=(y) { (text) } },
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
