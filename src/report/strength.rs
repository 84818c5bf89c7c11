//! Renders the strength of a test set on one page: the worst first, each with what to do about it.

use super::ReportOptions;
use super::escape::escape_message;
use super::input_profile::render_goals;
use super::style::TextStyle;
use super::styled_line::StyledLine;
use super::text_layout::wrap_uncut;
use super::units::{format_duration, format_share};
use rebut_diagnostics::{count_with_noun, list_and, shorten_text};
use rebut_engine::event::{
    Kill, MutantOutcome, ProgramKills, SubmissionMutants, Survival, TestKills, TestSelection, TestSetStrength,
};

/// Maximum number of lines of a kind, unless everything is shown.
const MAX_LINES: usize = 6;
/// An answer to more than one of so many tests is shown.
const COMMON_SHARE: u64 = 4;
/// Width of the words at the start of the lines.
const WORD_WIDTH: usize = 9;

/// Renders the page.
pub(crate) fn render_strength(strength: &TestSetStrength, options: &ReportOptions) -> Vec<StyledLine> {
    let page = StrengthPage { strength, options };
    let mut lines = page.title();
    lines.extend(page.survivors());
    lines.extend(page.thin_kills());
    lines.extend(page.kill_depth());
    lines.extend(page.mutants());
    if options.quiet {
        return lines;
    }
    lines.extend(page.answers());
    if !strength.goals.is_empty() {
        lines.extend(render_goals(&strength.goals, options));
    }
    lines.extend(page.idle_tests());
    lines.extend(page.tests_that_kill_alone());
    lines.extend(page.selection());
    lines
}

struct StrengthPage<'a> {
    strength: &'a TestSetStrength,
    options: &'a ReportOptions,
}

