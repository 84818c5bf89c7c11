//! `rebut generate` with constraints that are hard or impossible to satisfy.

use crate::environment::Folder;

const OVER_ALL: &str = "T
cases T:
    n
    a[n]
where:
    1 <= T <= 10^4
    1 <= n <= 2*10^5
    1 <= a <= 10^9
    sum(n) <= 2*10^5
";

fn generate(constraint: &str) -> crate::environment::Ran {
    let folder = Folder::new().file("input.format", OVER_ALL);
    folder.typed("generate input.format --time 500ms --where").argument(constraint).run()
}

#[test]
fn contradiction_is_shown_without_a_search() {
    for never in ["sum(n) >= 300000", "n % 7 = 3; n % 7 = 4", "min(n) >= 50; T >= 5000", "max(n) = 100; min(n) = 200"] {
        let ran = generate(never).exits(2);
        assert!(ran.stderr.contains("this can never hold") || ran.stderr.contains("can satisfy this"), "{ran}");
        assert!(!ran.stderr.contains("closest"), "{ran}");
    }
}

#[test]
fn failed_search_shows_the_closest_input() {
    let ran = generate("forall i in 1..n: a[i] > a[1]").exits(2);
    ran.shows("the closest input found violates only `forall i in 1..n: a[i] > a[1]` (i = 1: ");
}

#[test]
fn maximum_over_all_cases_is_reached() {
    let ran = generate("max(n) >= 190000; T >= 1000").exits(0);
    let sizes = ran.stdout.lines().skip(1).step_by(2).map(|line| line.parse::<usize>().unwrap());
    assert!(sizes.clone().count() >= 1000 && sizes.max().unwrap() >= 190_000);
}
