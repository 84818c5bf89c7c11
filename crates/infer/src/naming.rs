//! How well the names of a statement fit the fields of a layout, both in their order.

use crate::bound_terms::{ConstantBounds, term_names, widest_bounds};
use crate::cost::Observation;
use crate::layout::{
    Count, FieldIndex, Node, Part, all_nodes, case_nodes, fields_of, first_and_last, is_case_block, parts_of,
    repeated_fields, size_fields, sizes_in,
};
use crate::statement::{StatedName, Statement};
use rebut_format::language::is_reserved_word;
use rebut_format::syntax::{SyntaxTerm, SyntaxTermKind};

/// A field of a layout as a statement would introduce it.
#[derive(Clone, Debug)]
struct FieldRole {
    index: FieldIndex,
    /// True if an instance has several values.
    is_repeated: bool,
    /// The number of its line in the layout.
    line: usize,
}

/// The score of an array with a size that has the name of its last index.
const SAME_LENGTH: i32 = 30;

/// Returns the name that a statement has for each field, both in their order, and a score for the fit in tenths of bits.
pub(crate) fn assign_names(
    nodes: &[Node],
    fields: &[Observation],
    statement: &Statement,
) -> (Vec<Option<String>>, i32) {
    let roles = roles_of(nodes);
    let table = MatchTable::new(&roles, fields, statement);
    let mut stated = vec![None; fields.len()];
    for (role, name) in table.best_matches() {
        stated[role.index] = Some(name.name.clone());
    }
    name_forms(nodes, &mut stated, statement);
    let score = table.scores[0][0][0]
        + length_score(nodes, &stated, statement)
        + counts_score(nodes, &stated, statement)
        + texts_score(nodes, fields, &stated, statement)
        + cases_score(nodes, statement);
    (stated, score)
}

/// Gives the numbers of lines that begin with a tag the names that the statement lists after it. Several forms may have the same.
fn name_forms(nodes: &[Node], stated: &mut [Option<String>], statement: &Statement) {
    let forms =
        all_nodes(nodes).into_iter().flat_map(|node| if let Node::Either(forms) = node { &forms[..] } else { &[] });
    for form in forms {
        let is_listed =
            |(tag, names): &&(String, Vec<String>)| *tag == form.tag.to_lowercase() && names.len() == form.parts.len();
        let names = statement.forms.iter().find(is_listed).map(|(_, names)| &names[..]).unwrap_or_default();
        form.parts.iter().zip(names).for_each(|(part, name)| stated[part.field()] = Some(name.clone()));
    }
}

/// The scores of all assignments of names to fields, both in their order.
struct MatchTable<'t> {
    roles: &'t [FieldRole],
    names: &'t [StatedName],
    /// The score of each name for each role by itself.
    own: Vec<Vec<i32>>,
    /// The best scores of the roles from `i` on and the names from `j` on, if those before are unmatched or matched.
    scores: Vec<Vec<[i32; 2]>>,
}