impl StrengthPage<'_> {
    fn title(&self) -> Vec<StyledLine> {
        let TestSetStrength { score, submissions, trivial, .. } = self.strength;
        let style = if score.is_sufficient() { TextStyle::Success } else { TextStyle::Failure };
        let share = format_share(score.killed as u64, score.programs as u64);
        let line = StyledLine::new().add_styled(TextStyle::Bold, "strength").add_plain(" ").add_styled(style, share);
        let what = format!(
            "of {} {} ({} and {})",
            count_with_noun(score.programs, "wrong program"),
            if score.programs == 1 { "dies" } else { "die" },
            count_with_noun(submissions.len(), "submission"),
            count_with_noun(trivial.len(), "trivial program"),
        );
        let min = score.min_percent.filter(|_| !score.is_sufficient()).map(|min| format!(", less than {min}%"));
        self.wrap(line.add_plain(" "), &(what + &min.unwrap_or_default()))
    }

    fn wrap(&self, head: StyledLine, text: &str) -> Vec<StyledLine> {
        wrap_uncut(head, &escape_message(text), self.options.width)
    }

    /// Renders lines that begin with the same word.
    fn entry(&self, style: TextStyle, word: &str, text: &str) -> Vec<StyledLine> {
        self.wrap(StyledLine::new().add_styled(style, format!("{word:WORD_WIDTH$}")), text)
    }

    fn help(&self, text: &str) -> Vec<StyledLine> {
        let head =
            StyledLine::from_plain(" ".repeat(WORD_WIDTH)).add_styled(TextStyle::Copyable, "help").add_plain(": ");
        self.wrap(head, text)
    }

    /// Returns how many of this many lines are shown.
    fn shown(&self, count: usize) -> usize {
        if self.options.all_rows { count } else { count.min(MAX_LINES) }
    }

    /// Renders a line for each of some texts, and the number of those that are not shown.
    fn listed(&self, style: TextStyle, word: &str, texts: &[String]) -> Vec<StyledLine> {
        let shown = self.shown(texts.len());
        let mut lines: Vec<StyledLine> = texts[..shown].iter().flat_map(|text| self.entry(style, word, text)).collect();
        if shown < texts.len() {
            let more = format!("and {} more (`--all` lists them)", texts.len() - shown);
            lines.extend(self.entry(TextStyle::Dim, "", &more));
        }
        lines
    }

    fn folder(&self) -> String {
        self.strength.folder.display().to_string()
    }

    fn survivors(&self) -> Vec<StyledLine> {
        let passes = |program: &ProgramKills| format!("{} passes every test", program.program);
        let alive = |programs: &[ProgramKills]| -> Vec<String> {
            programs.iter().filter(|program| program.is_survivor()).map(passes).collect()
        };
        let (submissions, trivial) = (alive(&self.strength.submissions), alive(&self.strength.trivial));
        let mut lines = self.listed(TextStyle::Failure, "survives", &submissions);
        if !submissions.is_empty() {
            let folder = self.folder();
            lines.extend(self.help(&format!("`rebut stress --problem {folder} --save` searches for what kills them")));
        }
        lines.extend(self.listed(TextStyle::Failure, "survives", &trivial));
        if !trivial.is_empty() {
            lines.extend(self.help("add a test with another answer"));
        }
        lines
    }

    fn thin_kills(&self) -> Vec<StyledLine> {
        let TestSetStrength { submissions, trivial, .. } = self.strength;
        let thin: Vec<&ProgramKills> = submissions.iter().chain(trivial).filter(|p| p.is_thin()).collect();
        let text = |program: &&ProgramKills| {
            let by: Vec<String> = program.killed_by.iter().map(describe_kill).collect();
            format!("{} dies only on {}", program.program, list_and(&by))
        };
        let mut lines = self.listed(TextStyle::Warning, "thin", &thin.iter().map(text).collect::<Vec<_>>());
        if let Some(submission) = thin.first().filter(|thin| submissions.iter().any(|s| s.program == thin.program)) {
            let (name, folder) = (&submission.program, self.folder());
            lines.extend(
                self.help(&format!("`rebut stress {name} --problem {folder} --save` adds another test that kills it")),
            );
        }
        lines
    }

    /// Renders how many tests kill each of the programs that die.
    fn kill_depth(&self) -> Vec<StyledLine> {
        let TestSetStrength { submissions, trivial, .. } = self.strength;
        let kills = submissions.iter().chain(trivial).map(|program| program.killed_by.len());
        let mut kills: Vec<usize> = kills.filter(|count| *count > 0).collect();
        kills.sort_unstable();
        let (Some(least), Some(most)) = (kills.first(), kills.last()) else { return Vec::new() };
        let tests = if least == most { format!("{most}") } else { format!("{least} to {most}") };
        let noun = if *most == 1 { "test" } else { "tests" };
        let mut text = format!("{tests} {noun} kill each program that dies");
        if least < most {
            text.push_str(&format!(", {} or more kill half of them", kills[kills.len() / 2]));
        }
        self.entry(TextStyle::Bold, "depth", &text)
    }

    /// Renders the score of the mutants, and the survivors.
    fn mutants(&self) -> Vec<StyledLine> {
        let TestSetStrength { mutation, score, .. } = self.strength;
        if score.mutants == 0 {
            return Vec::new();
        }
        let share = format_share(score.mutants_killed as u64, score.mutants as u64);
        let of: Vec<String> = mutation.iter().map(|one| format!("`{}`", one.submission)).collect();
        let text = format!("{share} of {} of {} die", count_with_noun(score.mutants, "mutant"), list_and(&of));
        let mut lines = self.entry(TextStyle::Bold, "mutants", &text);
        lines.extend(mutation.iter().flat_map(|one| self.entry(TextStyle::Dim, "", &describe_cost(one))));
        let of_one = |one: &'_ SubmissionMutants| {
            let describe = |mutant| (survivor_rank(mutant), describe_mutant(&one.submission, mutant));
            one.survivors().map(describe).collect::<Vec<_>>()
        };
        let mut ranked: Vec<(u8, String)> = mutation.iter().flat_map(of_one).collect();
        ranked.sort_by_key(|(rank, _)| *rank);
        let alive: Vec<String> = ranked.into_iter().map(|(_, text)| text).collect();
        if score.mutants_alike > 0 {
            let share = format_share(score.mutants_killed as u64, score.mistaken_mutants() as u64);
            let text = format!("{share} without {}", describe_unkillable(mutation));
            lines.extend(self.entry(TextStyle::Bold, "", &text));
        }
        lines.extend(self.listed(TextStyle::Warning, "alive", &alive));
        lines
    }

    fn answers(&self) -> Vec<StyledLine> {
        let TestSetStrength { different_answers, entropy_bits, most_common, tests, trivial, .. } = self.strength;
        let Some(common) = most_common.first() else { return Vec::new() };
        let mut text = format!("{different_answers} different, entropy {entropy_bits:.2} bits");
        if common.inputs * COMMON_SHARE > tests.len() as u64 {
            let (answer, inputs) = (&common.answer, common.inputs);
            text.push_str(&format!("; `{answer}` is that of {inputs} of {}", count_with_noun(tests.len(), "test")));
        }
        if let Some(best) = trivial.first().filter(|best| !best.is_survivor()) {
            let passed = tests.len() - best.killed_by.len();
            text.push_str(&format!("; {} passes {passed}", best.program));
        }
        self.entry(TextStyle::Bold, "answers", &text)
    }

    fn idle_tests(&self) -> Vec<StyledLine> {
        let idle: Vec<String> = self
            .strength
            .tests
            .iter()
            .filter(|test| test.kills == 0)
            .map(|test| format!("`{}`", test.test_case))
            .collect();
        if idle.is_empty() || self.strength.score.killed == 0 {
            return Vec::new();
        }
        let names = self.shortened_list(&idle);
        let (verb, count) = (if idle.len() == 1 { "kills" } else { "kill" }, idle.len());
        let of = self.strength.tests.len();
        self.entry(TextStyle::Warning, "idle", &format!("{count} of {of} tests {verb} nothing: {names}"))
    }

    /// Renders the tests without which a program would survive.
    fn tests_that_kill_alone(&self) -> Vec<StyledLine> {
        let alone: Vec<&TestKills> = self.strength.tests.iter().filter(|test| test.kills_alone > 0).collect();
        if alone.is_empty() {
            return Vec::new();
        }
        let named = |test: &&TestKills| format!("`{}` ({})", test.test_case, test.kills_alone);
        let names = self.shortened_list(&alone.iter().map(named).collect::<Vec<_>>());
        let (verb, count, of) =
            (if alone.len() == 1 { "kills" } else { "kill" }, alone.len(), self.strength.tests.len());
        let what = "what no other does, and would be missed";
        self.entry(TextStyle::Bold, "alone", &format!("{count} of {of} tests {verb} {what}: {names}"))
    }

    fn shortened_list(&self, names: &[String]) -> String {
        let shown = self.shown(names.len());
        let more = names.len() - shown;
        let mut text = names[..shown].join(", ");
        if more > 0 {
            text.push_str(&format!(" and {more} more"));
        }
        text
    }

    fn selection(&self) -> Vec<StyledLine> {
        let TestSelection { depth, tests, redundant, lower_bound } = &self.strength.selection;
        if self.strength.score.killed == 0 {
            return Vec::new();
        }
        let (chosen, all) = (tests.len(), tests.len() + redundant.len());
        let times = match depth {
            1 => "as many programs".to_owned(),
            _ => format!("each program {depth} times, where all tests do"),
        };
        let bound = match *lower_bound == chosen {
            true => "fewer cannot".to_owned(),
            false => format!("fewer than {lower_bound} cannot"),
        };
        let kill = if chosen == 1 { "kills" } else { "kill" };
        let text = format!("{chosen} of {} {kill} {times}; {bound}", count_with_noun(all, "test"));
        let mut lines = self.entry(TextStyle::Bold, "smallest", &text);
        let quoted = |names: &[String]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>();
        if !redundant.is_empty() {
            let names = if self.options.verbose || self.options.all_rows {
                quoted(tests).join(", ")
            } else {
                self.shortened_list(&quoted(tests))
            };
            lines.extend(self.entry(TextStyle::Dim, "", &format!("in the order in which they kill the most: {names}")));
            let names = self.shortened_list(&quoted(redundant));
            lines.extend(self.entry(TextStyle::Dim, "", &format!("redundant for the programs above: {names}")));
        }
        lines
    }
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
pub(super) fn describe_mutant(submission: &str, mutant: &MutantOutcome) -> String {
    let MutantOutcome { operator, line, column, .. } = mutant;
    format!("{submission}:{line}:{column} {operator}: {}", describe_change(mutant))
}

/// Describes the mistake of a mutant and why it survives.
pub(super) fn describe_change(mutant: &MutantOutcome) -> String {
    let [original, replacement] =
        [&mutant.original, &mutant.replacement].map(|text| shorten_text(text.as_bytes(), MAX_CODE_BYTES));
    let change = match replacement.as_str() {
        _ if original.is_empty() => format!("with `{}`", replacement.trim()),
        "" => format!("without `{original}`"),
        _ => format!("`{replacement}` in place of `{original}`"),
    };
    let known = match &mutant.survival {
        None => String::new(),
        Some(Survival::Identical) => ", the same program as the original".to_owned(),
        Some(Survival::Undefined { test_case, message }) => {
            format!(", like the original, but undefined on `{test_case}`: {message}")
        }
        Some(Survival::Alike { cases, smallest }) => {
            let among = if *smallest > 0 { format!(", {smallest} of the smallest among them") } else { String::new() };
            format!(", like the original on {}{among}", count_with_noun(*cases as usize, "case"))
        }
        Some(Survival::Killable { input, verdict, .. }) => {
            let input = shorten_text(input.trim_end().as_bytes(), MAX_INPUT_BYTES);
            format!(", {} on `{input}`", verdict.code())
        }
    };
    change + &known
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
