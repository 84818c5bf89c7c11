//! The picture in the README shows the terminal of a real run. `scripts/picture` draws it anew.

use crate::environment::{Folder, home, installed};

const PICTURE: &str = "docs/stress.svg";
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

#[test]
fn picture_in_the_readme_matches_the_terminal() {
    if !installed(&["g++"]) {
        return;
    }
    let drawn = anstyle_svg::Term::new().render_svg(&screen()) + "\n";
    let path = home().join(PICTURE);
    if std::env::var_os("REBUT_UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &drawn).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        without_times(&kept) == without_times(&drawn),
        "{PICTURE} is stale: scripts/picture draws it anew\n{drawn}"
    );
}

#[test]
fn comparison_ignores_times() {
    assert_eq!(without_times("after 41 ms, 1,276 cases in 2.5 s"), "after 0 s, 0 cases in 0 s");
    assert_eq!(without_times("5 elements, seeds"), "5 elements, seeds");
}