impl<'t> MatchTable<'t> {
    fn new(roles: &'t [FieldRole], fields: &'t [Observation], statement: &'t Statement) -> MatchTable<'t> {
        let names = &statement.names[..];
        let (rows, columns) = (roles.len(), names.len());
        let own_scores =
            |role: &FieldRole| names.iter().map(|name| match_score(role, name, fields, statement)).collect();
        let own = roles.iter().map(own_scores).collect();
        let mut table = MatchTable { roles, names, own, scores: vec![vec![[0; 2]; columns + 1]; rows + 1] };
        for i in (0..=rows).rev() {
            for j in (0..=columns).rev() {
                table.scores[i][j] =
                    [false, true].map(|follows| table.best_step(i, j, follows).map_or(0, |best| best.0));
            }
        }
        table
    }

    /// Returns the best step from a role and a name, with its score. `follows` is true if those before were matched.
    fn best_step(&self, i: usize, j: usize, follows: bool) -> Option<(i32, [usize; 2])> {
        let skipped_role = self.roles.get(i).map(|_| (self.scores[i + 1][j][0] - 20, [1, 0]));
        let skipped_name = self.names.get(j).map(|_| (self.scores[i][j + 1][0] - 6, [0, 1]));
        let matched = self.own.get(i).and_then(|own| own.get(j)).map(|own| {
            // In the line of the role before it, and in the sentence of the name before it.
            let are_together = follows
                && i.min(j) > 0
                && self.roles[i - 1].line == self.roles[i].line
                && self.names[j - 1].sentence == self.names[j].sentence;
            let together = if are_together { 3 } else { 0 };
            (own + together + self.scores[i + 1][j + 1][1], [1, 1])
        });
        // Of equal steps, the first: names are given as early as they can be.
        let steps = [matched, skipped_role, skipped_name].into_iter().flatten();
        steps.reduce(|best, step| if step.0 > best.0 { step } else { best })
    }

    /// Returns the roles and names that the best assignment matches.
    fn best_matches(&self) -> Vec<(&'t FieldRole, &'t StatedName)> {
        let mut matches = Vec::new();
        let (mut i, mut j, mut follows) = (0, 0, false);
        while let Some((_, step)) = self.best_step(i, j, follows) {
            follows = step == [1, 1];
            matches.extend(follows.then(|| (&self.roles[i], &self.names[j])));
            (i, j) = (i + step[0], j + step[1]);
        }
        matches
    }
}

/// Returns the fields in the order of the layout.
fn roles_of(nodes: &[Node]) -> Vec<FieldRole> {
    let repeated = repeated_fields(nodes);
    let lines = all_nodes(nodes).into_iter().enumerate().filter(|(_, node)| !matches!(node, Node::Block { .. }));
    let of_line = |(line, node): (usize, &Node)| {
        let role = |index| FieldRole { index, is_repeated: repeated.contains(&index), line };
        fields_of(std::slice::from_ref(node)).into_iter().map(role).collect::<Vec<_>>()
    };
    lines.flat_map(of_line).collect()
}

fn match_score(role: &FieldRole, name: &StatedName, fields: &[Observation], statement: &Statement) -> i32 {
    let observed = &fields[role.index];
    let is_contradicted = !fits_bounds(&name.name, observed, statement);
    let is_word = observed.is_text() && !observed.letters.iter().all(char::is_ascii_digit);
    let multiplicity = if role.is_repeated == name.is_indexed { 10 } else { 0 };
    20 + multiplicity - 45 * (i32::from(is_contradicted) + i32::from(name.is_number && is_word))
}

/// Returns true unless the constant bounds that the statement has for a name exclude a number of the samples.
fn fits_bounds(name: &str, observed: &Observation, statement: &Statement) -> bool {
    let Some((least, most)) = observed.range else {
        // A text has no bounds, but its length has.
        return statement.chains.iter().all(|chain| {
            let mut terms = chain.lists.iter().flatten();
            !terms.any(|term| matches!(&term.kind, SyntaxTermKind::Name(other) if other == name))
        });
    };
    let ConstantBounds { lo, hi } = widest_bounds(&SyntaxTerm::from_name(name), &statement.chains);
    lo.is_none_or(|lo| lo <= least) && hi.is_none_or(|hi| most <= hi)
}

/// Compares the sizes of arrays with the last indices of the statement.
fn length_score(nodes: &[Node], stated: &[Option<String>], statement: &Statement) -> i32 {
    let name_of = |field: FieldIndex| stated.get(field).and_then(Option::as_deref);
    let length_of = |field: FieldIndex| {
        let name = name_of(field)?;
        statement.names.iter().find(|other| other.name == name)?.length.as_deref()
    };
    let (mut score, mut counted_fields) = (0, Vec::new());
    for (size, fields) in sizes_in(nodes) {
        counted_fields.extend_from_slice(&fields);
        let [counted] = fields[..] else { continue };
        let Some(length) = length_of(counted) else { continue };
        let is_same = size.field().and_then(name_of) == Some(length);
        score += if is_same { SAME_LENGTH } else { -SAME_LENGTH };
    }
    let single = (0..stated.len()).filter(|field| !counted_fields.contains(field) && length_of(*field).is_some());
    score - SAME_LENGTH * i32::try_from(single.count()).unwrap_or(0)
}

/// Compares the sizes of a layout with the terms that the statement counts things with.
fn counts_score(nodes: &[Node], stated: &[Option<String>], statement: &Statement) -> i32 {
    if statement.counts.is_empty() {
        return 0;
    }
    let name_of = |field: FieldIndex| stated.get(field).cloned().flatten();
    // The number of test cases counts groups of lines.
    let sizes = sizes_in(case_nodes(nodes)).into_iter().map(|(size, _)| size);
    let named = sizes.filter(|size| size.field().is_some_and(|field| name_of(field).is_some()));
    let sizes: Vec<SyntaxTerm> =
        named.map(|size| size.to_term(|field| SyntaxTerm::from_name(name_of(field).unwrap_or_default()))).collect();
    let is_field = |count: &&SyntaxTerm| term_names(count).iter().all(|name| stated.contains(&Some(name.clone())));
    let of_counts = statement.counts.iter().filter(is_field);
    let of_counts = of_counts.map(|count| if sizes.contains(count) { 20 } else { -12 }).sum::<i32>();
    let others = sizes.iter().filter(|size| !statement.counts.contains(size)).count();
    // The next n lines are not those that were next before.
    let number_of = |terms: &[SyntaxTerm], term: &SyntaxTerm| terms.iter().filter(|other| *other == term).count();
    let is_merged = |(at, term): &(usize, &SyntaxTerm)| {
        number_of(&statement.next_lines[..=*at], term) > number_of(&sizes, term) && sizes.contains(term)
    };
    let merged = statement.next_lines.iter().enumerate().filter(is_merged).count();
    of_counts - 16 * i32::try_from(others).unwrap_or(0) - 90 * i32::try_from(merged).unwrap_or(0)
}

/// Compares the fields that have digits only with the texts of a statement.
fn texts_score(nodes: &[Node], fields: &[Observation], stated: &[Option<String>], statement: &Statement) -> i32 {
    let is_text = |field: FieldIndex| {
        fields[field].integers == fields[field].count
            && stated[field].as_ref().is_some_and(|name| statement.texts.contains(name))
    };
    let score = |part: &Part| match part {
        Part::Text(..) => 60,
        Part::Token(field) if size_fields(nodes).contains(field) => -60,
        // The lengths of a word are not explained.
        Part::Token(_) => -45,
        _ => 0,
    };
    parts_of(nodes).into_iter().filter(|part| is_text(part.field())).map(score).sum()
}

fn cases_score(nodes: &[Node], statement: &Statement) -> i32 {
    let is_counted = matches!(
        first_and_last(nodes),
        Some((Node::Line(parts), Node::Block { count: Count::Times(size), .. }))
            if parts.len() == 1 && Some(parts[0].field()) == size.field()
    );
    // Single lines behind their number are test cases only where the statement mentions some.
    let is_same = if statement.mentions_kind("case") { is_counted } else { !is_case_block(nodes) };
    if is_same { 30 } else { -30 }
}

// Names of fields: those of the statement where they fit, and customary ones otherwise.

/// Returns a name for each field: the stated one, or a customary one that is free.
pub(crate) fn choose_names(nodes: &[Node], fields: &[Observation], stated: &[Option<String>]) -> Vec<String> {
    let mut chooser = NameChooser { names: vec![String::new(); fields.len()], taken: Vec::new(), fields };
    let given = stated.iter().enumerate().filter_map(|(field, name)| Some((field, name.as_ref()?)));
    given.for_each(|(field, name)| chooser.take_name(field, name));
    for node in all_nodes(nodes).into_iter().filter(|node| matches!(node, Node::Either(_))) {
        let fields = fields_of(std::slice::from_ref(node));
        for field in &fields {
            let is_same = |name: &&String| fields.iter().any(|other| chooser.names[*other] == **name);
            let name = stated[*field].as_ref().filter(is_same);
            name.into_iter().for_each(|name| chooser.names[*field].clone_from(name));
        }
    }
    let mut sizes = size_fields(nodes);
    sizes.sort_unstable();
    sizes.dedup();
    let cases = is_case_block(nodes);
    for field in sizes {
        let customary: &[&str] =
            if cases && field == 0 { &["t", "T"] } else { &["n", "m", "k", "q", "r", "c", "h", "l"] };
        chooser.choose_name(field, customary);
    }
    chooser.name_nodes(nodes, 0);
    chooser.names
}

struct NameChooser<'f> {
    names: Vec<String>,
    taken: Vec<String>,
    fields: &'f [Observation],
}

