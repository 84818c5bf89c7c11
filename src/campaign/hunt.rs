//! From an input that fails to a finding: confirmed, shrunk, explained, saved.

use super::bench::{Bench, Engine, Trial, outcome_words};
use super::certify::{Proof, Smaller};
use super::event::{Activity, Event, Found, JudgedBy, SanitizerNote, Shrinking, Sink, Warning};
use super::failure_hints::failure_hints;
use super::inputs::{Inputs, single_cases};
use super::leak::leaking_cases;
use super::packed_search::{PackedResult, PackedSearch};
use super::probe::{Failure, Prober, Question, Target, fails};
use super::reading::explain_reading;
use super::together::{Pack, Together, packed};
use crate::corpus::{self, Certificate, Finding, RECORD_VERSION, Record};
use crate::diagnostic::Result;
use crate::generate::Recipe;
use crate::judge::{FailureKind, judge_outcome};
use crate::print::print;
use crate::run::Program;
use crate::shrink::{Oracle, Shrunk, shrink, shrink_drawn, shrink_text};
use crate::value::Value;
use crate::verdict::Verdict;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// An input that failed once, and how it came about.
#[derive(Clone, Debug)]
pub struct Suspect {
    /// The input.
    pub input: Vec<u8>,
    /// Its value, if it was read by a format.
    pub value: Option<Value>,
    /// The answer to it.
    pub answer: Vec<u8>,
    /// What happened.
    pub trial: Trial,
    /// The number of the input in its search, from 1.
    pub case: Option<u64>,
    /// The shape that made it.
    pub shape: Option<String>,
    /// When it failed, in milliseconds since the search began.
    pub elapsed_ms: u64,
    /// Whether the cases of the input, and all inputs before it, came in order from the smallest.
    pub is_in_order: bool,
    /// How often it is run again at most until it fails again; if it never does, it is no finding.
    pub chances: u32,
}

/// Makes findings of suspects.
pub struct Hunter<'a, 'i> {
    /// The jury's side, with the engine of record.
    pub bench: &'a Bench,
    /// The engine that shrinking may use.
    pub engine: Engine,
    /// The format, for shrinking, and the validators.
    pub inputs: &'a Inputs<'i>,
    /// Workers.
    pub jobs: usize,
    /// How far it goes, and where its findings go.
    pub aims: Aims,
    /// The seed of the search.
    pub seed: Option<u64>,
    /// The page of a finding, given what was found and its folder.
    pub readme: &'a dyn Fn(&Found, &Path) -> String,
    /// Runs the smallest crashing input once more with sanitizers, if the submission can be built with them.
    pub sanitize: &'a dyn Fn(&Path, &[u8]) -> Option<SanitizerNote>,
    /// What `finding.json` keeps of the circumstances; the rest is filled in here.
    pub record: Record,
}

/// What a user wants of findings.
#[derive(Clone, Debug)]
pub struct Aims {
    /// How long shrinking may take.
    pub shrink_budget: Option<Duration>,
    /// How long to run everything smaller than the result, to prove that it is the smallest.
    pub certify_budget: Duration,
    /// Whether shrinking keeps to the kind of failure.
    pub keep_kind: bool,
    /// Whether an input is shrunk of which nothing says what a valid one is: neither a format nor a validator.
    pub shrinks_blindly: bool,
    /// Where findings go; none to save nothing.
    pub findings: Option<PathBuf>,
}

/// What is pursued: whose failure, and the input from which shrinking begins.
struct Quarry<'q> {
    target: Target,
    /// Whose failure it is, for those who watch.
    name: &'q str,
    first: Failure,
    /// The value of the first input, if it was read by a format.
    value: Option<Value>,
    /// How its cases were made, if by a bespoke shape.
    recipes: Vec<Recipe>,
    /// A failure that comes and goes is given so many chances to come.
    tries: u32,
    /// When shrinking is to end, however often it is begun.
    shrink_end: Option<Instant>,
}

/// Number of runs that confirm a finding, and then its smallest input.
pub const REPLAYS: u32 = 3;

