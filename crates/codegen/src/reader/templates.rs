//! The frame of the code that reads: fast input, and the loop over test cases.

use super::language::ReaderLanguage;
use crate::names::{CPP_KEYWORDS, has_word};

impl ReaderLanguage {
    /// Returns the depth of indentation of the statements.
    pub(super) fn body_depth(self) -> usize {
        if self == ReaderLanguage::Java { 2 } else { 1 }
    }

    /// Returns a name that means nothing else in the language or the templates.
    pub(super) fn plain_name(self, name: &str) -> String {
        let keywords: &[&str] = match self {
            ReaderLanguage::Cpp => &[CPP_KEYWORDS, CPP_NAMES],
            ReaderLanguage::Python => &[PYTHON_NAMES],
            ReaderLanguage::Java => &[JAVA_KEYWORDS],
            ReaderLanguage::Rust => &[RUST_KEYWORDS],
        };
        let is_taken = has_word(OWN_NAMES, name) || keywords.iter().any(|words| has_word(words, name));
        if is_taken { format!("{name}_") } else { name.to_owned() }
    }
}

/// Names that the templates use.
const OWN_NAMES: &str =
    "cin cout in text line word input next put solve main out fresh value index row1 row2 cases printed";

/// Names of the library of C++.
const CPP_NAMES: &str = "string vector min max istringstream getline accumulate";

/// Keywords and functions of Python.
const PYTHON_NAMES: &str = "and as assert break class continue def del elif else except finally for from global if import is lambda \
    nonlocal not or pass raise return try while with yield None True False int float list map range sys len sum \
    min max iter str async await print zip tuple bool isinstance enumerate";

/// The keywords of Java.
const JAVA_KEYWORDS: &str = "abstract assert boolean break byte case catch char class const continue default do double else enum extends \
    final finally float for goto if implements import instanceof int interface long native new null package \
    private protected public return short static super switch this throw throws transient try void volatile while \
    true false var args";

/// The keywords of Rust.
const RUST_KEYWORDS: &str = "as break const continue crate else enum extern false fn for if impl in let loop match mod move mut pub ref \
    return self Self static struct super trait true type unsafe use where while async await dyn abstract become \
    box do final macro override priv typeof unsized virtual yield try";

/// Returns the start of a program, up to the body of the function that reads.
pub(super) fn program_start(language: ReaderLanguage, by_line: bool, echo: bool, has_solve: bool) -> String {
    let only = |condition: bool, text: &str| if condition { text.to_owned() } else { String::new() };
    match language {
        ReaderLanguage::Cpp => {
            let mut text = "#include <bits/stdc++.h>\nusing namespace std;\n".to_owned();
            text += &only(by_line, "\nstring text;\nistringstream in;\n");
            text += &only(echo, CPP_ECHO);
            text + if has_solve { "\nvoid solve() {\n" } else { CPP_MAIN }
        }
        ReaderLanguage::Python => {
            let echo = only(echo, PYTHON_ECHO);
            let name = if has_solve { "solve" } else { "main" };
            format!(
                "import sys\n\n\ndef input():\n    return sys.stdin.readline().rstrip(\"\\n\")\n\n{echo}\ndef {name}():\n"
            )
        }
        ReaderLanguage::Java => {
            let echo = only(echo, JAVA_ECHO);
            let head = if has_solve { "static void solve() throws IOException {" } else { JAVA_MAIN };
            format!("{JAVA_START}{echo}\n    {head}\n")
        }
        ReaderLanguage::Rust => {
            let echo = only(echo, RUST_ECHO);
            let head = if has_solve { "fn solve(input: &mut Input) {\n".to_owned() } else { rust_main() };
            format!("{RUST_START}{echo}\n{head}")
        }
    }
}

