//! A draft as the text of a format.

use super::draft::{Count, Draft, FieldKind, LoopKind, Node, Part, Rule, Size, What};
use super::letters::Letters;
use super::names::Names;
use super::polish::{cases, limit};
use super::term::{Claim, FieldId, LoopId, Term};
use super::text::{Said, Scope, quoted};
use crate::diagnostic::{Diagnostic, Span};
use std::collections::BTreeSet;

/// A rule that depends on more choices than these is not written out.
const MOST_SPLITS: usize = 8;

/// What is said of some fields in the same words: the words before their names and behind.
struct Statement {
    before: String,
    names: Vec<String>,
    after: String,
}

/// The text, and what could not be said.
pub(super) fn write(draft: &Draft, names: &Names<'_>) -> (String, Vec<Diagnostic>) {
    let mut writer = Writer { draft, names, cases: cases(draft), warnings: Vec::new() };
    let mut out = String::new();
    writer.nodes(&draft.layout, 0, &mut out);
    let rules = writer.rules();
    let lets = writer.lets(&[out.as_str(), &rules.join("\n")].join("\n"));
    let rules = [lets, rules].concat();
    if !rules.is_empty() {
        out += "where:\n";
        for rule in rules {
            out += &format!("    {rule}\n");
        }
    }
    (out, writer.warnings)
}

struct Writer<'d> {
    draft: &'d Draft,
    names: &'d Names<'d>,
    cases: Option<LoopId>,
    warnings: Vec<Diagnostic>,
}

