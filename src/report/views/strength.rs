//! How strong a test set is, on one page: the worst first, each with what to do about it.

use super::finding::{MAX_FIGURES, draw_input};
use super::profile::goals_page;
use crate::report::ReportOptions;
use crate::report::page::{Block, Column, Medium, Page, Table};
use crate::report::styled_line::{StyledLine, TextStyle};
use crate::report::units::{format_duration, format_share};
use rebut_diagnostics::{count_with_noun, list_and, shorten_text};
use rebut_engine::event::{
    Kill, KillingInput, MutantOutcome, ProgramKills, SubmissionMutants, Survival, TestKills, TestSelection,
    TestSetStrength,
};
use rebut_format::language::Format;
use std::collections::BTreeMap;

/// Maximum number of lines of a kind, unless everything is shown.
const MAX_LINES: usize = 6;

/// An answer to more than one of so many tests is shown.
const COMMON_SHARE: u64 = 4;

/// Width of the words at the start of the lines.
const WORD_WIDTH: usize = 9;

/// Maximum number of tests that are named for each program.
const MAX_NAMES: usize = 4;

/// Number of lines shown around a survivor.
const CONTEXT_LINES: usize = 1;

/// The strength of a test set, and how much of it is shown.
pub(crate) struct StrengthView<'a> {
    pub(crate) strength: &'a TestSetStrength,
    /// The format of the inputs, which is needed to draw them.
    pub(crate) format: Option<&'a Format>,
    pub(crate) options: &'a ReportOptions,
    pub(crate) shows_coverage: bool,
}