/// Returns the end of a program, from the end of the body of that function.
pub(super) fn program_end(language: ReaderLanguage, echo: bool, has_solve: bool) -> String {
    match (language, has_solve) {
        (ReaderLanguage::Cpp, false) => "}\n".to_owned(),
        (ReaderLanguage::Cpp, true) => {
            let print = if echo { "    put(cases);\n    end_line();\n" } else { "" };
            format!(
                "}}\n{CPP_MAIN}    int cases;\n    cin >> cases;\n{print}    cin.ignore();\n    while (cases--) solve();\n}}\n"
            )
        }
        (ReaderLanguage::Python, false) => "\n\nmain()\n".to_owned(),
        (ReaderLanguage::Python, true) => {
            let print = if echo { "put(cases)\nend_line()\n" } else { "" };
            format!("\n\ncases = int(input())\n{print}for _ in range(cases):\n    solve()\n")
        }
        (ReaderLanguage::Java, false) => "    }\n}\n".to_owned(),
        (ReaderLanguage::Java, true) => {
            let print = if echo { "        put(cases);\n        end_line();\n" } else { "" };
            format!(
                "    }}\n\n    {JAVA_MAIN}\n        int cases = nextInt();\n{print}        while (cases-- > 0) solve();\n    }}\n}}\n"
            )
        }
        (ReaderLanguage::Rust, false) => "}\n".to_owned(),
        (ReaderLanguage::Rust, true) => {
            let print = if echo { "    put(cases);\n    end_line();\n" } else { "" };
            format!(
                "}}\n\n{}    let cases: usize = input.read();\n{print}    for _ in 0..cases {{\n        solve(&mut input);\n    }}\n}}\n",
                rust_main()
            )
        }
    }
}

const CPP_MAIN: &str = "\nint main() {\n    ios::sync_with_stdio(false);\n    cin.tie(nullptr);\n";

const CPP_ECHO: &str = "
bool fresh = true;
template <class T> void put(const T& value) {
    if (!fresh) cout << ' ';
    cout << value;
    fresh = false;
}
void put_real(double value, int decimals) {
    if (!fresh) cout << ' ';
    cout << fixed << setprecision(decimals) << value;
    fresh = false;
}
void end_line() {
    cout << '\\n';
    fresh = true;
}
";

const PYTHON_ECHO: &str = "
printed = []


def put(value):
    printed.append(str(value))


def end_line():
    print(\" \".join(printed))
    printed.clear()

";

const JAVA_MAIN: &str = "public static void main(String[] args) throws IOException {";

const JAVA_START: &str = "import java.io.*;
import java.util.*;

public class Main {
    static BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    static String text;
    static StringTokenizer line = new StringTokenizer(\"\");

    static boolean nextLine() throws IOException {
        text = in.readLine();
        line = new StringTokenizer(text == null ? \"\" : text);
        return text != null;
    }

    static String next() throws IOException {
        while (!line.hasMoreTokens() && nextLine()) {}
        return line.nextToken();
    }

    static int nextInt() throws IOException {
        return Integer.parseInt(next());
    }

    static long nextLong() throws IOException {
        return Long.parseLong(next());
    }

    static double nextDouble() throws IOException {
        return Double.parseDouble(next());
    }
";

const JAVA_ECHO: &str = "
    static StringBuilder printed = new StringBuilder();

    static void put(Object value) {
        if (printed.length() > 0) printed.append(' ');
        printed.append(value);
    }

    static void end_line() {
        System.out.println(printed);
        printed.setLength(0);
    }
";

const RUST_START: &str = "use std::io::{self, Read};
use std::str::{FromStr, Lines, SplitAsciiWhitespace};

struct Input<'a> {
    lines: Lines<'a>,
    line: &'a str,
    tokens: SplitAsciiWhitespace<'a>,
}

#[allow(dead_code)]
impl<'a> Input<'a> {
    fn next_line(&mut self) -> bool {
        let next = self.lines.next();
        self.line = next.unwrap_or(\"\");
        self.tokens = self.line.split_ascii_whitespace();
        next.is_some()
    }

    fn read<T: FromStr>(&mut self) -> T {
        loop {
            if let Some(token) = self.tokens.next() {
                return token.parse().ok().unwrap();
            }
            assert!(self.next_line(), \"the input ends too early\");
        }
    }

    fn rest<T: FromStr>(&mut self) -> Vec<T> {
        self.tokens.by_ref().map(|token| token.parse().ok().unwrap()).collect()
    }
}
";

const RUST_ECHO: &str = "
thread_local!(static PRINTED: std::cell::RefCell<Vec<String>> = Default::default());

fn put(value: impl ToString) {
    PRINTED.with(|printed| printed.borrow_mut().push(value.to_string()));
}

fn end_line() {
    PRINTED.with(|printed| println!(\"{}\", std::mem::take(&mut *printed.borrow_mut()).join(\" \")));
}
";

fn rust_main() -> String {
    "fn main() {\n    let mut text = String::new();\n    io::stdin().read_to_string(&mut text).unwrap();\n    \
     let mut input = Input { lines: text.lines(), line: \"\", tokens: \"\".split_ascii_whitespace() };\n"
        .to_owned()
}