/// How often an input failed when it was run again.
#[derive(Clone, Copy)]
struct Confirmation {
    failed: u32,
    runs: u32,
}

impl Confirmation {
    /// The failures and the runs, if not every run failed.
    fn flaky(self) -> Option<(u32, u32)> {
        (self.failed < self.runs).then_some((self.failed, self.runs))
    }

    /// Whether it failed in no run.
    fn is_none(self) -> bool {
        self.failed == 0 && self.runs > 0
    }
}

impl<'i> Hunter<'_, 'i> {
    /// Confirms, shrinks, explains and saves the failure of a submission, or of the reference where `program` is none.
    ///
    /// # Errors
    /// If nothing can be said any more because programs cannot be run. A folder that cannot be written is no error:
    /// the finding goes to another place, and a warning says so.
    pub fn pursue(
        &self,
        submission: Option<(&str, &Path, &Program)>,
        mut suspect: Suspect,
        sink: &mut dyn Sink,
    ) -> Result<Found> {
        let target = submission.map_or(Target::Reference, |(_, _, program)| Target::Submission(program.clone()));
        let name = submission.map_or(self.bench.reference.display_name(), |(name, _, _)| name).to_owned();
        if let Some(unstable) = self.unstable_reference(&suspect)? {
            return Ok(self.save(unstable, None, sink));
        }
        let started = Instant::now();
        sink.take(&Event::Activity(Activity::new("Confirming", &name)));
        let source = submission.map(|(_, source, _)| source);
        let confirmed = self.replays(&target, suspect.trial.kind, &suspect.input, suspect.chances);
        let raw = self.unshrunk(&name, &suspect, confirmed);
        if confirmed.is_none() {
            return Ok(self.save(raw, source, sink));
        }
        // Shrinking may take long, and may come to any end: what is known by now is not lost then.
        let saved = self.save_early(&raw, source);
        let tries = if confirmed.flaky().is_some() { REPLAYS } else { 1 };
        let first =
            Failure { input: suspect.input.clone(), answer: suspect.answer.clone(), trial: suspect.trial.clone() };
        let sizes =
            (size(&suspect.input, suspect.value.as_ref()), if suspect.value.is_some() { "elements" } else { "bytes" });
        let recipes =
            self.seed.zip(suspect.case).map_or_else(Vec::new, |(seed, case)| self.inputs.recipes(seed, case - 1));
        let shrink_end = self.aims.shrink_budget.map(|budget| Instant::now() + budget);
        let quarry = Quarry { target, name: &name, first, value: suspect.value.take(), recipes, tries, shrink_end };
        let engine = self.engine_for(&quarry);
        let first = suspect.is_in_order.then(|| self.first_failing_case(engine, &quarry)).flatten();
        let mut search = first.unwrap_or_else(|| self.shrink_confirmed(engine, &quarry, sink));
        let shrink_time = started.elapsed();
        sink.take(&Event::Activity(Activity::new("Proving", &name)));
        let mut certificate = self.certified(engine, &quarry, &mut search);
        sink.take(&Event::Activity(Activity::new("Confirming", &name)));
        // The input with which all began was run again already.
        let is_new = search.best.input != suspect.input;
        let replay = || self.replays(&quarry.target, search.best.trial.kind, &search.best.input, REPLAYS);
        let mut again = if is_new { replay() } else { confirmed };
        if again.is_none() {
            // What it was shrunk to does not fail again: then what did is the finding.
            (search, again, certificate) = (Searched::unshrunk(&quarry, search.tried), confirmed, None);
        }
        let flaky = again.flaky().or(confirmed.flaky());
        // A failure that comes and goes proves nothing by staying away.
        let certificate = certificate.filter(|_| flaky.is_none());
        let mut found = self.describe(&name, suspect, search, sizes, flaky, shrink_time);
        found.hints.extend(self.reading_hint(&quarry.target, &found));
        found.hints.extend(self.validity_hint(&quarry));
        let found = Found {
            sanitizer: self.sanitizer_note(submission, &found),
            leaking_cases: leaking_cases(self.bench, self.inputs, &quarry.target, &found.input),
            certificate,
            ..found
        };
        let found = Found { message: with_leak(&found), ..found };
        Ok(self.save_over(saved, found, source, sink))
    }

    /// Whether nothing says what a valid input is: then nothing that is left out of one can be known to leave a valid one.
    fn is_blind(&self, quarry: &Quarry<'_>) -> bool {
        quarry.value.is_none() && self.inputs.validators.is_empty()
    }

    /// How to get an input shrunk, or kept valid, where nothing says what a valid one is.
    fn validity_hint(&self, quarry: &Quarry<'_>) -> Option<String> {
        let blind = self.is_blind(quarry);
        blind.then(|| {
            match self.aims.shrinks_blindly {
                true => {
                    "nothing says what a valid input is, so the shrunk one may not be valid; --input, --format or \
                     --validator keeps it so"
                }
                false => {
                    "nothing says what a valid input is, so this one is not shrunk; describe inputs with --input or \
                      --format, or name a --validator"
                }
            }
            .to_owned()
        })
    }

    /// Whether the reference itself gives another answer when it is run again: then nothing is proved.
    fn unstable_reference(&self, suspect: &Suspect) -> Result<Option<Found>> {
        if suspect.trial.verdict != Verdict::WrongAnswer || self.bench.cancel.cancelled() {
            return Ok(None);
        }
        for _ in 1..REPLAYS {
            let super::bench::Answer::Known(again) = self.bench.answer(&suspect.input)? else { continue };
            let judged = self.bench.judgement(&suspect.input, &suspect.answer, &again)?;
            if again != suspect.answer && judged != rebut_checkers::Judgement::Accepted {
                let mut found = self.blank(self.bench.reference.display_name(), suspect);
                found.verdict = Verdict::JudgeError;
                found.message = "the reference answers the same input differently from run to run".to_owned();
                found.output = again;
                found.flaky = Some((1, REPLAYS));
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Runs an input again a few times, and then up to so many times in all until it fails for the first time. Where the
    /// user wants no more, or nothing can be run any more, what was seen before stands.
    fn replays(&self, target: &Target, kind: FailureKind, input: &[u8], chances: u32) -> Confirmation {
        let mut seen = Confirmation { failed: 0, runs: 0 };
        while seen.runs < REPLAYS || seen.failed == 0 && seen.runs < chances {
            let Ok(failure) = fails(self.bench, target, Some(kind), input, 1) else { break };
            seen.runs += 1;
            seen.failed += u32::from(failure.is_some());
        }
        if self.bench.cancel.cancelled() { Confirmation { failed: 0, runs: 0 } } else { seen }
    }

    /// The engine to shrink by: the fast one only if the failure shows there, too.
    fn engine_for(&self, quarry: &Quarry<'_>) -> Engine {
        let quick = self.quick(self.engine, quarry);
        let Quarry { target, first, tries, .. } = quarry;
        match fails(&quick, target, Some(first.trial.kind), &first.input, *tries) {
            Ok(Some(_)) => self.engine,
            _ => Engine::Exec,
        }
    }

    /// The bench to shrink at by a fast engine. What is too slow has to be so by as much as one run may be wrong: shrinking
    /// goes down to the limit, where the engine of record, which takes the shortest of several runs, would not agree.
    fn quick(&self, engine: Engine, quarry: &Quarry<'_>) -> Bench {
        let quick = self.bench.with(engine);
        match quarry.first.trial.verdict {
            Verdict::TimeLimit => quick.with_slack(),
            _ => quick,
        }
    }

    /// The kind of failure that shrinking keeps to; none if any will do.
    fn kind(&self, quarry: &Quarry<'_>) -> Option<FailureKind> {
        self.aims.keep_kind.then_some(quarry.first.trial.kind)
    }

    /// Shrinks by the fast engine, and once more by that of record if what came of it does not fail there.
    fn shrink_confirmed(&self, engine: Engine, quarry: &Quarry<'_>, sink: &mut dyn Sink) -> Searched {
        if engine == Engine::Exec {
            return self.shrink(self.bench, quarry, sink);
        }
        let quick = self.quick(engine, quarry);
        let search = self.shrink(&quick, quarry, sink);
        match fails(self.bench, &quarry.target, self.kind(quarry), &search.best.input, quarry.tries) {
            Ok(Some(best)) => Searched { best, ..search },
            _ if self.bench.cancel.cancelled() => search,
            _ => self.shrink(self.bench, quarry, sink),
        }
    }

    /// Runs everything smaller than what shrinking came to; a smaller failure takes its place. A failure that comes and
    /// goes proves nothing by staying away.
    fn certified(&self, engine: Engine, quarry: &Quarry<'_>, search: &mut Searched) -> Option<Certificate> {
        if quarry.tries > 1 || self.aims.certify_budget.is_zero() || self.bench.cancel.cancelled() {
            return None;
        }
        let bench = self.bench.with(engine);
        let proof = Proof { bench: &bench, inputs: self.inputs, jobs: self.jobs, budget: self.aims.certify_budget };
        let certified = proof.certify(&quarry.target, self.kind(quarry), &search.best.input).ok()??;
        // Where nothing smaller is left, it does not matter what shrinking had no time for.
        search.complete |= certified.certificate.complete;
        if let Some(Smaller { value, failure }) = certified.smaller {
            let (size, steps) = (value.elements(), search.steps + 1);
            *search = Searched { best: *failure, size, steps, complete: true, ..*search };
        }
        Some(certified.certificate)
    }

    /// The first case that fails alone in a file whose cases are in order: it is smaller than all that shrinking could
    /// find in the file. None if none of the cases fails alone.
    fn first_failing_case(&self, engine: Engine, quarry: &Quarry<'_>) -> Option<Searched> {
        let (value, plan) = (quarry.value.as_ref()?, self.inputs.plan()?);
        if quarry.tries > 1 || matches!(quarry.target, Target::Reference) {
            return None;
        }
        let cases = match single_cases(plan.format, value) {
            none if none.is_empty() => vec![value.clone()],
            cases => cases,
        };
        let print = |value: &Value| print(plan.format, value);
        let bench = self.quick(engine, quarry);
        let question = Question { kind: None, tries: 1, ..self.question(&bench, quarry, &print) };
        let exact = Question { bench: self.bench, ..question.clone() };
        let search = PackedSearch { question, exact, format: plan.format, jobs: self.jobs };
        let is_over = || self.bench.cancel.cancelled();
        let PackedResult::Fails { before, failure } = search.find_first_failing(&cases, &is_over).ok()? else {
            return None;
        };
        let steps = usize::from(failure.input != quarry.first.input);
        let (size, tried) = (cases[before.taken].elements(), before.taken + 1);
        Some(Searched { best: *failure, size, steps, tried, complete: true })
    }

    fn shrink(&self, bench: &Bench, quarry: &Quarry<'_>, sink: &mut dyn Sink) -> Searched {
        sink.take(&Event::Activity(Activity { noun: "tried", ..Activity::new("Shrinking", quarry.name) }));
        let left = quarry.shrink_end.map(|end| end.saturating_duration_since(Instant::now()));
        let _phase = left.map(|left| bench.cancel.begin_phase(left));
        let Quarry { first, value, .. } = quarry;
        if self.is_blind(quarry) && !self.aims.shrinks_blindly {
            return Searched::unshrunk(quarry, 0);
        }
        let size_before = size(&first.input, value.as_ref());
        let format = self.inputs.format();
        let mut improved = |best: &Failure, tried: usize| {
            let value = format.and_then(|f| crate::read::read(f, &best.input).ok());
            let size = size(&best.input, value.as_ref());
            sink.take(&Event::Shrinking(Shrinking { submission: quarry.name.to_owned(), size_before, size, tried }));
        };
        match (self.inputs.plan(), value) {
            (Some(plan), Some(value)) => {
                let print = |v: &Value| print(plan.format, v);
                let pack = |values: &[Value], behind: Option<&[u8]>| packed(plan.format, values, behind);
                let question = self.question(bench, quarry, &print);
                let mut prober = self.prober(question, Some(&pack), quarry, &mut improved);
                let mut shrunk = shrink_drawn(plan, value.clone(), &quarry.recipes, &mut prober);
                // Candidates that passed as cases of one file were not run as inputs of their own.
                if shrunk.complete && prober.together.stop_packing() {
                    let packed = shrunk;
                    shrunk = shrink(plan, packed.value, &mut prober);
                    shrunk.steps += packed.steps;
                    shrunk.tried += packed.tried;
                }
                Searched::new(&shrunk, shrunk.value.elements(), prober)
            }
            _ => {
                let print = |v: &Vec<u8>| v.clone();
                let question = self.question(bench, quarry, &print);
                let mut prober = self.prober(question, None, quarry, &mut improved);
                let shrunk = shrink_text(first.input.clone(), &mut prober);
                Searched::new(&shrunk, shrunk.value.len(), prober)
            }
        }
    }

    fn question<'s, C>(
        &'s self,
        bench: &'s Bench,
        quarry: &Quarry<'_>,
        print: &'s (dyn Fn(&C) -> Vec<u8> + Sync),
    ) -> Question<'s, 'i, C> {
        let (target, kind) = (quarry.target.clone(), self.kind(quarry));
        Question { bench, inputs: self.inputs, target, kind, print, tries: quarry.tries }
    }

    /// Whoever answers the questions of a search that begins now.
    fn prober<'s, C: Sync>(
        &self,
        question: Question<'s, 'i, C>,
        pack: Option<Pack<'s, C>>,
        quarry: &Quarry<'_>,
        improved: &'s mut dyn FnMut(&Failure, usize),
    ) -> Prober<'s, 'i, C> {
        let (first, deadline) = (&quarry.first, quarry.shrink_end);
        let together = Together::new(pack, &question, first);
        Prober { question, jobs: self.jobs, together, deadline, best: first.clone(), improved, tried: 0 }
    }

    /// What is known of a suspect before anything else is run.
    fn blank(&self, name: &str, suspect: &Suspect) -> Found {
        let Suspect { input, answer, trial, .. } = suspect.clone();
        let size = size(&input, suspect.value.as_ref());
        Found {
            message: String::new(),
            hints: Vec::new(),
            line: None,
            case: suspect.case,
            shape: suspect.shape.clone(),
            elapsed_ms: suspect.elapsed_ms,
            seed: self.seed,
            size_before: size,
            size_after: size,
            size_unit: if suspect.value.is_some() { "elements" } else { "bytes" },
            shrink_complete: false,
            judged_by: self.bench.referee.kind(),
            ..Found::of_trial(name, input, answer, trial, self.bench.referee.name())
        }
    }

    fn describe(
        &self,
        name: &str,
        suspect: Suspect,
        search: Searched,
        (size_before, size_unit): (usize, &'static str),
        flaky: Option<(u32, u32)>,
        shrink_time: Duration,
    ) -> Found {
        let original = suspect.input.clone();
        let best = search.best;
        let smallest = Suspect { input: best.input, answer: best.answer, trial: best.trial, ..suspect };
        Found {
            message: message(&smallest.trial),
            hints: failure_hints(&self.bench.referee, &smallest.trial, &smallest.answer),
            line: smallest.trial.mismatch.as_ref().and_then(|m| m.line),
            original,
            size_before,
            size_after: search.size,
            size_unit,
            shrink_steps: search.steps,
            shrink_tried: search.tried,
            shrink_time_ms: u64::try_from(shrink_time.as_millis()).unwrap_or(u64::MAX),
            shrink_complete: search.complete,
            flaky,
            ..self.blank(name, &smallest)
        }
    }

    /// What the program that fails does with its input, or the reference, if that explains the failure.
    fn reading_hint(&self, target: &Target, found: &Found) -> Option<String> {
        if self.bench.referee.kind() == JudgedBy::Conversation || self.bench.cancel.cancelled() {
            return None;
        }
        let Bench { reference, limits, jury_limits, cancel, .. } = self.bench;
        // What stands in the way costs the hint, and must not cost the finding.
        let explain = |program, limits| explain_reading(program, &found.input, limits, cancel).ok().flatten();
        let of_reference = || explain(reference, jury_limits);
        match target {
            Target::Reference => of_reference(),
            Target::Submission(program) => explain(program, limits).or_else(|| {
                let why = of_reference().filter(|_| found.verdict == Verdict::WrongAnswer)?;
                Some(format!("of the reference `{}`: {why}", reference.display_name()))
            }),
        }
    }

    fn sanitizer_note(&self, submission: Option<(&str, &Path, &Program)>, found: &Found) -> Option<SanitizerNote> {
        let (_, source, _) = submission?;
        let crashed = found.verdict == Verdict::RuntimeError && !self.bench.cancel.cancelled();
        if crashed { (self.sanitize)(source, &found.input) } else { None }
    }

    /// The failure on the first input, as a finding of its own.
    fn unshrunk(&self, name: &str, suspect: &Suspect, confirmed: Confirmation) -> Found {
        let mismatch = suspect.trial.mismatch.as_ref();
        Found {
            message: message(&suspect.trial),
            hints: failure_hints(&self.bench.referee, &suspect.trial, &suspect.answer),
            line: mismatch.and_then(|m| m.line),
            original: suspect.input.clone(),
            flaky: confirmed.flaky(),
            ..self.blank(name, suspect)
        }
    }

    /// Saves a finding before it is shrunk; none if it cannot be, which is told when it is saved in the end.
    fn save_early(&self, found: &Found, source: Option<&Path>) -> Option<PathBuf> {
        self.save_in(self.aims.findings.as_ref()?, found, source).ok()
    }

    /// Saves a finding in place of its earlier state.
    fn save_over(&self, saved: Option<PathBuf>, mut found: Found, source: Option<&Path>, sink: &mut dyn Sink) -> Found {
        let Some(folder) = saved else { return self.save(found, source, sink) };
        match self.replace_in(&folder, &found, source) {
            Ok(folder) => {
                found.replay = Some(replay_command(&folder));
                found.folder = Some(folder);
                found
            }
            Err(_) => self.save(found, source, sink),
        }
    }

    /// Saves a finding where it should be, or else anywhere: it is never lost for want of a folder.
    fn save(&self, mut found: Found, source: Option<&Path>, sink: &mut dyn Sink) -> Found {
        let Some(parent) = &self.aims.findings else { return found };
        for spare in [false, true] {
            let place = if spare { corpus::spare_folder() } else { Ok(parent.clone()) };
            match place.and_then(|place| self.save_in(&place, &found, source)) {
                Ok(folder) => {
                    found.replay = Some(replay_command(&folder));
                    found.folder = Some(folder);
                    break;
                }
                Err(error) => sink.take(&Event::Warning(Warning {
                    message: format!("the finding could not be saved: {error}"),
                    help: Some("choose another folder with `--findings DIR`".to_owned()),
                })),
            }
        }
        found
    }

    fn save_in(&self, parent: &Path, found: &Found, source: Option<&Path>) -> Result<PathBuf> {
        let (finding, readme) = self.folder_of(found, source);
        corpus::save(parent, &folder_name(found), &finding, &readme)
    }

    fn replace_in(&self, folder: &Path, found: &Found, source: Option<&Path>) -> Result<PathBuf> {
        let (finding, readme) = self.folder_of(found, source);
        corpus::replace(folder, &folder_name(found), &finding, &readme)
    }

    /// What is written into the folder of a finding, with the page that says what it is.
    fn folder_of<'f>(
        &'f self,
        found: &'f Found,
        source: Option<&Path>,
    ) -> (Finding, impl Fn(&Path) -> String + use<'f, 'i>) {
        let finding = Finding {
            record: self.full_record(found, source),
            input: found.input.clone(),
            original: found.original.clone(),
            answer: found.answer.clone(),
            output: found.output.clone(),
            stderr: found.stderr.clone(),
        };
        let readme = move |folder: &Path| {
            let placed =
                Found { folder: Some(folder.to_owned()), replay: Some(replay_command(folder)), ..found.clone() };
            (self.readme)(&placed, folder)
        };
        (finding, readme)
    }

    fn full_record(&self, found: &Found, source: Option<&Path>) -> Record {
        let absolute = |p: &Path| std::path::absolute(p).unwrap_or_else(|_| p.to_owned());
        Record {
            version: RECORD_VERSION,
            culprit: if source.is_some() { "submission" } else { "reference" }.to_owned(),
            verdict: found.verdict.code().to_owned(),
            message: found.message.clone(),
            submission: source.map_or_else(|| self.record.submission.clone(), absolute),
            checker: self.bench.referee.name(),
            cpu_time_limit_ms: self.bench.limits.cpu_time_limit_ms,
            memory_limit_bytes: self.bench.limits.memory_limit_bytes,
            seed: self.seed,
            case: found.case,
            shape: found.shape.clone(),
            flaky: found.flaky,
            shrink_complete: found.shrink_complete,
            certificate: found.certificate.clone(),
            ..self.record.clone()
        }
    }
}

