//! Many mutants in one program.
//!
//! In the schema, an expression with mutants is a choice by the number of the mutant: `(rebut_mutant==7?(n<=k):(n<k))`.
//! Of an expression inside of another, only the version without a mistake contains the choices inside, since a program
//! has one mistake at a time: so the schema does not grow exponentially. The lines are those of the source, so that
//! messages of the compiler name the mutants that do not fit.

use super::source_tree::{SourceTree, parse_source};
use super::{Mutant, MutantForm, SourceLanguage};
use std::fmt::Write as _;
use std::ops::Range;

/// The argument that chooses a mutant, followed by its number. Without it, the program is the original. In C++ and Rust
/// the function `rebut_choose_variant` chooses one, too.
pub const MUTANT_ARGUMENT: &str = "--rebut-mutant=";

/// The code that a schema in C++ adds: the number of the mutant, from the last argument, before any other code runs.
const CPP_PRELUDE: &str = "static int rebut_mutant=0;\
__attribute__((constructor(101))) static void rebut_choose_mutant(int count,char**words){\
const char*word=count>1?words[count-1]:\"\";const char*name=\"--rebut-mutant=\";\
while(*name&&*word==*name){++name;++word;}\
if(!*name)for(;*word>='0'&&*word<='9';++word)rebut_mutant=rebut_mutant*10+(*word-'0');}\
extern \"C\" void rebut_choose_variant(long long number){rebut_mutant=(int)number;}";

/// Same in Java, for the end of the file. The main method passes its arguments.
const JAVA_CLASS: &str = "\nfinal class RebutMutant{static int number=0;static void choose(String[] words){\
if(words.length>0&&words[words.length-1].startsWith(\"--rebut-mutant=\"))\
number=Integer.parseInt(words[words.length-1].substring(15));}}\n";

/// Same in Rust, for the end of the file. The number is read when it is needed first.
const RUST_FUNCTION: &str = "\nstatic REBUT_MUTANT:std::sync::atomic::AtomicUsize=\
std::sync::atomic::AtomicUsize::new(usize::MAX);\n\
#[inline(always)]\nfn rebut_mutant()->usize{\
match REBUT_MUTANT.load(std::sync::atomic::Ordering::Relaxed){usize::MAX=>rebut_choose_mutant(),number=>number}}\n\
#[cold]\nfn rebut_choose_mutant()->usize{\
let word=std::env::args_os().last().and_then(|word|word.into_string().ok()).unwrap_or_default();\
let chosen=word.strip_prefix(\"--rebut-mutant=\").and_then(|text|text.parse().ok()).unwrap_or(0usize);\
REBUT_MUTANT.store(chosen,std::sync::atomic::Ordering::Relaxed);chosen}\n";

/// Same in Rust, for copies of a running program. Sources that forbid unsafe code cannot have it.
const RUST_CHOICE: &str = "#[no_mangle]\npub extern \"C\" fn rebut_choose_variant(number:i64){\
REBUT_MUTANT.store(number as usize,std::sync::atomic::Ordering::Relaxed)}\n";

/// Before a schema in Rust: mistakes that the compiler sees are still mistakes to be run.
const RUST_ATTRIBUTE: &str = "#![allow(warnings,arithmetic_overflow,unconditional_panic,overflowing_literals)]";

/// The mutants of one part of the source.
struct MutatedPart<'m> {
    range: Range<usize>,
    form: MutantForm,
    mutants: Vec<(usize, &'m Mutant)>,
}

/// Returns a program that contains these mutants, each with its number, which is at least 1. Those that cannot be part
/// of a schema are left out. Returns `None` if the program cannot choose, such as one in Java without a main method
/// that takes arguments.
pub fn build_schema(source: &str, language: SourceLanguage, mutants: &[(usize, &Mutant)]) -> Option<String> {
    let parts = group_by_part(mutants);
    match language {
        SourceLanguage::Cpp => Some(build_cpp_schema(source, &parts)),
        SourceLanguage::Java => build_java_schema(source, &parts),
        SourceLanguage::Python => None,
        SourceLanguage::Rust => {
            let parts: Vec<_> = parts.iter().collect();
            let code = SchemaWriter { source, language }.render_parts(0..source.len(), &parts);
            let choice = if source.contains("forbid(unsafe_code)") { "" } else { RUST_CHOICE };
            Some([RUST_ATTRIBUTE, code.as_str(), RUST_FUNCTION, choice].concat())
        }
    }
}

/// Groups mutants by the parts that they replace, in the order of their beginnings, the longer first.
fn group_by_part<'m>(mutants: &[(usize, &'m Mutant)]) -> Vec<MutatedPart<'m>> {
    let mut parts: Vec<MutatedPart<'_>> = Vec::new();
    for (number, mutant) in mutants.iter().filter(|(_, mutant)| mutant.form != MutantForm::Declaration) {
        match parts.iter_mut().find(|part| part.range == mutant.range && part.form == mutant.form) {
            Some(part) => part.mutants.push((*number, mutant)),
            None => {
                let (range, form) = (mutant.range.clone(), mutant.form);
                parts.push(MutatedPart { range, form, mutants: vec![(*number, mutant)] });
            }
        }
    }
    parts.sort_by_key(|part| (part.range.start, std::cmp::Reverse(part.range.end)));
    parts
}