impl<'a> StrengthView<'a> {
    pub(crate) fn to_page(&self) -> Page<'a> {
        let mut page = Page::default();
        self.add_score(&mut page);
        self.add_survivors(&mut page);
        self.add_thin_kills(&mut page);
        self.add_kill_depth(&mut page);
        self.add_mutants(&mut page);
        if self.options.quiet {
            return page;
        }
        self.add_answers(&mut page);
        if self.shows_coverage {
            page.append_page(goals_page(&self.strength.goals, self.options));
        }
        self.add_idle_tests(&mut page);
        self.add_tests_that_kill_alone(&mut page);
        self.add_selection(&mut page);
        page
    }

    fn add_score(&self, page: &mut Page<'a>) {
        let TestSetStrength { score, submissions, trivial, .. } = self.strength;
        let style = if score.is_sufficient() { TextStyle::Success } else { TextStyle::Failure };
        let share = format_share(score.killed as u64, score.programs as u64);
        let head = StyledLine::from_label(0, TextStyle::Bold, "strength", " ").add_styled(style, share).add_plain(" ");
        let what = format!(
            "of {} {} ({} and {})",
            count_with_noun(score.programs, "wrong program"),
            if score.programs == 1 { "dies" } else { "die" },
            count_with_noun(submissions.len(), "submission"),
            count_with_noun(trivial.len(), "trivial program"),
        );
        let min = score.min_percent.filter(|_| !score.is_sufficient()).map(|min| format!(", less than {min}%"));
        page.add_note(head, what + &min.unwrap_or_default());
    }

    fn programs(&self) -> impl Iterator<Item = &'a ProgramKills> {
        self.strength.submissions.iter().chain(&self.strength.trivial)
    }

    fn folder(&self) -> String {
        self.strength.folder.display().to_string()
    }

    fn add_survivors(&self, page: &mut Page<'a>) {
        let alive = |programs: &[ProgramKills]| -> Vec<String> {
            let alive = programs.iter().filter(|program| program.is_survivor());
            alive.map(|program| format!("{} passes every test", program.program)).collect()
        };
        let search = format!("`rebut stress --problem {} --save` searches for what kills them", self.folder());
        let kinds = [
            ("Submissions that survive", &self.strength.submissions, search),
            ("Trivial programs that survive", &self.strength.trivial, "add a test with another answer".to_owned()),
        ];
        for (title, programs, help) in kinds {
            let alive = alive(programs);
            let help = (!alive.is_empty()).then_some(help);
            page.add_list(title, entry(TextStyle::Failure, "survives"), alive, MAX_LINES);
            help.into_iter().for_each(|help| page.add_note(help_head(), help));
        }
    }

    fn add_thin_kills(&self, page: &mut Page<'a>) {
        let thin: Vec<&ProgramKills> = self.programs().filter(|program| program.is_thin()).collect();
        let text = |program: &&ProgramKills| {
            let by: Vec<String> = program.killed_by.iter().map(describe_kill).collect();
            format!("{} dies only on {}", program.program, list_and(&by))
        };
        let texts = thin.iter().map(text).collect();
        page.add_list("Programs that few tests kill", entry(TextStyle::Warning, "thin"), texts, MAX_LINES);
        let is_submission = |thin: &&&ProgramKills| self.strength.submissions.iter().any(|s| s.program == thin.program);
        if let Some(ProgramKills { program, .. }) = thin.first().filter(is_submission) {
            let search = format!("`rebut stress {program} --problem {} --save`", self.folder());
            page.add_note(help_head(), search + " adds another test that kills it");
        }
    }

    /// Adds how many tests kill each of the programs that die.
    fn add_kill_depth(&self, page: &mut Page<'a>) {
        let mut kills: Vec<usize> =
            self.programs().map(|program| program.killed_by.len()).filter(|count| *count > 0).collect();
        kills.sort_unstable();
        if let (Some(least), Some(most)) = (kills.first(), kills.last()) {
            let tests = if least == most { format!("{most}") } else { format!("{least} to {most}") };
            let noun = if *most == 1 { "test" } else { "tests" };
            let mut text = format!("{tests} {noun} kill each program that dies");
            if least < most {
                text.push_str(&format!(", {} or more kill half of them", kills[kills.len() / 2]));
            }
            page.add_note(entry(TextStyle::Bold, "depth"), text);
        }
        if self.strength.score.programs > 0 {
            let is_open = self.programs().any(ProgramKills::is_survivor);
            page.add_fold("Kill depth: how many tests kill each".into(), is_open, self.kill_depth_table());
        }
    }

    fn kill_depth_table(&self) -> Page<'a> {
        let most = self.programs().map(|program| program.killed_by.len()).max().unwrap_or(0);
        let row = |program: &ProgramKills| {
            let kills = program.killed_by.len();
            let count = match kills {
                0 => StyledLine::from_styled(TextStyle::Failure, "survives"),
                _ => {
                    StyledLine::from_plain(kills.to_string()).add_plain(if program.is_thin() { " (thin)" } else { "" })
                }
            };
            let named = |kill: &Kill| format!("{} ({})", kill.test_case, kill.verdict.code());
            let names: Vec<String> = program.killed_by.iter().map(named).collect();
            let names = join_names(&names, MAX_NAMES).into();
            let name = StyledLine::from_styled(TextStyle::Code, &program.program);
            vec![name, StyledLine::from_bar(kills, most).append_line(count), names]
        };
        let columns = ["Program", "Killed by", "Tests"].map(Column::of_texts);
        Page::from_block(Block::Table(Table::new("Kill depth", columns, self.programs().map(row))))
    }

    /// Adds the score of the mutants, and the survivors.
    fn add_mutants(&self, page: &mut Page<'a>) {
        let TestSetStrength { mutation, score, .. } = self.strength;
        if score.mutants == 0 {
            return;
        }
        let share = format_share(score.mutants_killed as u64, score.mutants as u64);
        let of: Vec<String> = mutation.iter().map(|one| format!("`{}`", one.submission)).collect();
        let text = format!("{share} of {} of {} die", count_with_noun(score.mutants, "mutant"), list_and(&of));
        page.push(Block::Heading(4, "Mutants".into()));
        page.add_note(entry(TextStyle::Bold, "mutants"), text);
        // How many mutants and cases are tried depends on the machine.
        page.add_only(Medium::Terminal, |page| {
            mutation.iter().for_each(|one| page.add_note(entry(TextStyle::Dim, ""), describe_cost(one)));
        });
        if score.mutants_alike > 0 {
            let share = format_share(score.mutants_killed as u64, score.mistaken_mutants() as u64);
            page.add_note(entry(TextStyle::Bold, ""), format!("{share} without {}", describe_unkillable(mutation)));
        }
        let mut alive: Vec<(u8, String)> = Vec::new();
        for one in mutation {
            alive.extend(
                one.survivors().map(|mutant| (survivor_rank(mutant), describe_mutant(&one.submission, mutant))),
            );
        }
        alive.sort_by_key(|(rank, _)| *rank);
        let alive = alive.into_iter().map(|(_, text)| text).collect();
        page.add_only(Medium::Terminal, |page| page.add_list("", entry(TextStyle::Warning, "alive"), alive, MAX_LINES));
        page.add_only(Medium::Html, |page| {
            page.push(Block::Table(operators_table(mutation)));
            mutation.iter().for_each(|one| add_survivors_in_source(page, one));
            self.add_killing_inputs(page);
        });
    }

    /// Adds the inputs that kill survivors, though no test does.
    fn add_killing_inputs(&self, page: &mut Page<'a>) {
        let inputs = self.strength.killing_inputs();
        if inputs.is_empty() {
            return;
        }
        let mut details = Page::default();
        details.add_note(
            StyledLine::new(),
            format!("`rebut strength {} --save` adds them to the package.", self.folder()),
        );
        for one in inputs.iter().take(KillingInput::MAX_SHOWN) {
            let (mut texts, mut pictures) = (Page::default(), Page::default());
            texts.add_listing("input", one.input.as_bytes());
            texts.add_listing("answer", one.answer.as_bytes());
            match self.strength.pictures.get(one.input) {
                Some(image) => pictures.push(Block::Image(image)),
                None => {
                    let figures = draw_input(self.format, one.input.as_bytes()).into_iter().take(MAX_FIGURES);
                    figures.for_each(|figure| pictures.push(Block::Figure(figure)));
                }
            }
            details.push(Block::Pair(texts, pictures, 0));
            details.add_note(StyledLine::new(), list_kills(&one.kills));
        }
        if let rest @ 1.. = inputs.len().saturating_sub(KillingInput::MAX_SHOWN) {
            details.add_note(StyledLine::new(), format!("and {rest} more"));
        }
        let summary = count_with_noun(inputs.len(), "input") + " that kill survivors, and are no tests yet";
        page.add_fold(summary.as_str().into(), false, details);
    }

    fn add_answers(&self, page: &mut Page<'a>) {
        let TestSetStrength { different_answers, most_common, tests, trivial, .. } = self.strength;
        let Some(common) = most_common.first() else { return };
        let all = count_with_noun(tests.len(), "test");
        let mut text = format!("{different_answers} different");
        if common.inputs * COMMON_SHARE > tests.len() as u64 {
            text.push_str(&format!("; `{}` is that of {} of {all}", common.answer, common.inputs));
        }
        if let Some(best) = trivial.first().filter(|best| !best.is_survivor()) {
            let passed = tests.len() - best.killed_by.len();
            text.push_str(&format!("; {} passes {passed}", best.program));
        }
        page.add_note(entry(TextStyle::Bold, "answers"), text);
        page.add_only(Medium::Html, |page| {
            for answer in most_common.iter().filter(|answer| answer.inputs > 1) {
                page.add_note(entry(TextStyle::Bold, ""), format!("{} of {all}: `{}`", answer.inputs, answer.answer));
            }
        });
    }

    fn add_idle_tests(&self, page: &mut Page<'a>) {
        let idle = self.strength.tests.iter().filter(|test| test.kills == 0);
        let idle: Vec<String> = idle.map(|test| format!("`{}`", test.test_case)).collect();
        if idle.is_empty() || self.strength.score.killed == 0 {
            return;
        }
        let (verb, count, of) = (if idle.len() == 1 { "kills" } else { "kill" }, idle.len(), self.strength.tests.len());
        let text = format!("{count} of {of} tests {verb} nothing: {}", self.shortened_list(&idle));
        page.add_note(entry(TextStyle::Warning, "idle"), text);
    }

    /// Adds the tests without which a program would survive.
    fn add_tests_that_kill_alone(&self, page: &mut Page<'a>) {
        let alone = self.strength.tests.iter().filter(|test| test.kills_alone > 0);
        let named = |test: &TestKills| format!("`{}` ({})", test.test_case, test.kills_alone);
        let alone: Vec<String> = alone.map(named).collect();
        if alone.is_empty() {
            return;
        }
        let (verb, of) = (if alone.len() == 1 { "kills" } else { "kill" }, self.strength.tests.len());
        let what = "what no other does, and would be missed";
        let names = self.shortened_list(&alone);
        page.add_note(entry(TextStyle::Bold, "alone"), format!("{} of {of} tests {verb} {what}: {names}", alone.len()));
    }

    fn shortened_list(&self, names: &[String]) -> String {
        join_names(names, if self.options.all_rows { names.len() } else { MAX_LINES })
    }

    fn add_selection(&self, page: &mut Page<'a>) {
        let TestSelection { depth, tests, redundant, lower_bound } = &self.strength.selection;
        if self.strength.score.killed == 0 {
            return;
        }
        let (chosen, all) = (tests.len(), tests.len() + redundant.len());
        let times = match depth {
            1 => "as many programs".to_owned(),
            _ => format!("each program as often as all tests do, up to {depth} times"),
        };
        let bound = match *lower_bound == chosen {
            true => "fewer cannot".to_owned(),
            false => format!("fewer than {lower_bound} cannot"),
        };
        let kill = if chosen == 1 { "kills" } else { "kill" };
        let text = format!("{chosen} of {} {kill} {times}; {bound}", count_with_noun(all, "test"));
        page.add_note(entry(TextStyle::Bold, "smallest"), text);
        if redundant.is_empty() {
            return;
        }
        let [tests, redundant] =
            [tests, redundant].map(|names| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>());
        let names = if self.options.verbose { tests.join(", ") } else { self.shortened_list(&tests) };
        page.add_note(entry(TextStyle::Dim, ""), format!("in the order in which they kill the most: {names}"));
        let names = self.shortened_list(&redundant);
        page.add_note(entry(TextStyle::Dim, ""), format!("redundant for the programs above: {names}"));
    }
}