impl Writer<'_> {
    // The layout.

    fn nodes(&mut self, nodes: &[Node], depth: usize, out: &mut String) {
        let margin = "    ".repeat(depth);
        for node in nodes {
            match node {
                Node::Line(parts) => *out += &format!("{margin}{}\n", self.line(parts)),
                Node::Block(id, body) => {
                    let header = self.header(*id);
                    *out += &format!("{margin}{header}:\n");
                    self.nodes(body, depth + 1, out);
                }
                Node::If(claim, span, body) => {
                    let said = Scope::new(self.draft, self.names, &self.around(body)).claim(claim, 0);
                    match said {
                        Ok(said) => {
                            *out += &format!("{margin}if {said}:\n");
                            self.nodes(body, depth + 1, out);
                        }
                        Err(why) => {
                            self.lose(*span, why, "these lines are always expected");
                            self.nodes(body, depth, out);
                        }
                    }
                }
                Node::Either(alternatives) => {
                    *out += &format!("{margin}either:\n");
                    for alternative in alternatives {
                        self.alternative(alternative, depth + 1, out);
                    }
                }
            }
        }
    }

    /// The loops around some lines: those of their first field, without its dimensions.
    fn around(&self, body: &[Node]) -> Vec<LoopId> {
        let Some(field) = first_field(body) else { return self.all_blocks() };
        let inline = |l: &&LoopId| self.draft.the_loop(**l).kind != LoopKind::Inline;
        self.draft.field(field).loops.iter().filter(inline).copied().collect()
    }

    fn all_blocks(&self) -> Vec<LoopId> {
        (0..self.draft.loops.len()).map(LoopId).collect()
    }

    /// An alternative: its first line, and below it, indented, the others.
    fn alternative(&mut self, nodes: &[Node], depth: usize, out: &mut String) {
        let mut text = String::new();
        self.nodes(nodes, depth, &mut text);
        let lines: Vec<&str> = text.lines().collect();
        let Some((first, rest)) = lines.split_first() else { return };
        if rest.is_empty() {
            *out += &format!("{first}\n");
            return;
        }
        let header = ["repeat ", "cases ", "if ", "either:"].iter().any(|w| first.trim_start().starts_with(w));
        *out += &if header { format!("{first}\n") } else { format!("{first}:\n") };
        for line in rest {
            *out += &if header { format!("{line}\n") } else { format!("    {line}\n") };
        }
    }

    fn line(&self, parts: &[Part]) -> String {
        let mut text = String::new();
        for part in parts {
            if !text.is_empty() && !part.glued {
                text.push(' ');
            }
            match &part.what {
                What::Literal(literal) => text += &literal_text(literal),
                What::Field(id) => text += &self.declared(*id),
                What::Group(over, parts) => {
                    let size = self.draft.times(*over).map(|count| self.size(count)).unwrap_or_default();
                    text += &format!("({})[{size}]", self.line(parts));
                }
            }
        }
        text
    }

    /// A field with its dimensions.
    fn declared(&self, id: FieldId) -> String {
        let field = self.draft.field(id);
        let mut text = field.name.clone();
        let dimensions = self.draft.dimensions(id);
        for over in &dimensions {
            text += &match &self.draft.the_loop(*over).count {
                Count::Times(term) => format!("[{}]", self.size(term)),
                Count::Until(..) => "[]".to_owned(),
            };
        }
        if let FieldKind::Text { size, .. } = &field.kind {
            match size {
                Size::Exactly(term) => text += &format!("[{}]", self.size(term)),
                Size::Between(..) if !dimensions.is_empty() => text += "[]",
                Size::Between(..) => {}
            }
        }
        if !field.is_row {
            return text;
        }
        let open = matches!(field.kind, FieldKind::Pattern { .. });
        format!("({text}{})", if open { "[]" } else { "" })
    }

    /// A count, as the layout has it: without blanks.
    fn size(&self, term: &Term) -> String {
        let loops = self.all_blocks();
        let said = Scope::new(self.draft, self.names, &loops).term(term, 0);
        said.unwrap_or_else(|_| "1".to_owned()).replace(' ', "")
    }

    fn header(&mut self, id: LoopId) -> String {
        match &self.draft.the_loop(id).count {
            Count::Times(term) => {
                let word = if self.cases == Some(id) { "cases" } else { "repeat" };
                format!("{word} {}", self.size(term))
            }
            Count::Until(least, most, sentinel) => {
                if most.is_none() {
                    let problem = Diagnostic::warning(
                        "ctd-narrowed",
                        self.draft.the_loop(id).span,
                        "nothing says how often this can be repeated",
                    );
                    self.warnings.push(problem.caret(format!("the format accepts up to {} times", limit())));
                }
                let most = most.unwrap_or(limit());
                let end = sentinel.as_ref().map_or("eof".to_owned(), |s| String::from_utf8_lossy(s).into_owned());
                format!("repeat {least}..{most} until {end}")
            }
        }
    }

    // The constraints.

    /// The constants that a text speaks of.
    fn lets(&self, text: &str) -> Vec<String> {
        let words: BTreeSet<&str> = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect();
        let used = self.draft.lets.iter().filter(|(name, _)| words.contains(name.as_str()));
        let said = |(name, value): &(String, Term)| {
            let value = Scope::new(self.draft, self.names, &[]).term(value, 0).ok()?;
            Some(format!("let {name} = {value}"))
        };
        used.filter_map(said).collect()
    }

    fn rules(&mut self) -> Vec<String> {
        let mut out: Vec<String> = Vec::new();
        let mut statements: Vec<Statement> = Vec::new();
        for id in (0..self.draft.fields.len()).map(FieldId) {
            if !self.draft.field(id).dropped {
                for statement in self.statements(id) {
                    add(&mut statements, statement);
                }
            }
        }
        out.extend(statements.into_iter().map(|s| format!("{}{}{}", s.before, s.names.join(", "), s.after)));
        let mut rules: Vec<&Rule> = self.draft.rules.iter().collect();
        rules.sort_by_key(|rule| rule.span.start);
        for rule in rules {
            for text in self.rule(rule) {
                if !out.contains(&text) {
                    out.push(text);
                }
            }
        }
        out
    }

    /// What is said of a field alone.
    fn statements(&mut self, id: FieldId) -> Vec<Statement> {
        let field = self.draft.field(id);
        let loops = field.loops.clone();
        let span = field.span;
        let named = |before: String, after: String| vec![Statement { before, names: vec![field.name.clone()], after }];
        let mut scope = Scope::new(self.draft, self.names, &loops);
        let mut bounds = |least: &Term, most: &Term| -> Result<(String, String), &'static str> {
            Ok((scope.term(least, 0)?, scope.term(most, 0)?))
        };
        let mut found = match &field.kind {
            FieldKind::Number { least, most } => match bounds(least, most) {
                Ok((least, most)) => named(format!("{least} <= "), format!(" <= {most}")),
                Err(why) => return self.lost_bounds(id, span, why),
            },
            FieldKind::Real { least, most, decimals } => match bounds(least, most) {
                Ok((low, high)) => {
                    let decimals = match decimals {
                        (a, b) if a == b => format!("{a} decimals"),
                        (a, b) => format!("{a}..{b} decimals"),
                    };
                    let name = &field.name;
                    named(String::new(), format!(" real, {low} <= {name} <= {high}, {decimals}"))
                }
                Err(why) => return self.lost_bounds(id, span, why),
            },
            FieldKind::Text { letters, .. } => named(String::new(), format!(" over \"{}\"", letters.over())),
            FieldKind::Words(words) => {
                let list: Vec<String> = words.iter().filter_map(|w| quoted(w).ok()).collect();
                named(String::new(), format!(" one of {}", list.join(", ")))
            }
            FieldKind::Pattern { text, .. } => named(String::new(), format!(" matches \"{text}\"")),
        };
        if let Some((least, most)) = self.lengths(id) {
            let names = vec![format!("len({})", self.draft.field(id).name)];
            found.push(Statement { before: format!("{least} <= "), names, after: format!(" <= {most}") });
        }
        found
    }

    /// Within which bounds a length is that no size tells.
    fn lengths(&mut self, id: FieldId) -> Option<(i128, i128)> {
        let field = self.draft.field(id);
        let dimensions = self.draft.dimensions(id);
        let free = dimensions.last().and_then(|l| match &self.draft.the_loop(*l).count {
            Count::Until(least, most, _) => Some((*least, *most)),
            Count::Times(_) => None,
        });
        let (least, most) = match (&field.kind, free) {
            (FieldKind::Text { size: Size::Between(least, most), .. }, _) => (*least, *most),
            (FieldKind::Pattern { lengths: Some((least, most)), .. }, _) => {
                (i128::from(*least), Some(i128::from(*most)))
            }
            (_, Some(free)) => free,
            _ => return None,
        };
        if let Some(most) = most {
            return Some((least, most));
        }
        let most = self.limited_by_rules(id);
        if most.is_none() {
            let problem = Diagnostic::warning("ctd-narrowed", field.span, "nothing says how long this can be");
            self.warnings.push(problem.caret(format!("the format accepts up to {} characters or numbers", limit())));
        }
        Some((least, most.unwrap_or(limit())))
    }

    /// The greatest length that the rules leave.
    fn limited_by_rules(&self, id: FieldId) -> Option<i128> {
        let of_rule = |rule: &Rule| match &rule.claim {
            Claim::Compare("<=" | "<" | "=", Term::Length(field), most) if *field == id => self.draft.hull(most).1,
            Claim::Compare(">=" | ">" | "=", most, Term::Length(field)) if *field == id => self.draft.hull(most).1,
            _ => None,
        };
        self.draft.rules.iter().filter_map(of_rule).min()
    }

    fn lost_bounds(&mut self, id: FieldId, span: Span, why: &'static str) -> Vec<Statement> {
        self.lose(span, why, "its bounds are left out");
        let (least, most) = self.draft.field(id).hull;
        let far = 10_i128.pow(18);
        vec![Statement {
            before: format!("{} <= ", least.unwrap_or(-far)),
            names: vec![self.draft.field(id).name.clone()],
            after: format!(" <= {}", most.unwrap_or(far)),
        }]
    }

    /// A rule: one line, or more if it depends on a condition, or a comment if it cannot be said.
    fn rule(&mut self, rule: &Rule) -> Vec<String> {
        let conditions: Vec<Claim> = rule
            .conditions
            .iter()
            .filter(|(branch, claim)| !self.is_of_branch(&rule.claim, *branch) && !self.is_idle(&rule.claim, claim))
            .map(|(_, claim)| claim.clone())
            .collect();
        let mut split = vec![(rule.clone(), conditions)];
        split_choices(&mut split);
        let mut found = Vec::new();
        for (rule, conditions) in split {
            if conditions.iter().any(|c| c.holds() == Some(false)) {
                continue;
            }
            let said = self.said(&rule, &conditions);
            match said {
                Ok(text) => found.push(text),
                Err(why) => self.lose(rule.span, why, "it is left out"),
            }
        }
        found
    }

    fn said(&self, rule: &Rule, conditions: &[Claim]) -> Said {
        if rule.claim.holds() == Some(false) && conditions.is_empty() {
            return Err("it never holds");
        }
        if let Some(why) = conditions.iter().chain([&rule.claim]).find_map(Claim::unknown) {
            return Err(why);
        }
        Scope::new(self.draft, self.names, &rule.loops).rule(rule, conditions)
    }

    /// Whether a condition only says that there is something that a claim about all of it speaks of.
    fn is_idle(&self, claim: &Claim, condition: &Claim) -> bool {
        let (Claim::Distinct(over, _) | Claim::Simple(over, ..) | Claim::Ordered(_, over, _)) = claim else {
            return false;
        };
        let Some(count) = self.draft.times(*over) else { return false };
        let zero = Claim::Compare(">", count.clone(), Term::Number(0));
        let one = Claim::Compare(">=", count.clone(), Term::Number(1));
        let not = Claim::Compare("!=", count.clone(), Term::Number(0));
        [zero, one, not].contains(condition)
    }

    /// Whether a claim speaks of what is only there in a branch, and so needs not say that it is.
    fn is_of_branch(&self, claim: &Claim, branch: usize) -> bool {
        let here = |id: &FieldId| self.draft.field(*id).branches.contains(&branch);
        let fields = match claim {
            Claim::Distinct(_, terms) => terms.iter().any(|t| matches!(t, Term::Field(id) if here(id))),
            Claim::Among(id, _) => here(id),
            _ => false,
        };
        fields || claim.any(&|t| matches!(t, Term::Field(id) | Term::Element(id, _) | Term::Length(id) if here(id)))
    }

    /// Reports what is lost, and what the format says in its place.
    fn lose(&mut self, span: Span, why: &str, instead: &str) {
        self.warnings.push(super::lost(span, why, instead));
    }
}

