//! Renders figures of inputs as SVG.

use data_encoding::BASE64;
use maud::{Markup, PreEscaped, html};
use rebut_engine::event::FindingImage;
use rebut_format::picture::{Drawing, Figure, draw_figure, svg_shapes};

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

fn render_shapes(drawing: &Drawing) -> Markup {
    PreEscaped(svg_shapes(drawing))
}
