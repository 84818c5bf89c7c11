//! The four languages: how each of them declares, reads and prints.

use crate::source_writer::SourceWriter;

/// A language of readers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReaderLanguage {
    /// C++17
    Cpp,
    /// Python 3
    Python,
    /// Java 11
    Java,
    /// Rust 2021
    Rust,
}

/// The type of a single value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueType {
    /// A number that counts something: an index type in Rust.
    Size,
    Int,
    Long,
    /// More than 64 bits.
    Big,
    Real,
    Text,
}

/// A variable or an element, and what it holds.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) text: String,
    pub(super) value: ValueType,
    /// True if this is where the variable is declared.
    pub(super) is_new: bool,
}

use ReaderLanguage::{Cpp, Java, Python, Rust};

impl ReaderLanguage {
    fn type_name(self, value: ValueType) -> &'static str {
        match (self, value) {
            (Cpp, ValueType::Size | ValueType::Int)
            | (Java, ValueType::Size | ValueType::Int)
            | (Python, ValueType::Int) => "int",
            (Cpp, ValueType::Long) => "long long",
            (Java, ValueType::Long) => "long",
            // A number of more than 64 bits is kept as a text: contestants write their own arithmetic for it.
            (Cpp, ValueType::Big | ValueType::Text) => "string",
            (Java, ValueType::Big | ValueType::Text) => "String",
            (Cpp | Java, ValueType::Real) => "double",
            (Python, ValueType::Text) => "str",
            (Python, ValueType::Real) => "float",
            (Python, _) => "int",
            (Rust, ValueType::Size) => "usize",
            (Rust, ValueType::Int | ValueType::Long) => "i64",
            (Rust, ValueType::Big) => "i128",
            (Rust, ValueType::Real) => "f64",
            (Rust, ValueType::Text) => "String",
        }
    }

    /// Returns the type of rows of rows of values.
    fn container_type(self, value: ValueType, rank: usize) -> String {
        let name = self.type_name(value);
        match self {
            Cpp => format!("{}{name}{}", "vector<".repeat(rank), ">".repeat(rank)),
            Rust => format!("{}{name}{}", "Vec<".repeat(rank), ">".repeat(rank)),
            Java => format!("{name}{}", "[]".repeat(rank)),
            Python => String::new(),
        }
    }

    /// Returns the expression that reads the next token.
    pub(super) fn read_token(self, value: ValueType) -> String {
        match self {
            Cpp => String::new(),
            Python if value == ValueType::Text => "next(line)".to_owned(),
            Python => format!("{}(next(line))", self.type_name(value)),
            Rust => "input.read()".to_owned(),
            Java => match value {
                ValueType::Size | ValueType::Int => "nextInt()",
                ValueType::Long => "nextLong()",
                ValueType::Real => "nextDouble()",
                ValueType::Big | ValueType::Text => "next()",
            }
            .to_owned(),
        }
    }

    /// Writes statements that read single values one after another.
    pub(super) fn read_values(self, places: &[Place], stream: &str, out: &mut SourceWriter) {
        if self == Cpp {
            self.declare_values(places, out);
            let all: Vec<&str> = places.iter().map(|place| &*place.text).collect();
            out.add_line(format!("{stream} >> {};", all.join(" >> ")));
            return;
        }
        for place in places {
            let token = self.read_token(place.value);
            match (self, place.is_new) {
                (Java, true) => out.add_line(format!("{} {} = {token};", self.type_name(place.value), place.text)),
                (Rust, true) => out.add_line(format!("let {}: {} = {token};", place.text, self.type_name(place.value))),
                (Python, _) => out.add_line(format!("{} = {token}", place.text)),
                _ => out.add_line(format!("{} = {token};", place.text)),
            }
        }
    }

    /// Writes the declarations of C++, one for each type.
    fn declare_values(self, places: &[Place], out: &mut SourceWriter) {
        let mut rest: Vec<&Place> = places.iter().filter(|place| place.is_new).collect();
        while let Some(first) = rest.first() {
            let name = self.type_name(first.value);
            let (same, others): (Vec<&Place>, Vec<&Place>) =
                rest.iter().partition(|place| self.type_name(place.value) == name);
            let names: Vec<&str> = same.iter().map(|place| &*place.text).collect();
            out.add_line(format!("{name} {};", names.join(", ")));
            rest = others;
        }
    }

    /// Writes the statement that makes room for rows of a rank.
    pub(super) fn allocate_rows(self, place: &Place, rank: usize, size: &str, out: &mut SourceWriter) {
        let name = &place.text;
        let of_type = self.container_type(place.value, rank);
        let zero = match (self, rank) {
            (Rust, 1) => match place.value {
                ValueType::Text => "String::new()".to_owned(),
                ValueType::Real => "0.0".to_owned(),
                _ => "0".to_owned(),
            },
            (Rust, _) => "Vec::new()".to_owned(),
            (Python, 1) if place.value != ValueType::Text => "0".to_owned(),
            _ => "None".to_owned(),
        };
        out.add_line(match (self, place.is_new) {
            (Cpp, true) => format!("{of_type} {name}({size});"),
            (Cpp, false) => format!("{name}.resize({size});"),
            (Java, is_new) => {
                let declared = if is_new { format!("{of_type} ") } else { String::new() };
                let rest = "[]".repeat(rank - 1);
                format!("{declared}{name} = new {}[{size}]{rest};", self.type_name(place.value))
            }
            (Python, _) => format!("{name} = [{zero}] * {}", in_product(size)),
            (Rust, true) => format!("let mut {name}: {of_type} = vec![{zero}; {size}];"),
            (Rust, false) => format!("{name} = vec![{zero}; {size}];"),
        });
    }

    /// Writes statements that read an array, or rows of arrays: one for each size. With `is_by_line`, each innermost row has
    /// a line of its own.
    pub(super) fn read_rows(
        self,
        place: &Place,
        sizes: &[String],
        is_by_line: bool,
        stream: &str,
        out: &mut SourceWriter,
    ) {
        match self {
            Cpp => self.read_rows_in_cpp(place, sizes, is_by_line && stream != "cin", stream, out),
            Python => {
                let (value, is_text) = (self.type_name(place.value), place.value == ValueType::Text);
                let last = sizes.last().map_or("", |size| size);
                let mut each = match (is_by_line, is_text) {
                    (true, true) => format!("[input() for _ in range({last})]"),
                    (true, false) => format!("list(map({value}, input().split()))"),
                    (false, _) => format!("[{} for _ in range({last})]", self.read_token(place.value)),
                };
                for size in sizes.iter().rev().skip(1) {
                    each = format!("[{each} for _ in range({size})]");
                }
                out.add_line(format!("{} = {each}", place.text));
            }
            Rust => {
                let rank_of_lines = usize::from(place.value != ValueType::Text);
                let mut each = "input.read()".to_owned();
                for (rank, size) in sizes.iter().rev().enumerate() {
                    if is_by_line && rank == rank_of_lines {
                        each = format!("{{ input.next_line(); {each} }}");
                    }
                    let of_type = self.container_type(place.value, rank + 1);
                    each = format!("(0..{size}).map(|_| {each}).collect::<{of_type}>()");
                }
                let declared = if place.is_new { "let " } else { "" };
                out.add_line(format!("{declared}{} = {each};", place.text));
            }
            Java => {
                let mut at = place.clone();
                let lines = sizes.len() - usize::from(place.value != ValueType::Text);
                for (depth, size) in sizes.iter().enumerate() {
                    if is_by_line && stream != "cin" && depth == lines {
                        self.begin_line(false, out);
                    }
                    self.allocate_rows(&at, sizes.len() - depth, size, out);
                    let index = format!("index{depth}");
                    self.open_loop(&index, size, out);
                    at = Place { text: format!("{}[{index}]", at.text), is_new: false, ..at };
                }
                if is_by_line && stream != "cin" && lines == sizes.len() {
                    self.begin_line(false, out);
                }
                out.add_line(format!("{} = {};", at.text, self.read_token(at.value)));
                sizes.iter().for_each(|_| self.close_block(out));
            }
        }
    }

    fn read_rows_in_cpp(
        self,
        place: &Place,
        sizes: &[String],
        begins_lines: bool,
        stream: &str,
        out: &mut SourceWriter,
    ) {
        let name = &place.text;
        let inner = |from: usize| -> String {
            sizes[from..].iter().enumerate().fold(String::new(), |text, (at, size)| {
                let of_type = self.container_type(place.value, sizes.len() - from - at);
                text + &format!(", {of_type}({size}")
            }) + &")".repeat(sizes.len() - from)
        };
        let (first, rest) = (&sizes[0], inner(1));
        if place.is_new {
            out.add_line(format!("{} {name}({first}{rest});", self.container_type(place.value, sizes.len())));
        } else {
            out.add_line(format!("{name}.assign({first}{});", if rest.is_empty() { ", {}".to_owned() } else { rest }));
        }
        let mut head = String::new();
        let mut each = name.clone();
        let rows = sizes.len() - usize::from(place.value != ValueType::Text);
        for depth in 0..sizes.len() {
            let own =
                if depth + 1 == sizes.len() { "value".to_owned() } else { format!("row{}", sizes.len() - depth - 1) };
            if begins_lines && depth == rows {
                head += "{ getline(cin, text); in = istringstream(text); ";
            }
            head += &format!("for (auto& {own} : {each}) ");
            each = own;
        }
        let own_lines = begins_lines && rows == sizes.len();
        let read = if own_lines { format!("getline(cin, {each});") } else { format!("{stream} >> {each};") };
        out.add_line(format!("{head}{read}{}", if begins_lines && !own_lines { " }" } else { "" }));
    }

    /// Writes the head of a counted loop.
    pub(super) fn open_loop(self, index: &str, size: &str, out: &mut SourceWriter) {
        out.open(match self {
            Cpp | Java => format!("for (int {index} = 0; {index} < {size}; {index}++) {{"),
            Python => format!("for {index} in range({size}):"),
            Rust => format!("for {index} in 0..{size} {{"),
        });
    }

    /// Writes the head of an endless loop that ends before a line is read if nothing is left.
    pub(super) fn open_line_loop(self, sentinel: Option<&str>, out: &mut SourceWriter) {
        let quoted = sentinel.map(quote_text);
        match (self, sentinel) {
            (Cpp, _) => out.open("while (getline(cin, text)) {"),
            (Java, _) => out.open("while (nextLine()) {"),
            (Python, None) => out.open("while text := sys.stdin.readline():"),
            (Python, Some(_)) => out.open("while True:"),
            (Rust, _) => out.open("while input.next_line() {"),
        }
        match (self, quoted) {
            (Cpp, Some(end)) => out.add_line(format!("if (text == {end}) break;")),
            (Java, Some(end)) => out.add_line(format!("if (text.equals({end})) break;")),
            (Rust, Some(end)) => {
                out.open(format!("if input.line == {end} {{"));
                out.add_line("break;");
                out.close_block("}");
            }
            (Python, Some(end)) => {
                out.add_line("text = input()");
                out.add_line(format!("if text == {end}:"));
                out.add_line("    break");
            }
            (Python, None) => out.add_line("text = text.rstrip(\"\\n\")"),
            (_, None) => {}
        }
    }

    /// Writes the statement that begins a line; with `is_read`, its text was read before.
    pub(super) fn begin_line(self, is_read: bool, out: &mut SourceWriter) {
        match (self, is_read) {
            (Cpp, is_read) => {
                if !is_read {
                    out.add_line("getline(cin, text);");
                }
                out.add_line("in = istringstream(text);");
            }
            (Java, false) => out.add_line("nextLine();"),
            (Rust, false) => out.add_line("input.next_line();"),
            (Python, false) => out.add_line("line = iter(input().split())"),
            (Python, true) => out.add_line("line = iter(text.split())"),
            (_, true) => {}
        }
    }

    /// Writes the statement that reads a line as a text.
    pub(super) fn read_line(self, place: &Place, is_read: bool, out: &mut SourceWriter) {
        let name = &place.text;
        let declared = match (self, place.is_new) {
            (Cpp, true) => "string ",
            (Java, true) => "String ",
            (Rust, true) => "let ",
            _ => "",
        };
        match self {
            Cpp if is_read => out.add_line(format!("{declared}{name} = text;")),
            Cpp => {
                if place.is_new {
                    out.add_line(format!("string {name};"));
                }
                out.add_line(format!("getline(cin, {name});"));
            }
            Python => out.add_line(format!("{name} = {}", if is_read { "text" } else { "input()" })),
            Java | Rust => {
                self.begin_line(is_read, out);
                let text = if self == Java { "text" } else { "input.line.to_string()" };
                out.add_line(format!("{declared}{name} = {text};"));
            }
        }
    }

    /// Writes statements that read a token which is the same in each input.
    pub(super) fn skip_token(self, word: &str, stream: &str, out: &mut SourceWriter) {
        let comment = word.replace(['\n', '\r'], " ");
        match self {
            Cpp => out.add_line(format!("{stream} >> word;  // {comment}")),
            Python => out.add_line(format!("next(line)  # {comment}")),
            Java => out.add_line(format!("next();  // {comment}")),
            Rust => out.add_line(format!("input.read::<String>();  // {comment}")),
        }
    }

    /// Writes statements that skip a whole line.
    pub(super) fn skip_line(self, out: &mut SourceWriter) {
        match self {
            Cpp => out.add_line("getline(cin, text);"),
            Python => out.add_line("input()"),
            Java => out.add_line("nextLine();"),
            Rust => out.add_line("input.next_line();"),
        }
    }

    /// Writes statements that read all remaining numbers of a line.
    pub(super) fn read_rest(self, place: &Place, stream: &str, out: &mut SourceWriter) {
        let (name, of_type) = (&place.text, self.container_type(place.value, 1));
        let value = self.type_name(place.value);
        match self {
            Cpp => {
                if place.is_new {
                    out.add_line(format!("{of_type} {name};"));
                }
                out.add_line(format!("for ({value} value; {stream} >> value;) {name}.push_back(value);"));
            }
            Python if place.value == ValueType::Text => out.add_line(format!("{name} = list(line)")),
            Python => out.add_line(format!("{name} = list(map({value}, line))")),
            Java => {
                let declared = if place.is_new { format!("{of_type} ") } else { String::new() };
                out.add_line(format!("{declared}{name} = new {value}[line.countTokens()];"));
                let token = self.read_token(place.value);
                out.add_line(format!("for (int index = 0; index < {name}.length; index++) {name}[index] = {token};"));
            }
            Rust => {
                let declared = if place.is_new { format!("let {name}: {of_type}") } else { name.clone() };
                out.add_line(format!("{declared} = input.rest();"));
            }
        }
    }

    /// Returns the literal of a text.
    pub(super) fn condition_of_words(self, place: &str, word: &str, is_equal: bool) -> String {
        let sign = if is_equal { "==" } else { "!=" };
        match self {
            Java => format!("{}{place}.equals({})", if is_equal { "" } else { "!" }, quote_text(word)),
            _ => format!("{place} {sign} {}", quote_text(word)),
        }
    }

    /// Returns the number of elements of a container or text.
    pub(super) fn length_of(self, place: &str, is_text: bool) -> String {
        match self {
            Cpp => format!("int({place}.size())"),
            Python => format!("len({place})"),
            Java => format!("{place}.length{}", if is_text { "()" } else { "" }),
            Rust => format!("{place}.len()"),
        }
    }

    pub(super) fn sum_of(self, place: &str, value: ValueType) -> String {
        match self {
            Cpp => format!("accumulate({place}.begin(), {place}.end(), 0LL)"),
            Python => format!("sum({place})"),
            Java => format!("(int) Arrays.stream({place}).sum()"),
            Rust => format!("{place}.iter().sum::<{}>()", self.type_name(value)),
        }
    }

    /// Returns the smaller or greater of two numbers.
    pub(super) fn extreme_of(self, is_min: bool, a: &str, b: &str) -> String {
        let name = if is_min { "min" } else { "max" };
        match self {
            Cpp => format!("{name}<long long>({a}, {b})"),
            Python => format!("{name}({a}, {b})"),
            Java => format!("Math.{name}({a}, {b})"),
            Rust => format!("std::cmp::{name}({a}, {b})"),
        }
    }

    /// Writes the head of a branch.
    pub(super) fn open_if(self, condition: &str, is_first: bool, out: &mut SourceWriter) {
        let otherwise = if is_first { "" } else { "else " };
        out.open(match (self, is_first) {
            (Cpp | Java, true) => format!("if ({condition}) {{"),
            (Cpp | Java, false) => format!("}} {otherwise}if ({condition}) {{"),
            (Rust, true) => format!("if {condition} {{"),
            (Rust, false) => format!("}} {otherwise}if {condition} {{"),
            (Python, true) => format!("if {condition}:"),
            (Python, false) => format!("elif {condition}:"),
        });
    }

    pub(super) fn close_block(self, out: &mut SourceWriter) {
        match self {
            Python => out.end_block(),
            _ => out.close_block("}"),
        }
    }

    /// Writes a statement without content, where Python needs one because the block is empty.
    pub(super) fn fill_empty_block(self, out: &mut SourceWriter) {
        if self == Python && out.ends_with(":\n") {
            out.add_line("pass");
        }
    }

    pub(super) fn to_comment(self, text: &str) -> String {
        format!("{} {text}", if self == Python { "#" } else { "//" })
    }

    /// Writes statements that print a value or all values of rows of rows, after a space if it is not the first on its line.
    pub(super) fn print_value(self, place: &str, value: ValueType, rank: usize, decimals: u32, out: &mut SourceWriter) {
        let mut each = place.to_owned();
        for depth in 0..rank {
            let name = format!("value{depth}");
            match self {
                Cpp => out.open(format!("for (auto& {name} : {each}) {{")),
                Java => {
                    let row = self.container_type(value, rank - depth - 1);
                    out.open(format!("for ({row} {name} : {each}) {{"));
                }
                Python => out.open(format!("for {name} in {each}:")),
                Rust => out.open(format!("for {name} in &{each} {{")),
            }
            each = name;
        }
        let is_real = value == ValueType::Real;
        out.add_line(match self {
            Cpp if is_real => format!("put_real({each}, {decimals});"),
            Java if is_real => format!("put(String.format(\"%.{decimals}f\", {each}));"),
            Python if is_real => format!("put(f\"{{{each}:.{decimals}f}}\")"),
            Rust if is_real => format!("put(format!(\"{{:.{decimals}}}\", {each}));"),
            Python => format!("put({each})"),
            Rust => format!("put(&{each});"),
            _ => format!("put({each});"),
        });
        (0..rank).for_each(|_| self.close_block(out));
    }

    /// Writes a statement that prints a text or the end of a line.
    pub(super) fn print_literal(self, text: Option<&str>, out: &mut SourceWriter) {
        let end = if self == Python { "" } else { ";" };
        match text {
            Some(text) => out.add_line(format!("put({}){end}", quote_text(text))),
            None => out.add_line(format!("end_line(){end}")),
        }
    }
}

/// Returns a text in double quotes.
pub(super) fn quote_text(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Returns an expression as a factor.
fn in_product(text: &str) -> String {
    if text.chars().all(|c| c.is_ascii_alphanumeric() || "_[].".contains(c)) {
        text.to_owned()
    } else {
        format!("({text})")
    }
}