/// One statement more; the same words about another field are said once for both.
fn add(statements: &mut Vec<Statement>, new: Statement) {
    let grouped = !new.after.contains(" real, ");
    match statements.last_mut() {
        Some(last) if grouped && last.before == new.before && last.after == new.after => last.names.extend(new.names),
        _ => {
            let before_last = statements.len().checked_sub(2).and_then(|at| statements.get_mut(at));
            match before_last {
                Some(other) if grouped && other.before == new.before && other.after == new.after => {
                    other.names.extend(new.names);
                }
                _ => statements.push(new),
            }
        }
    }
}

/// A rule with a value that depends on a condition is two rules, one under the condition and one under its opposite.
fn split_choices(rules: &mut Vec<(Rule, Vec<Claim>)>) {
    for _ in 0..MOST_SPLITS {
        let choice = |rule: &Rule| {
            let mut found = None;
            rule.claim.visit(&mut |term| {
                if let Term::Choice(claim, ..) = term {
                    found.get_or_insert((term.clone(), (**claim).clone()));
                }
            });
            found
        };
        let Some(at) = rules.iter().position(|(rule, _)| choice(rule).is_some()) else { return };
        let (rule, conditions) = rules.remove(at);
        let Some((term, claim)) = choice(&rule) else { return };
        let Term::Choice(_, left, right) = &term else { return };
        for (value, condition) in [(left, claim.clone()), (right, claim.clone().negated())] {
            let mut rule = rule.clone();
            rule.claim = rule.claim.replaced(&|part| (*part == term).then(|| (**value).clone()));
            rules.push((rule, [conditions.clone(), vec![condition]].concat()));
        }
    }
}

fn first_field(nodes: &[Node]) -> Option<FieldId> {
    nodes.iter().find_map(|node| match node {
        Node::Line(parts) => {
            let mut first = None;
            parts.iter().for_each(|part| part.what.each_field(&mut |id| first = first.or(Some(id))));
            first
        }
        Node::Block(_, inner) | Node::If(_, _, inner) => first_field(inner),
        Node::Either(alternatives) => alternatives.iter().find_map(|a| first_field(a)),
    })
}

/// Fixed characters: a plain number stands as it is.
fn literal_text(text: &[u8]) -> String {
    let plain = text.iter().all(u8::is_ascii_digit) && (text.len() == 1 || text.first() != Some(&b'0'));
    if plain && text.len() <= 30 {
        return String::from_utf8_lossy(text).into_owned();
    }
    quoted(text).unwrap_or_else(|_| format!("\"{}\"", Letters::one(b'?').over()))
}
