//! The index of `testdata/minima` gives reasons for which a proof tried only some inputs. Each reason is tested as a
//! law on random inputs and on all submissions that it is given for.

use crate::environment::Folder;
use crate::minima::{Minimum, folder, index, minima, run};
use crate::shipped_programs::compiled;
use rebut_generators::Choices;
use rebut_packages::Package;
use rebut_sandbox::Program;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// The statement of a law about a submission.
enum Claim {
    /// It gives the correct answer.
    Right,
    /// It gives the same answer before and after a change.
    Same,
    /// It is correct before a change if and only if it is correct after it.
    AsRight,
    /// Its answer to each case does not depend on the cases before it.
    Alone,
    /// A map without monsters that is wrong after other maps is also wrong after one of them alone.
    BehindOne,
    /// Maps without monsters before the last map can be reordered.
    InAnyOrder,
}

/// Returns a random number below a bound.
type Below<'d> = &'d mut dyn FnMut(usize) -> usize;

/// Returns the case that a law compares with another one, or `None` if the law does not apply.
type Change = fn(Below, &Case) -> Option<Case>;

/// The lines of a case.
type Case = Vec<String>;

struct Law {
    reason: &'static str,
    problem: &'static str,
    /// Constraints on inputs in addition to those of the statement.
    scope: &'static [&'static str],
    change: Change,
    claim: Claim,
}

const fn law(
    reason: &'static str,
    problem: &'static str,
    scope: &'static [&'static str],
    change: Change,
    claim: Claim,
) -> Law {
    Law { reason, problem, scope, change, claim }
}

const LAWS: &[Law] = &[
    law("alone", "caos3", &["T >= 8", "T <= 20"], unchanged, Claim::Alone),
    law("alone", "cf1921e", &["t >= 8", "t <= 20"], unchanged, Claim::Alone),
    law("alone", "cheftic", &["T >= 8", "T <= 20"], unchanged, Claim::Alone),
    law("alone", "ckcgame", &["T >= 8", "T <= 20", "N <= 8"], unchanged, Claim::Alone),
    law("alone", "gamedots", &["T >= 8", "T <= 20", "N <= 9", "M <= 9"], unchanged, Claim::Alone),
    law("after another", "caos3", &["T = 1"], unchanged, Claim::Right),
    law("after another", "cf1921e", &["t = 1"], unchanged, Claim::Right),
    law("after another", "cheftic", &["T = 1"], unchanged, Claim::Right),
    law("after another", "ckcgame", &["T = 1", "N <= 8"], unchanged, Claim::Right),
    law("after another", "gamedots", &["T = 1", "N <= 9", "M <= 9"], unchanged, Claim::Right),
    law("three maps", "caos3", &["T >= 3", "R <= 8", "C <= 8"], mostly_without_monsters, Claim::BehindOne),
    law("three maps", "caos3", &["T >= 3", "R <= 8", "C <= 8"], mostly_without_monsters, Claim::InAnyOrder),
    law("after a larger", "cheftic", &["T <= 20", "n = 7"], unchanged, Claim::Right),
    law("monsters", "caos3", &["R <= 12", "C <= 12"], only_crosses, Claim::Same),
    law("lines", "caos3", &["R <= 9", "C <= 9"], other_cells_off_the_lines, Claim::Same),
    law("no monster", "caos3", &[], without_monsters, Claim::Right),
    law("shortest arms", "caos3", &[], arms_of_primes, Claim::Right),
    law("recursion", "cf1921e", &["xb - xa < 998"], unchanged, Claim::Right),
    law("32 bits", "cf1921e", &["h * w < 2^32"], unchanged, Claim::Right),
    law("24 bits", "cf1921e", &["w <= 2^24"], unchanged, Claim::Right),
    law("24 bits", "cf1921e", &["w > 2^24", "ya + h <= 2^24", "yb + h <= 2^24"], unchanged, Claim::Right),
    law("ten", "cheftic", &["n <= 10"], unchanged, Claim::Right),
    law("sixteen bits", "cheftic", &["n <= 16"], unchanged, Claim::Right),
    law("seventeen", "cheftic", &["K <= 16"], unchanged, Claim::Right),
    law("hundred", "ckcgame", &["N <= 100", "N >= 20"], unchanged, Claim::Right),
    law("hundred", "gamedots", &["N <= 100", "M <= 100"], unchanged, Claim::Right),
    law("one move", "ckcgame", &["N = 2"], by_rank, Claim::AsRight),
    law("second cell", "ckcgame", &["N <= 3"], unchanged, Claim::Right),
    law("exact scores", "ckcgame", &["N = 2", "V <= 2^24"], unchanged, Claim::Right),
    law("no such number", "ckcgame", &["V < 10^9", "N <= 20"], unchanged, Claim::Right),
    law("31 bits", "ckcgame", &["N <= 3"], unchanged, Claim::Right),
    law("31 bits", "ckcgame", &["N = 4", "V <= 715827882"], unchanged, Claim::Right),
    law("four bits", "ckcgame", &["N <= 15"], unchanged, Claim::Right),
    law("a chain", "gamedots", &["N <= 30", "M <= 30"], with_a_chain, Claim::Right),
    law("edges", "gamedots", &["T <= 20", "N <= 12", "M <= 12"], edges_in_disorder, Claim::Same),
];

