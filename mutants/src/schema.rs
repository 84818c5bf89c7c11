//! Many mutants in one program.
//!
//! In the schema, an expression with mutants is a choice by the number of the mutant: `(rebut_mutant==7?(n<=k):(n<k))`.
//! Of an expression inside of another, only the version without a mistake contains the choices inside, since a program
//! has one mistake at a time: so the schema does not grow exponentially. The lines are those of the source, so that
//! messages of the compiler name the mutants that do not fit.

use super::{Mutant, MutantForm};
use std::fmt::Write as _;
use std::ops::Range;

/// The argument that chooses a mutant, followed by its number. Without it, the program is the original.
pub const MUTANT_ARGUMENT: &str = "--rebut-mutant=";

/// The code that a schema adds: the number of the mutant, from the last argument, before any other code runs.
const PRELUDE: &str = "static int rebut_mutant=0;\
__attribute__((constructor(101))) static void rebut_choose_mutant(int count,char**words){\
const char*word=count>1?words[count-1]:\"\";const char*name=\"--rebut-mutant=\";\
while(*name&&*word==*name){++name;++word;}\
if(!*name)for(;*word>='0'&&*word<='9';++word)rebut_mutant=rebut_mutant*10+(*word-'0');}";

/// The mutants of one part of the source.
struct MutatedPart<'m> {
    range: Range<usize>,
    form: MutantForm,
    mutants: Vec<(usize, &'m Mutant)>,
}

/// Returns a program that contains these mutants, each with its number, which is at least 1. Those that cannot be part
/// of a schema are left out.
pub fn build_schema(source: &str, mutants: &[(usize, &Mutant)]) -> String {
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
    let at = prelude_offset(source);
    let line = source[..at].matches('\n').count() + 1;
    let (head, code): (Vec<_>, Vec<_>) = parts.iter().partition(|part| part.range.end <= at);
    let mut schema = render_parts(source, 0..at, &head);
    let _ = write!(schema, "{PRELUDE}\n#line {line}\n");
    schema + &render_parts(source, at..source.len(), &code)
}

/// Returns the offset of the line after the last header, so that precompiled headers stay in use.
fn prelude_offset(source: &str) -> usize {
    let mut end = 0;
    let mut offset = 0;
    for line in source.split_inclusive('\n') {
        offset += line.len();
        if line.trim_start().starts_with("#include") && line.ends_with('\n') {
            end = offset;
        }
    }
    end
}

/// Returns a range of the source with the choices of the parts in it, which are sorted by their beginnings.
fn render_parts(source: &str, range: Range<usize>, parts: &[&MutatedPart<'_>]) -> String {
    let mut text = String::new();
    let mut at = range.start;
    let mut rest = parts;
    while let Some((part, others)) = rest.split_first() {
        let inside = others.iter().take_while(|other| other.range.end <= part.range.end).count();
        let (inside, after) = others.split_at(inside);
        text.push_str(&source[at..part.range.start]);
        render_choice(part, &render_parts(source, part.range.clone(), inside), &mut text);
        at = part.range.end;
        rest = after;
    }
    text.push_str(&source[at..range.end]);
    text
}

/// Appends the choice between the mutants of a part and the original.
fn render_choice(part: &MutatedPart<'_>, original: &str, text: &mut String) {
    if part.form == MutantForm::Statement {
        let is_chosen: Vec<String> = part.mutants.iter().map(|(number, _)| format!("rebut_mutant!={number}")).collect();
        let _ = write!(text, "{{if({}){{{original}}}}}", is_chosen.join("&&"));
        return;
    }
    text.push('(');
    for (number, mutant) in &part.mutants {
        let replacement = mutant.replacement.replace(['\n', '\r'], " ");
        let _ = write!(text, "rebut_mutant=={number}?({replacement}):");
    }
    let _ = write!(text, "({original}))");
}