/// Returns the head of lines that begin with the same word.
fn entry(style: TextStyle, word: &str) -> StyledLine {
    StyledLine::from_styled(style, format!("{word:WORD_WIDTH$}"))
}

fn help_head() -> StyledLine {
    StyledLine::from_label(WORD_WIDTH, TextStyle::Copyable, "help", ": ")
}

/// `a, b and 3 more`.
fn join_names(names: &[String], limit: usize) -> String {
    let shown = names.len().min(limit);
    let more = if shown < names.len() { format!(" and {} more", names.len() - shown) } else { String::new() };
    names[..shown].join(", ") + &more
}

/// Returns how many mutants with each kind of mistake are killed.
fn operators_table(mutation: &[SubmissionMutants]) -> Table {
    let mut operators: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for mutant in mutation.iter().flat_map(|one| &one.mutants).filter(|mutant| !mutant.is_rejected) {
        let (killed, valid) = operators.entry(&mutant.operator).or_default();
        *killed += usize::from(mutant.killed_by.is_some());
        *valid += 1;
    }
    let row = |(operator, (killed, valid)): (&&str, &(usize, usize))| {
        let bar = StyledLine::from_bar(*killed, *valid);
        vec![StyledLine::from(*operator), bar.add_plain(format!("{killed} of {valid}"))]
    };
    Table::new("Mutation score by operator", ["Operator", "Killed"].map(Column::of_texts), operators.iter().map(row))
}

