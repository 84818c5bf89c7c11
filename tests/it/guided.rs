//! Inputs that follow what a submission computes: mistakes that random inputs never meet are found within a thousand.

use crate::environment::{Folder, installed};

/// Reads what the format has, and prints something that depends on all of it. `MISTAKE` is wrong where a condition holds.
const PROGRAM: &str = "\
#include <iostream>
#include <string>
#include <vector>
#ifdef LOCAL
#include \"debug.h\"
#endif
const int STEP = 346 * 480 + 1;
long long run(const std::vector<long long>& a) {
    long long sum = 0;
    int n = (int)a.size();
    for (int i = 0; i < n; i++) sum += a[i] % 1000003;
    MISTAKE
    return sum;
}
int main() {
    int n;
    std::cin >> n;
    std::vector<long long> a(n);
    for (auto& x : a) std::cin >> x;
    std::cout << run(a) << '\\n';
}
";

/// Searches for a mistake in 1,000 inputs, with one worker and with two, and returns the line of the finding.
fn find_mistake(mistake: &str) -> String {
    let folder = Folder::new()
        .file("sol.cpp", PROGRAM.replace("MISTAKE", mistake))
        .file("brute.cpp", PROGRAM.replace("MISTAKE", ""))
        .file("input.format", "n\na[n]\nwhere:\n    4 <= n <= 30\n    -10^9 <= a <= 10^9\n");
    let search = |jobs: usize| {
        let options = format!("--seed 1 --cases 1000 --time 60s --certify 0s --shrink-time 0s --no-save --jobs {jobs}");
        let output = folder.rebut(&format!("stress {options}")).exits(1).stdout;
        let line = output.lines().find(|line| line.starts_with("FAIL  sol.cpp")).unwrap_or_default().to_owned();
        line.split("   after").next().unwrap_or_default().to_owned()
    };
    let line = search(2);
    assert_eq!(search(1), line, "{mistake}");
    line
}

#[test]
fn conditions_on_computed_values_are_met() {
    if !installed(&["g++"]) {
        return;
    }
    let mistakes = [
        // A multiple of a number that the compiler computes, beside another condition.
        "if (n > 4 && (a[2] + 1) % STEP == 0 && a[0] > 5) sum++;",
        // Two fields that a third one determines.
        "if (a[1] == a[0] * 3 + 777777 && a[3] == a[1] - a[2]) sum++;",
        // A chain of relations between neighbours, anywhere.
        "for (int i = 0; i + 3 < n; i++) if (a[i + 1] == 2 * a[i] + 77777 && a[i + 2] == a[i + 1] * 3 - 222222) sum++;",
    ];
    for mistake in mistakes {
        let line = find_mistake(mistake);
        assert!(line.ends_with("shape guided/operands"), "{mistake}: {line}");
    }
}

#[test]
fn sums_grow_until_they_overflow() {
    if !installed(&["g++"]) {
        return;
    }
    // Random signs hardly ever agree with 26 fixed ones.
    let mistake = "int total = 0; \
        for (int i = 0; i < n; i++) if ((i * 7919 + 13) % 5 < 2) total += a[i] / 5; else total -= a[i] / 5; \
        long long whole = 0; \
        for (int i = 0; i < n; i++) if ((i * 7919 + 13) % 5 < 2) whole += a[i] / 5; else whole -= a[i] / 5; \
        if (total != whole) sum++;";
    let line = find_mistake(mistake);
    assert!(line.ends_with("shape guided/sizes"), "{line}");
}