#[test]
fn each_reason_has_a_law() {
    let named: BTreeSet<String> = index()["because"].as_object().unwrap().keys().cloned().collect();
    let tried: BTreeSet<String> = LAWS.iter().map(|law| law.reason.to_owned()).collect();
    let arithmetic = BTreeSet::from(["three cases".to_owned()]);
    assert_eq!(named, tried.union(&arithmetic).cloned().collect());
    let pairs: BTreeSet<(&str, &str)> = LAWS.iter().map(|law| (law.reason, law.problem)).collect();
    for one in minima(None) {
        for reason in one.reasons() {
            let is_tried = pairs.contains(&(reason, one.problem.as_str()));
            assert!(is_tried || reason == "three cases", "{reason}: {}", one.submission);
        }
    }
}

/// The size of the smallest case of each problem and the number of cases leave no budget for three cases.
#[test]
fn three_cases_exceed_the_size_of_minima() {
    let least = BTreeMap::from([("cheftic", 2 + 3 * 3), ("gamedots", 3 + 2 * 4)]);
    for one in minima(None).iter().filter(|one| one.reasons().contains(&"three cases")) {
        assert!(1 + 3 * least[one.problem.as_str()] > one.elements(), "{}", one.submission);
    }
}

fn check_laws(problem: &str) {
    let table = LAWS.iter().filter(|law| law.problem == problem);
    let trials: Vec<LawTrial> = table.map(LawTrial::new).collect();
    let mut wrong = Vec::new();
    for one in minima(Some(problem)).iter().filter(|one| !one.reasons().is_empty()) {
        let Some(program) = compiled(&one.source()) else { continue };
        let tried = trials.iter().filter(|trial| one.reasons().contains(&trial.law.reason));
        wrong.extend(tried.filter_map(|trial| trial.refutes(&program, one)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
#[ignore = "nightly: each of its programs is compiled, as those of cf1921e are in the gate"]
fn laws_of_caos3_hold() {
    check_laws("caos3");
}

#[test]
fn laws_of_cf1921e_hold() {
    check_laws("cf1921e");
}

#[test]
#[ignore = "nightly: each of its programs is compiled, as those of cf1921e are in the gate"]
fn laws_of_cheftic_hold() {
    check_laws("cheftic");
}

#[test]
#[ignore = "nightly: each of its programs is compiled, as those of cf1921e are in the gate"]
fn laws_of_ckcgame_hold() {
    check_laws("ckcgame");
}

#[test]
#[ignore = "nightly: each of its programs is compiled, as those of cf1921e are in the gate"]
fn laws_of_gamedots_hold() {
    check_laws("gamedots");
}

/// A law and its test inputs.
struct LawTrial {
    law: &'static Law,
    package: Package,
    files: Vec<File>,
}

/// The cases of one file, the changed cases of a law, and the correct answers.
struct File {
    before: Vec<Case>,
    after: Vec<Case>,
    answers: Vec<String>,
    answers_after: Vec<String>,
}

impl LawTrial {
    fn new(law: &'static Law) -> LawTrial {
        let package = Package::load(&folder(law.problem)).unwrap();
        let fast = if law.problem == "cheftic" { "brute.rs" } else { "fast.rs" };
        let reference: PathBuf = folder(law.problem).join("submissions/accepted").join(fast);
        let reference = compiled(&reference).unwrap();
        let mut choices = Choices::from_seed(1, 0);
        let mut below = |most: usize| choices.draw_index(most);
        let mut files = Vec::new();
        for before in generated_files(law) {
            let each = before.into_iter().filter_map(|case| Some((case.clone(), (law.change)(&mut below, &case)?)));
            let (before, after): (Vec<Case>, Vec<Case>) = each.unzip();
            if before.is_empty() {
                continue;
            }
            let answers_to = |cases: &[Case]| answers(&reference, &package, cases).unwrap();
            let (answers, answers_after) = (answers_to(&before), answers_to(&after));
            files.push(File { before, after, answers, answers_after });
        }
        assert!(files.iter().map(|file| file.before.len()).sum::<usize>() >= 12, "{}: few cases", law.reason);
        LawTrial { law, package, files }
    }

    /// Returns the first file on which a submission breaks the law.
    fn refutes(&self, program: &Program, one: &Minimum) -> Option<String> {
        let broken = self.files.iter().find(|file| !self.holds(program, file))?;
        let case = join_cases(&broken.after);
        Some(format!("{}: {} {}:\n{case}", self.law.reason, one.problem, one.submission))
    }

    fn holds(&self, program: &Program, file: &File) -> bool {
        let answers_to = |cases: &[Case]| answers(program, &self.package, cases);
        let after = || answers_to(&file.after);
        match self.law.claim {
            Claim::Right => after().as_ref() == Some(&file.answers_after),
            Claim::Same => answers_to(&file.before) == after(),
            Claim::AsRight => {
                let (Some(before), Some(after)) = (answers_to(&file.before), after()) else { return false };
                let right = |given: &[String], answers: &[String]| -> Vec<bool> {
                    given.iter().zip(answers).map(|(given, answer)| given == answer).collect()
                };
                right(&before, &file.answers) == right(&after, &file.answers_after)
            }
            Claim::Alone => {
                let mut cases = file.before.clone();
                let forwards = answers_to(&cases).or_else(|| {
                    // A crash ends the comparison.
                    cases.retain(|case| answers_to(std::slice::from_ref(case)).is_some());
                    answers_to(&cases)
                });
                cases.reverse();
                let backwards = answers_to(&cases).map(|given| given.into_iter().rev().collect());
                cases.is_empty() || forwards.is_some() && forwards == backwards
            }
            Claim::BehindOne => {
                let Some(answers) = after() else { return false };
                let is_wrong = |at: &usize| answers[*at] != file.answers_after[*at];
                let empty = (0..answers.len()).filter(|at| monsters(&map_of(&file.after[*at])).is_empty());
                empty.filter(is_wrong).all(|at| {
                    let pair = |first: usize| answers_to(&[file.after[first].clone(), file.after[at].clone()]);
                    (0..at).any(|first| pair(first).is_some_and(|given| given[1] != file.answers_after[at]))
                })
            }
            Claim::InAnyOrder => {
                let (with, mut empty): (Vec<Case>, Vec<Case>) =
                    file.after.iter().cloned().partition(|case| !monsters(&map_of(case)).is_empty());
                with.into_iter().all(|last| {
                    let before = empty.clone();
                    empty.reverse();
                    let behind = |before: &[Case]| answers_to(&[before, std::slice::from_ref(&last)].concat());
                    behind(&before).map(|given| given.last().cloned())
                        == behind(&empty).map(|given| given.last().cloned())
                })
            }
        }
    }
}

/// Returns generated files of cases.
fn generated_files(law: &Law) -> Vec<Vec<Case>> {
    let here = Folder::new();
    let has = |end: &str| law.scope.iter().any(|constraint| constraint.ends_with(end));
    // So many that there are a dozen cases in all.
    let count = if has("= 1") {
        12
    } else if has(">= 8") {
        2
    } else {
        4
    };
    let mut typed = here
        .typed(&format!("generate --quiet --growth 40 --seed 7 --count {count} --out made"))
        .argument(folder(law.problem).display().to_string());
    for constraint in law.scope {
        typed = typed.argument("--where").argument(*constraint);
    }
    typed.run().exits(0);
    let names = here.names("made");
    names.iter().map(|name| split_cases(law.problem, &here.read(&format!("made/{name}")))).collect()
}

/// Splits a file into its cases.
fn split_cases(problem: &str, text: &str) -> Vec<Case> {
    let mut lines = text.lines();
    let count: usize = lines.next().unwrap().parse().unwrap();
    let mut case = || {
        let head = lines.next().unwrap();
        let numbers: Vec<usize> = head.split(' ').map(|number| number.parse().unwrap()).collect();
        let more = match problem {
            "cf1921e" => 0,
            "gamedots" => numbers[2],
            _ => numbers[0],
        };
        std::iter::once(head).chain(lines.by_ref().take(more)).map(str::to_owned).collect()
    };
    (0..count).map(|_| case()).collect()
}

fn join_cases(cases: &[Case]) -> String {
    let lines: Vec<&str> = cases.iter().flatten().map(String::as_str).collect();
    format!("{}\n{}\n", cases.len(), lines.join("\n"))
}

/// Returns a program's answer to each case, or `None` if it crashes.
fn answers(program: &Program, package: &Package, cases: &[Case]) -> Option<Vec<String>> {
    let outcome = run(program, package, join_cases(cases).as_bytes());
    let text = String::from_utf8_lossy(&outcome.output);
    let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    (outcome.is_success() && words.len() == cases.len()).then_some(words)
}

fn unchanged(_: Below, case: &Case) -> Option<Case> {
    Some(case.clone())
}

// Lava and Monsters ---------------------------------------------------------------------------------------------------

type Map = Vec<Vec<u8>>;

fn map_of(case: &Case) -> Map {
    case[1..].iter().map(|row| row.as_bytes().to_vec()).collect()
}

fn with_map(case: &Case, map: Map) -> Case {
    let rows = map.into_iter().map(|row| String::from_utf8(row).unwrap());
    std::iter::once(case[0].clone()).chain(rows).collect()
}

/// Returns the number of open cells in each direction, or `None` if the cell is a rock.
fn arms(map: &Map, r: usize, c: usize) -> Option<[usize; 4]> {
    let open = |at: &(usize, usize)| map[at.0][at.1] == b'^';
    let length = |way: &mut dyn Iterator<Item = (usize, usize)>| way.take_while(open).count();
    open(&(r, c)).then(|| {
        [
            length(&mut (0..r).rev().map(|r| (r, c))),
            length(&mut (r + 1..map.len()).map(|r| (r, c))),
            length(&mut (0..c).rev().map(|c| (r, c))),
            length(&mut (c + 1..map[0].len()).map(|c| (r, c))),
        ]
    })
}

fn monsters(map: &Map) -> Vec<(usize, usize)> {
    let cells = (0..map.len()).flat_map(|r| (0..map[0].len()).map(move |c| (r, c)));
    cells.filter(|(r, c)| arms(map, *r, *c).is_some_and(|arms| arms.iter().all(|arm| *arm >= 2))).collect()
}

/// Keeps only the crosses of the monsters of a map.
fn only_crosses(_: Below, case: &Case) -> Option<Case> {
    let map = map_of(case);
    let mut crosses = vec![vec![b'#'; map[0].len()]; map.len()];
    for (r, c) in monsters(&map) {
        for d in 0..5 {
            crosses[r + d - 2][c] = b'^';
            crosses[r][c + d - 2] = b'^';
        }
    }
    Some(with_map(case, crosses))
}

/// Draws the cells anew that share no row and no column with a monster.
fn other_cells_off_the_lines(below: Below, case: &Case) -> Option<Case> {
    let (map, mut changed) = (map_of(case), map_of(case));
    let before = monsters(&map);
    for (r, c) in (0..map.len()).flat_map(|r| (0..map[0].len()).map(move |c| (r, c))) {
        if before.iter().all(|(y, x)| *y != r && *x != c) {
            changed[r][c] = if below(3) == 0 { b'^' } else { b'#' };
        }
    }
    // One more character makes it another map.
    (monsters(&changed) == before).then(|| with_map(case, changed))
}

/// Replaces each monster with a rock.
fn without_monsters(_: Below, case: &Case) -> Option<Case> {
    let mut map = map_of(case);
    monsters(&map).into_iter().for_each(|(r, c)| map[r][c] = b'#');
    Some(with_map(case, map))
}

/// Removes the monsters from two maps out of three.
fn mostly_without_monsters(below: Below, case: &Case) -> Option<Case> {
    if below(3) == 0 { Some(case.clone()) } else { without_monsters(below, case) }
}

/// Accepts maps on which the shortest arm of every monster is prime.
fn arms_of_primes(_: Below, case: &Case) -> Option<Case> {
    let map = map_of(case);
    let shortest = |(r, c)| arms(&map, r, c).into_iter().flatten().min();
    monsters(&map).into_iter().all(|at| matches!(shortest(at), Some(2 | 3 | 5 | 7))).then(|| case.clone())
}

// Chess Kings Chasing -------------------------------------------------------------------------------------------------

/// Replaces the numbers of a board by their ranks.
fn by_rank(_: Below, case: &Case) -> Option<Case> {
    let numbers = |row: &String| row.split(' ').map(|number| number.parse::<u64>().unwrap()).collect::<Vec<u64>>();
    let rows: Vec<Vec<u64>> = case[1..].iter().map(numbers).collect();
    let sorted: BTreeSet<u64> = rows.iter().flatten().copied().collect();
    let rank = |number: &u64| (1 + sorted.range(..number).count()).to_string();
    let rows = rows.iter().map(|row| row.iter().map(rank).collect::<Vec<String>>().join(" "));
    Some(std::iter::once(case[0].clone()).chain(rows).collect())
}

// Dots and Boxes ------------------------------------------------------------------------------------------------------

fn edge_of(line: &str) -> Vec<usize> {
    line.split(' ').map(|number| number.parse().unwrap()).collect()
}

/// Accepts boards with an open side on the border, from which a chain leads.
fn with_a_chain(_: Below, case: &Case) -> Option<Case> {
    let head = edge_of(&case[0]);
    let on_the_border = |line: &&String| {
        let edge = edge_of(line);
        let along = |at: usize, last: usize| edge[at] == edge[at + 2] && (edge[at] == 0 || edge[at] == last);
        along(0, head[0]) || along(1, head[1])
    };
    (case[1..].iter().filter(on_the_border).count() < 2 * (head[0] + head[1])).then(|| case.clone())
}

/// Shuffles the edges and swaps their ends.
fn edges_in_disorder(below: Below, case: &Case) -> Option<Case> {
    let mut case = case.clone();
    for at in (1..case.len()).rev() {
        case.swap(at, 1 + below(at));
        let edge = edge_of(&case[at]);
        if below(2) == 0 {
            case[at] = format!("{} {} {} {}", edge[2], edge[3], edge[0], edge[1]);
        }
    }
    Some(case)
}