/// Adds the mutants of a submission that no test kills, in its source.
fn add_survivors_in_source(page: &mut Page<'_>, mutants: &SubmissionMutants) {
    let lines: Vec<&str> = mutants.source.lines().collect();
    let mut details = Page::default();
    for mutant in mutants.survivors() {
        let MutantOutcome { line, operator, survival, .. } = mutant;
        let known = match survival {
            None => "survives".to_owned(),
            Some(Survival::Alike { cases, .. }) => {
                // The exact number depends on how fast the machine is, and documents have no measured times.
                let bound = if *cases < Survival::MIN_CASES { "fewer than" } else { "at least" };
                format!("like the original on {bound} {} cases", Survival::MIN_CASES)
            }
            Some(known) => describe_survival(known),
        };
        details.add_note(StyledLine::new(), format!("Line {line}, {operator}: {known}"));
        details.push(Block::Source(mutant_in_source(mutant, &lines)));
    }
    let summary = StyledLine::from_plain(count_with_noun(mutants.survivors().count(), "survivor") + " of ");
    page.add_fold(summary.add_styled(TextStyle::Code, &mutants.submission), false, details);
}

/// Returns the line of a mutant with the change, and the lines around it.
fn mutant_in_source(mutant: &MutantOutcome, lines: &[&str]) -> Vec<StyledLine> {
    let at = mutant.line.saturating_sub(1);
    let (first, last) = (at.saturating_sub(CONTEXT_LINES), (at + CONTEXT_LINES + 1).min(lines.len()));
    let line = lines.get(at).copied().unwrap_or_default();
    let column = mutant.column.saturating_sub(1);
    // The replaced text can be longer than its line, or be shortened.
    let parts = line.get(..column).zip(line.get(column..).and_then(|rest| rest.strip_prefix(mutant.original.as_str())));
    let (before, after) = parts.unwrap_or_default();
    let changed = StyledLine::from_plain(before)
        .add_styled(TextStyle::Unexpected, if parts.is_some() || lines.is_empty() { &mutant.original } else { line })
        .add_plain(if parts.is_some() { "" } else { " " })
        .add_styled(TextStyle::Expected, &mutant.replacement)
        .add_plain(after);
    let around = |range: std::ops::Range<usize>| lines[range].iter().map(StyledLine::from_plain);
    around(first.min(last)..at.min(last)).chain([changed]).chain(around((at + 1).min(last)..last)).collect()
}

