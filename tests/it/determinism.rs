//! The same seed gives the same bytes for any number of workers and in every run.

use crate::environment::Folder;
use crate::programs::{FORMAT, RARELY_WRONG_C, RIGHT_C};

/// Returns the parts of a finding that do not depend on time and place.
fn search(options: &str) -> [String; 4] {
    let folder = Folder::new().file("sol.c", RARELY_WRONG_C).file("brute.c", RIGHT_C);
    let ran =
        folder.rebut(&format!("stress sol.c --reference brute.c --input '{FORMAT}' --certify 0s {options}")).exits(1);
    let finding = folder.finding();
    let first_line = ran.stdout.lines().next().unwrap().split("after").next().unwrap().to_owned();
    let case = finding.record()["case"].to_string();
    [first_line, case, finding.read("original.txt"), finding.read("input.txt")]
}

#[test]
fn finding_does_not_depend_on_the_number_of_workers() {
    for seed in ["1", "5eedc0de"] {
        let alone = search(&format!("--seed {seed} --jobs 1"));
        assert_eq!(alone[3], "2\n8 9\n");
        for jobs in [2, 4] {
            assert_eq!(search(&format!("--seed {seed} --jobs {jobs}")), alone, "{jobs} jobs, seed {seed}");
        }
    }
}

#[test]
fn submissions_have_first_failures_of_their_own() {
    let search = |jobs: usize| {
        let folder =
            Folder::new().file("a.c", RARELY_WRONG_C).file("b.c", crate::programs::WRONG_C).file("brute.c", RIGHT_C);
        folder.rebut(&format!("stress a.c b.c --input '{FORMAT}' --seed 7 --certify 0s --jobs {jobs}")).exits(1);
        let names = folder.names("findings");
        names.iter().map(|n| (n.clone(), folder.read(&format!("findings/{n}/original.txt")))).collect::<Vec<_>>()
    };
    let alone = search(1);
    assert_eq!(alone.len(), 2);
    assert_eq!(search(3), alone);
}

#[test]
fn generated_inputs_depend_on_the_seed_alone() {
    let folder = Folder::new();
    let generate =
        |seed: &str| folder.rebut(&format!("generate --input '{FORMAT}' -n 20 --seed {seed}")).exits(0).stdout;
    assert_eq!(generate("1"), generate("1"));
    assert_ne!(generate("1"), generate("2"));
    let files = folder.rebut(&format!("generate --input '{FORMAT}' -n 20 --seed 1 --out made"));
    files.exits(0);
    let together: String = (1..=20).map(|i| folder.read(&format!("made/{i}.in"))).collect();
    assert_eq!(together, generate("1"));
}

#[test]
fn growth_of_the_first_inputs_is_part_of_what_repeats_a_search() {
    let larger = search("--seed 1 --initial-growth 100 --jobs 1");
    assert_eq!(search("--seed 1 --initial-growth 100 --jobs 2"), larger);
    // Of cheap runs, the first inputs are as small as possible.
    assert_eq!(search("--seed 1 --jobs 1"), search("--seed 1 --initial-growth 0 --jobs 1"));
    let folder = Folder::new().file("sol.c", RIGHT_C).file("brute.c", RIGHT_C);
    let stress = format!("stress sol.c --reference brute.c --input '{FORMAT}' --seed 1 --cases 40");
    folder.rebut(&format!("{stress} --initial-growth 100")).exits(0).shows("--seed 1 --initial-growth 100");
    folder.rebut(&stress).exits(0).hides("initial-growth");
    folder.rebut(&format!("{stress} --initial-growth measured --journal j")).exits(2).shows("a journal may not");
    // Where runs are expensive whatever their size, what was measured belongs to the seed. Which of the growths that is
    // depends on the machine.
    let busy = RIGHT_C.replace("int main() {", "int main() { for (volatile int i = 0; i < 100000000; i++);");
    let folder = Folder::new().file("sol.c", &busy).file("brute.c", &busy);
    let many = "n; a[n] where 1<=n<=1000; -9<=a<=9";
    let stress = format!("stress sol.c --reference brute.c --input '{many}' --seed 1 --cases 4");
    folder.rebut(&stress).exits(0).shows("--seed 1 --initial-growth ");
}