fn build_cpp_schema(source: &str, parts: &[MutatedPart<'_>]) -> String {
    let writer = SchemaWriter { source, language: SourceLanguage::Cpp };
    let at = prelude_offset(source);
    let line = source[..at].matches('\n').count() + 1;
    let (head, code): (Vec<_>, Vec<_>) = parts.iter().partition(|part| part.range.end <= at);
    let mut schema = writer.render_parts(0..at, &head);
    let _ = write!(schema, "{CPP_PRELUDE}\n#line {line}\n");
    schema + &writer.render_parts(at..source.len(), &code)
}

/// Returns the offset of the line after the last header, so that precompiled headers stay in use, and after the condition
/// around it.
pub(super) fn prelude_offset(source: &str) -> usize {
    let (mut end, mut offset, mut depth, mut has_header) = (0, 0, 0_usize, false);
    for line in source.split_inclusive('\n').filter(|line| line.ends_with('\n')) {
        offset += line.len();
        let directive = line.trim_start().strip_prefix('#').unwrap_or_default().trim_start();
        depth += usize::from(directive.starts_with("if"));
        depth -= usize::from(directive.starts_with("endif")).min(depth);
        has_header |= directive.starts_with("include");
        if has_header && depth == 0 {
            (end, has_header) = (offset, false);
        }
    }
    end
}

fn build_java_schema(source: &str, parts: &[MutatedPart<'_>]) -> Option<String> {
    let writer = SchemaWriter { source, language: SourceLanguage::Java };
    let (body, arguments) = find_java_main(source)?;
    let (before, after): (Vec<_>, Vec<_>) = parts.iter().partition(|part| part.range.start < body);
    let choose = format!("RebutMutant.choose({arguments});");
    let code = [writer.render_parts(0..body, &before), choose, writer.render_parts(body..source.len(), &after)];
    Some(code.concat() + JAVA_CLASS)
}

/// Returns the offset behind the opening brace of the main method, and the name of its arguments.
fn find_java_main(source: &str) -> Option<(usize, &str)> {
    let syntax = parse_source(source, SourceLanguage::Java)?;
    let tree = SourceTree::new(source, SourceLanguage::Java, &syntax);
    let is_main = |node: &&tree_sitter::Node<'_>| {
        node.kind() == "method_declaration" && tree.field_text(**node, "name") == "main"
    };
    let main = tree.nodes().iter().find(is_main)?;
    let parameter = main.child_by_field_name("parameters")?.named_child(0)?;
    let arguments = &source[parameter.child_by_field_name("name")?.byte_range()];
    Some((main.child_by_field_name("body")?.start_byte() + 1, arguments))
}

/// Renders the choices of a schema.
struct SchemaWriter<'s> {
    source: &'s str,
    language: SourceLanguage,
}

impl SchemaWriter<'_> {
    /// Returns a range of the source with the choices of the parts in it, which are sorted by their beginnings.
    fn render_parts(&self, range: Range<usize>, parts: &[&MutatedPart<'_>]) -> String {
        let mut text = String::new();
        let mut at = range.start;
        let mut rest = parts;
        while let Some((part, others)) = rest.split_first() {
            let inside = others.iter().take_while(|other| other.range.start < part.range.end).count();
            let (inside, after) = others.split_at(inside);
            text.push_str(&self.source[at..part.range.start]);
            self.render_choice(part, &self.render_parts(part.range.clone(), inside), &mut text);
            at = part.range.end;
            rest = after;
        }
        text.push_str(&self.source[at..range.end]);
        text
    }

    /// Appends the choice between the mutants of a part and the original.
    fn render_choice(&self, part: &MutatedPart<'_>, original: &str, text: &mut String) {
        match part.form {
            MutantForm::Statement => self.render_statement(part, original, text),
            MutantForm::Insertion => {
                for (number, mutant) in &part.mutants {
                    let statement = format!("if({}){{{}}}", self.condition(*number), mutant.replacement);
                    text.push_str(&mutant.inserted_statement(&statement));
                }
            }
            MutantForm::Expression | MutantForm::Declaration => self.render_expression(part, original, text),
        }
    }

    fn render_statement(&self, part: &MutatedPart<'_>, original: &str, text: &mut String) {
        text.push('{');
        for (number, mutant) in &part.mutants {
            let _ = write!(text, "if({}){{{}}}else ", self.condition(*number), one_line(&mutant.replacement));
        }
        let _ = write!(text, "{{{original}}}}}");
    }

    fn render_expression(&self, part: &MutatedPart<'_>, original: &str, text: &mut String) {
        text.push('(');
        for (number, mutant) in &part.mutants {
            let (condition, replacement) = (self.condition(*number), one_line(&mutant.replacement));
            let _ = match self.language {
                SourceLanguage::Rust => write!(text, "if {condition} {{{replacement}}} else "),
                _ => write!(text, "{condition}?({replacement}):"),
            };
        }
        let _ = match self.language {
            SourceLanguage::Rust => write!(text, "{{{original}}})"),
            _ => write!(text, "({original}))"),
        };
    }

    /// Returns the condition that this mutant was chosen.
    fn condition(&self, number: usize) -> String {
        match self.language {
            SourceLanguage::Java => format!("RebutMutant.number=={number}"),
            SourceLanguage::Rust => format!("crate::rebut_mutant()=={number}"),
            SourceLanguage::Cpp | SourceLanguage::Python => format!("rebut_mutant=={number}"),
        }
    }
}

/// Returns a text on one line, so that the lines of a schema are those of the source.
fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}