/// `kills the mutants of a.cpp in lines 3, 9`, by submission.
fn list_kills(kills: &[(&str, usize)]) -> String {
    let of_one = |group: &[(&str, usize)]| {
        let lines: Vec<String> = group.iter().map(|(_, line)| line.to_string()).collect();
        let s = if lines.len() > 1 { "s" } else { "" };
        format!("the mutant{s} of `{}` in line{s} {}", group[0].0, lines.join(", "))
    };
    format!("Kills {}.", kills.chunk_by(|a, b| a.0 == b.0).map(of_one).collect::<Vec<_>>().join("; "))
}

/// Describes what the mutants of a submission cost.
fn describe_cost(mutation: &SubmissionMutants) -> String {
    let SubmissionMutants { found, mutants, in_one_program, programs, one_compile_time_ms, separate_because, .. } =
        mutation;
    let tried = mutants.len();
    let which = if tried < *found { format!("{tried} of {found}") } else { format!("{found}") };
    let rejected = mutants.iter().filter(|mutant| mutant.is_rejected).count();
    let mut text = format!("{which} tried, {in_one_program} in one program");
    if let Some(reason) = separate_because {
        text.push_str(&format!(" ({reason})"));
    }
    if rejected > 0 {
        text.push_str(&format!(", {rejected} rejected by the compiler"));
    }
    let (compiling, running) = (format_duration(mutation.compile_time_ms), format_duration(mutation.run_time_ms));
    text += &format!("; {} compiled in {compiling}", count_with_noun(*programs, "program"));
    if *one_compile_time_ms > 0 {
        let each = one_compile_time_ms.saturating_mul(tried as u64);
        text += &format!(" (one each: about {})", format_duration(each));
    }
    text + &format!(", run in {running}")
}

/// Describes the mutants that are left out of the second score.
fn describe_unkillable(mutation: &[SubmissionMutants]) -> String {
    let survivals =
        mutation.iter().flat_map(SubmissionMutants::survivors).filter_map(|mutant| mutant.survival.as_ref());
    let survivals: Vec<&Survival> = survivals.filter(|survival| survival.is_excused()).collect();
    let count = |is_kind: fn(&Survival) -> bool| survivals.iter().filter(|survival| is_kind(survival)).count();
    let kinds = [
        (count(|survival| matches!(survival, Survival::Identical)), "that compile to the same program"),
        (count(|survival| matches!(survival, Survival::Alike { .. })), "like the original on every case"),
        (count(|survival| matches!(survival, Survival::Undefined { .. })), "with undefined behaviour only"),
    ];
    let named = kinds.iter().filter(|(count, _)| *count > 0).map(|(count, kind)| format!("{count} {kind}"));
    list_and(&named.collect::<Vec<_>>())
}

/// Returns the place of a survivor in the list: those that an input kills come first.
fn survivor_rank(mutant: &MutantOutcome) -> u8 {
    match mutant.survival {
        Some(Survival::Killable { .. }) => 0,
        None => 1,
        Some(Survival::Undefined { .. }) => 2,
        Some(Survival::Alike { .. }) => 3,
        Some(Survival::Identical) => 4,
    }
}

/// Maximum number of bytes shown of an input that kills a mutant.
const MAX_INPUT_BYTES: usize = 40;

/// Maximum number of bytes shown of a part of a source.
const MAX_CODE_BYTES: usize = 60;

/// Describes a mutant and why it survives, in one line.
fn describe_mutant(submission: &str, mutant: &MutantOutcome) -> String {
    let MutantOutcome { operator, line, column, .. } = mutant;
    format!("{submission}:{line}:{column} {operator}: {}", describe_change(mutant))
}

/// Describes the mistake of a mutant and why it survives.
pub(crate) fn describe_change(mutant: &MutantOutcome) -> String {
    let [original, replacement] =
        [&mutant.original, &mutant.replacement].map(|text| shorten_text(text.as_bytes(), MAX_CODE_BYTES));
    let change = match replacement.as_str() {
        _ if original.is_empty() => format!("with `{}`", replacement.trim()),
        "" => format!("without `{original}`"),
        _ => format!("`{replacement}` in place of `{original}`"),
    };
    let known = mutant.survival.as_ref().map(|survival| format!(", {}", describe_survival(survival)));
    change + &known.unwrap_or_default()
}