/// What a shrink search came to.
struct Searched {
    best: Failure,
    size: usize,
    steps: usize,
    tried: usize,
    complete: bool,
}

impl Searched {
    /// The input that failed first, after so many smaller ones were tried.
    fn unshrunk(quarry: &Quarry<'_>, tried: usize) -> Self {
        let best = quarry.first.clone();
        let size = size(&best.input, quarry.value.as_ref());
        Searched { best, size, steps: 0, tried, complete: false }
    }

    fn new<C: Sync + Clone>(shrunk: &Shrunk<C>, size: usize, prober: Prober<'_, '_, C>) -> Self {
        // Passes that were stopped within their own work have nothing left to ask, and look complete.
        let complete = shrunk.complete && !prober.is_over();
        Searched { best: prober.best, size, steps: shrunk.steps, tried: shrunk.tried, complete }
    }
}

fn size(input: &[u8], value: Option<&Value>) -> usize {
    value.map_or(input.len(), Value::elements)
}

/// The message of a finding, which begins with the leak if there is one: that is where to look.
fn with_leak(found: &Found) -> String {
    match found.leaking_cases {
        Some(cases) => format!("state leaks between cases: each of these {cases} passes alone\n{}", found.message),
        None => found.message.clone(),
    }
}

/// What happened, in words.
pub fn message(trial: &Trial) -> String {
    if let Some(mismatch) = &trial.mismatch {
        return mismatch.message.clone();
    }
    if let Some(failure) = &trial.checker_failure {
        return format!("the checker could not judge: {failure}");
    }
    if trial.verdict == Verdict::JudgeError {
        return format!("the reference {}", outcome_words(&trial.outcome));
    }
    match judge_outcome(&trial.outcome) {
        Some(_) => outcome_words(&trial.outcome),
        None => trial.verdict.words().to_owned(),
    }
}

/// `sub-wrong-answer`: the end of the folder's name, safe in any shell.
fn folder_name(found: &Found) -> String {
    let stem = Path::new(&found.submission).file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    let safe = |c: char| if c.is_ascii_alphanumeric() || c == '_' || c == '.' { c } else { '-' };
    let stem: String = stem.chars().map(safe).take(40).collect();
    let what = if found.is_confirmed() { found.verdict.words().replace(' ', "-") } else { "unconfirmed".to_owned() };
    format!("{}-{what}", stem.trim_matches(['-', '.']))
}

/// The command that replays a finding, quoted where the shell needs it.
fn replay_command(folder: &Path) -> String {
    let text = folder.to_string_lossy();
    let plain = text.chars().all(|c| c.is_ascii_alphanumeric() || "/._-+:@%,".contains(c));
    if plain { format!("rebut replay {text}") } else { format!("rebut replay '{}'", text.replace('\'', r"'\''")) }
}
