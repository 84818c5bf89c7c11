//! The picture in the README shows the terminal of a real run. `scripts/picture` draws it anew.

use crate::environment::{Folder, home, installed};
use anstyle::{Color, RgbColor};
use anstyle_svg::{Palette, Term};

/// A file, and the colours in it: the background, plain text, and the eight colours of a terminal.
type Variant = (&'static str, u32, u32, [u32; 8]);

/// The README shows the one that suits the reader's theme.
const VARIANTS: [Variant; 2] = [
    (
        "docs/stress-light.svg",
        0xf6_f8_fa,
        0x1f_23_28,
        [0x24_29_2f, 0xcf_22_2e, 0x11_63_29, 0x7d_4e_00, 0x09_69_da, 0x82_50_df, 0x1b_6f_85, 0x57_60_6a],
    ),
    (
        "docs/stress-dark.svg",
        0x15_1b_23,
        0xe6_ed_f3,
        [0x0048_4f58, 0x00ff_7b72, 0x0056_d364, 0x00e3_b341, 0x0079_c0ff, 0x00d2_a8ff, 0x0056_d4dd, 0x00b1_bac4],
    ),
];

const FORMAT: &str = "n sum; coin[n] where 1<=n<=8; 1<=sum<=30; 1<=coin<=12; distinct(coin); min(coin)=1";

/// Runs the command and returns it with its coloured output.
fn screen() -> String {
    let source = |name: &str| std::fs::read(home().join("testdata/book/README").join(name)).unwrap();
    let folder = Folder::new().file("sol.cpp", source("sol.cpp")).file("brute.cpp", source("brute.cpp"));
    let options = format!("stress sol.cpp --reference brute.cpp --input '{FORMAT}'");
    let ran = folder.typed(&options).arguments("--color always --seed 1 --certify 60s").run().exits(1);
    let (bold, plain, command) = ("\u{1b}[1m", "\u{1b}[0m", "rebut stress sol.cpp --reference brute.cpp");
    format!("$ {bold}{command} \\\n    --input '{FORMAT}'{plain}\n{}", ran.stdout)
}

/// Replaces each time with `0 s`, and each count of test cases after a finding with `0`.
fn without_times(text: &str) -> String {
    let mut kept = String::new();
    for (i, part) in text.split(' ').enumerate() {
        let unit: String = part.chars().take_while(char::is_ascii_alphabetic).collect();
        if matches!(unit.as_str(), "ms" | "s" | "cases") {
            let number = kept.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == ',').len();
            if number < kept.len() {
                kept.truncate(number);
                kept.push('0');
            }
        }
        kept.push_str(if i > 0 { " " } else { "" });
        // A busy machine takes seconds for what took milliseconds.
        kept.push_str(if unit == "ms" { &part[1..] } else { part });
    }
    kept
}

/// Draws a screen in the colours of a variant. Dim text keeps the contrast that can be read.
fn draw((_, background, text, colours): &Variant, screen: &str) -> String {
    let [rgb_background, rgb_text] = [background, text].map(|colour| Color::Rgb(rgb(*colour)));
    let palette = Palette(std::array::from_fn(|at| rgb(colours[at % colours.len()])));
    let term = Term::new().palette(palette).bg_color(rgb_background).fg_color(rgb_text);
    term.render_svg(screen).replace("opacity: 0.4", "opacity: 0.75") + "\n"
}

fn rgb(colour: u32) -> RgbColor {
    let [_, red, green, blue] = colour.to_be_bytes();
    RgbColor(red, green, blue)
}

#[test]
fn picture_in_the_readme_matches_the_terminal() {
    if !installed(&["g++"]) {
        return;
    }
    let screen = screen();
    for variant in &VARIANTS {
        let (drawn, path) = (draw(variant, &screen), home().join(variant.0));
        if std::env::var_os("REBUT_UPDATE_GOLDEN").is_some() {
            std::fs::write(&path, &drawn).unwrap();
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        let is_current = without_times(&kept) == without_times(&drawn);
        assert!(is_current, "{} is stale: scripts/picture draws it anew\n{drawn}", variant.0);
    }
}

#[test]
fn comparison_ignores_times() {
    assert_eq!(without_times("after 41 ms, 1,276 cases in 2.5 s"), "after 0 s, 0 cases in 0 s");
    assert_eq!(without_times("5 elements, seeds"), "5 elements, seeds");
}