impl NameChooser<'_> {
    fn take_name(&mut self, field: FieldIndex, name: &str) {
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic()) && !is_reserved_word(name);
        if is_name && !self.taken.iter().any(|taken| taken == name) {
            self.taken.push(name.to_owned());
            self.names[field] = name.to_owned();
        }
    }

    /// Names a field that has no name yet.
    fn choose_name(&mut self, field: FieldIndex, customary: &[&str]) {
        if !self.names[field].is_empty() {
            return;
        }
        let free = customary.iter().find(|name| !self.taken.iter().any(|taken| taken == *name));
        let first = customary.first().copied().unwrap_or("x");
        let numbered = || (2..).map(|i| format!("{first}{i}")).find(|name| !self.taken.contains(name));
        let name = free.map(|name| (*name).to_owned()).or_else(numbered).unwrap_or_default();
        self.take_name(field, &name);
    }

    fn name_nodes(&mut self, nodes: &[Node], depth: usize) {
        for node in nodes {
            match node {
                Node::Line(parts) => self.name_parts(parts, nodes.len() == 1 && depth > 0),
                Node::Block { body, .. } => self.name_nodes(body, depth + 1),
                Node::Either(forms) => forms.iter().for_each(|form| self.name_parts(&form.parts, false)),
            }
        }
    }

    fn name_parts(&mut self, parts: &[Part], is_row: bool) {
        let tokens = parts.iter().filter(|part| matches!(part, Part::Token(_))).count();
        for part in parts {
            let is_text = self.fields[part.field()].is_text();
            let customary: &[&str] = match part {
                Part::Text(..) if is_row => &["grid", "board", "map"],
                Part::Phrase(_) => &["line", "text"],
                Part::Array(..) | Part::List(_) if is_text => &["words", "names"],
                Part::Array(..) | Part::List(_) => &["a", "b", "c", "d"],
                _ if is_text => &["s", "t", "word", "name"],
                _ if is_row && (tokens == 2 || tokens == 3) => &["u", "v", "w"],
                _ => &["x", "y", "z", "p", "q", "r", "u", "v", "w", "g", "h"],
            };
            self.choose_name(part.field(), customary);
        }
    }
}
