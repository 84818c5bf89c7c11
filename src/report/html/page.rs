//! The frame of a page: its head, its styles, and the way from a template to text.

use crate::report::escape::escape_lines;
use data_encoding::BASE64;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use rebut_engine::event::FindingImage;
use rebut_format::picture::{Drawing, Figure, draw_figure, svg_shapes};

/// The styles of all pages.
const STYLES: &str = include_str!("style.css");

/// Nothing can be loaded and nothing can run, even if a text could add an element.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/// Maximum number of parts of a message in which code stands out.
const MAX_PARTS: usize = 100;

pub(super) struct PageHead<'a> {
    /// The title.
    pub(super) title: &'a str,
    /// Whether something is not as it should be.
    pub(super) is_failed: bool,
}

/// Returns the text of a page with this body.
pub(super) fn finish_page(head: &PageHead<'_>, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                title { (if head.is_failed { "\u{2717} " } else { "\u{2713} " }) (head.title) " - rebut" }
                style { (PreEscaped(STYLES)) }
            }
            body {
                header { h1 { (head.title) } }
                main { (body) }
                footer { p { "Written by rebut " (env!("CARGO_PKG_VERSION")) } }
            }
        }
    };
    finish_text(page)
}

/// Returns the text of a document. Control characters, and characters that are invisible or change the direction of
/// text, become visible ones wherever they occur.
pub(super) fn finish_text(document: Markup) -> String {
    escape_lines(&document.into_string())
}

/// Renders a message; what is between backticks in it is code, unless these are the names of a long list.
pub(super) fn render_message(message: &str) -> Markup {
    let parts: Vec<&str> = message.split('`').collect();
    html! {
        @if parts.len().is_multiple_of(2) { (message) }
        @else if parts.len() > MAX_PARTS { (parts.concat()) }
        @else {
            @for (i, part) in parts.iter().enumerate() { @if i % 2 == 1 { code { (part) } } @else { (part) } }
        }
    }
}

/// Renders whether a result is as it should be, as a sign and a word.
pub(super) fn result_mark(is_good: bool, word: &str) -> Markup {
    html! {
        @if is_good { span.mark.good { "\u{2713} " (word) } }
        @else { span.mark.bad { "\u{2717} " (word) } }
    }
}

// Renders figures of inputs as SVG.

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
    finish_text(document)
}

fn render_shapes(drawing: &Drawing) -> Markup {
    PreEscaped(svg_shapes(drawing))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_in_messages_is_between_backticks() {
        let rendered = |message| render_message(message).into_string();
        assert_eq!(rendered("wrong on `a<b`, not `c`"), "wrong on <code>a&lt;b</code>, not <code>c</code>");
        assert_eq!(rendered("one ` is text"), "one ` is text");
    }
}