/// Describes why a mutant survives.
fn describe_survival(survival: &Survival) -> String {
    match survival {
        Survival::Identical => "the same program as the original".to_owned(),
        Survival::Undefined { test_case, message } => {
            format!("like the original, but undefined on `{test_case}`: {message}")
        }
        Survival::Alike { cases, smallest } => {
            let among = if *smallest > 0 { format!(", {smallest} of the smallest among them") } else { String::new() };
            format!("like the original on {}{among}", count_with_noun(*cases as usize, "case"))
        }
        Survival::Killable { input, verdict, .. } => {
            let input = shorten_text(input.trim_end().as_bytes(), MAX_INPUT_BYTES);
            format!("{} on `{input}`", verdict.code())
        }
    }
}

fn describe_kill(kill: &Kill) -> String {
    format!("`{}` ({})", kill.test_case, kill.verdict.code())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebut_packages::verdict::Verdict;

    fn mutant(original: &str, replacement: &str, survival: Option<Survival>) -> MutantOutcome {
        MutantOutcome {
            operator: "literal".to_owned(),
            line: 3,
            column: 5,
            end_line: 3,
            end_column: 6,
            original: original.to_owned(),
            replacement: replacement.to_owned(),
            is_rejected: false,
            killed_by: None,
            survival,
        }
    }

    fn survivals() -> Vec<Survival> {
        vec![
            Survival::Killable {
                input: "2\n1 2\n".to_owned(),
                answer: "1\n".to_owned(),
                verdict: Verdict::WrongAnswer,
            },
            Survival::Undefined { test_case: "secret/1".to_owned(), message: "overflow".to_owned() },
            Survival::Alike { cases: Survival::MIN_CASES, smallest: 50 },
            Survival::Identical,
        ]
    }

    #[test]
    fn changes_are_described_by_what_is_in_the_source() {
        assert_eq!(describe_change(&mutant("<", "<=", None)), "`<=` in place of `<`");
        assert_eq!(describe_change(&mutant("x++;", "", None)), "without `x++;`");
        assert_eq!(describe_change(&mutant("", " + 1", None)), "with `+ 1`");
        assert_eq!(describe_mutant("a.cpp", &mutant("1", "2", None)), "a.cpp:3:5 literal: `2` in place of `1`");
    }

    #[test]
    fn survivors_are_explained_and_those_that_an_input_kills_come_first() {
        let described = survivals().into_iter().map(|survival| describe_change(&mutant("x", "", Some(survival))));
        let ends = [
            ", WA on `2\u{21b5}1 2`",
            ", like the original, but undefined on `secret/1`: overflow",
            ", like the original on 200 cases, 50 of the smallest among them",
            ", the same program as the original",
        ];
        for (text, end) in described.zip(ends) {
            assert!(text == format!("without `x`{end}") || text.contains(" WA on `2"), "{text}");
        }
        let ranks = survivals().into_iter().map(|survival| survivor_rank(&mutant("", "", Some(survival))));
        assert!(ranks.is_sorted_by(|one, next| one < next));
    }

    #[test]
    fn excused_survivors_are_counted_by_reason() {
        let mutants = survivals().into_iter().map(|survival| mutant("", "", Some(survival))).collect();
        let mutation = [SubmissionMutants { mutants, ..SubmissionMutants::default() }];
        let text =
            "1 that compile to the same program, 1 like the original on every case and 1 with undefined behaviour only";
        assert_eq!(describe_unkillable(&mutation), text);
        assert_eq!((mutation[0].alike_count(), mutation[0].valid_count()), (3, 4));
    }

    #[test]
    fn cost_names_what_was_compiled_and_why() {
        let mutation = SubmissionMutants {
            found: 9,
            mutants: vec![mutant("", "", None), MutantOutcome { is_rejected: true, ..mutant("", "", None) }],
            in_one_program: 1,
            programs: 2,
            compile_time_ms: 1_500,
            one_compile_time_ms: 1_000,
            run_time_ms: 20,
            ..SubmissionMutants::default()
        };
        let text = "2 of 9 tried, 1 in one program, 1 rejected by the compiler; 2 programs compiled in 1.5 s (one each: about 2.0 s), \
                    run in 20 ms";
        assert_eq!(describe_cost(&mutation), text);
    }
}
