//! Generators that take their choices from rebut: their findings shrink without a format and without a validator.

use crate::environment::{Folder, installed};
use crate::programs::{RIGHT_C, WRONG_C};
use std::fs::File;
use std::process::Command;

/// Prints some numbers, in three languages.
const NUMBERS: [(&str, &str, &str); 3] = [
    (
        "gen.cpp",
        "g++",
        "\
#include \"rebut.h\"
#include <iostream>
int main(int argc, char** argv) {
    rebut::init(argc, argv);
    long long n = rebut::size(1, 30);
    std::cout << n << \"\\n\";
    for (long long at = 0; at < n; at++) std::cout << rebut::next(-50, 50) << (at + 1 < n ? \" \" : \"\\n\");
}
",
    ),
    (
        "gen.py",
        "python3",
        "\
import rebut
n = rebut.size(1, 30)
print(n)
print(*[rebut.next(-50, 50) for _ in range(n)])
",
    ),
    (
        "gen.rs",
        "rustc",
        "\
#[allow(dead_code)]
mod rebut {
    include!(concat!(env!(\"REBUT_INCLUDE\"), \"/rebut.rs\"));
}
fn main() {
    let n = rebut::size(1, 30);
    let numbers: Vec<String> = (0..n).map(|_| rebut::next(-50, 50).to_string()).collect();
    println!(\"{n}\\n{}\", numbers.join(\" \"));
}
",
    ),
];

const STRESS: &str = "stress sol.c --reference brute.c --seed 1 --cases 300 --certify 0s --verbose --generator";

#[test]
fn findings_shrink_without_format_and_validator() {
    for (name, tool, generator) in NUMBERS {
        if !installed(&[tool, "gcc"]) {
            continue;
        }
        let folder = Folder::new().file("sol.c", WRONG_C).file("brute.c", RIGHT_C).file(name, generator);
        let ran = folder.rebut(&format!("{STRESS} {name}")).exits(1).shows("FAIL  sol.c: wrong answer");
        let finding = folder.finding();
        assert_eq!(finding.read("input.txt"), "1\n-1\n", "{ran}");
        assert_eq!(finding.read("choices.txt"), "rebut-choices 1 - 0 - 0 51\n", "{ran}");
        let note = format!("`{name}` prints this input if its standard input is `choices.txt` of the finding");
        ran.shows(&note).hides("was not shrunk");
        assert!(finding.read("README.md").contains(&note), "{}", finding.read("README.md"));
        finding.replay().exits(1);
    }
}

#[test]
fn choices_make_the_input_again_without_rebut() {
    if !installed(&["python3", "gcc"]) {
        return;
    }
    let (name, _, generator) = NUMBERS[1];
    let folder = Folder::new().file("sol.c", WRONG_C).file("brute.c", RIGHT_C).file(name, generator);
    folder.rebut(&format!("{STRESS} {name}")).exits(1);
    folder.rebut("generate --helpers .").exits(0);
    for name in ["rebut.h", "rebut.py", "rebut.rs", "rebut_testlib.h"] {
        assert!(folder.path(name).is_file(), "{name}");
    }
    let choices = File::open(folder.path("findings/0001-sol-wrong-answer/choices.txt")).unwrap();
    let printed = Command::new("python3").arg(folder.path(name)).arg("7").stdin(choices).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&printed.stdout), "1\n-1\n", "{printed:?}");
    let by_seed = |seed: &str| Command::new("python3").arg(folder.path(name)).arg(seed).output().unwrap().stdout;
    assert_eq!(by_seed("7"), by_seed("7"));
    assert_ne!(by_seed("7"), by_seed("8"));
}

/// Prints the growth and the result of each function of the helper files, in three languages.
const EVERYTHING: [(&str, &str, &str); 3] = [
    (
        "gen.cpp",
        "g++",
        "\
#include \"rebut.h\"
#include <iostream>
int main(int argc, char** argv) {
    rebut::init(argc, argv);
    std::cout << rebut::growth() << \" \" << rebut::size(1, 100000) << \" \" << rebut::size(-5, 9000000000000000000) << \"\\n\";
    for (int time = 0; time < 20; time++) {
        std::cout << rebut::next(-1000000000000, 5) << \" \" << rebut::next(3, 3) << \" \" << rebut::next(4, 900) << \" \";
        std::cout << rebut::next(-9223372036854775807 - 1, 9223372036854775807) << \" \" << rebut::draw(~0ULL) << \" \";
        std::cout << rebut::chance(1, 3) << \" \" << rebut::weighted({2, 0, 7, 1}) << \" \";
        std::cout << rebut::choice(std::vector<int>{8, 6, 4}) << \"\\n\";
    }
    for (long long item : rebut::permutation(30)) std::cout << item << \" \";
}
",
    ),
    (
        "gen.py",
        "python3",
        "\
import rebut
print(rebut.growth(), rebut.size(1, 100000), rebut.size(-5, 9000000000000000000))
for time in range(20):
    print(rebut.next(-1000000000000, 5), rebut.next(3, 3), rebut.next(4, 900), end=' ')
    print(rebut.next(-9223372036854775808, 9223372036854775807), rebut.draw(2**64 - 1), end=' ')
    print(int(rebut.chance(1, 3)), rebut.weighted([2, 0, 7, 1]), rebut.choice([8, 6, 4]))
for item in rebut.permutation(30):
    print(item, end=' ')
",
    ),
    (
        "gen.rs",
        "rustc",
        "\
mod rebut {
    include!(concat!(env!(\"REBUT_INCLUDE\"), \"/rebut.rs\"));
}
fn main() {
    println!(\"{} {} {}\", rebut::growth(), rebut::size(1, 100000), rebut::size(-5, 9000000000000000000));
    for _ in 0..20 {
        print!(\"{} {} {} \", rebut::next(-1000000000000, 5), rebut::next(3, 3), rebut::next(4, 900));
        print!(\"{} {} \", rebut::next(i64::MIN, i64::MAX), rebut::draw(u64::MAX));
        print!(\"{} {} \", u8::from(rebut::chance(1, 3)), rebut::weighted(&[2, 0, 7, 1]));
        println!(\"{}\", rebut::choice(&[8, 6, 4]));
    }
    for item in rebut::permutation(30) {
        print!(\"{item} \");
    }
}
",
    ),
];

/// Prints 1, or nothing if the first number of its input is large.
const WRONG_FROM_THREE: &str = "#include <stdio.h>\nint main() { int n; scanf(\"%d\", &n); if (n < 3) puts(\"1\"); }\n";
const ONE: &str = "#include <stdio.h>\nint main() { puts(\"1\"); }\n";

#[test]
fn all_languages_draw_the_same() {
    let mut found: Vec<[String; 3]> = Vec::new();
    for (name, tool, generator) in EVERYTHING {
        if !installed(&[tool, "gcc"]) {
            continue;
        }
        let folder = Folder::new().file("sol.c", WRONG_FROM_THREE).file("brute.c", ONE).file(name, generator);
        folder.rebut(&format!("{STRESS} {name}")).exits(1);
        found.push(["original.txt", "input.txt", "choices.txt"].map(|file| folder.finding().read(file)));
    }
    assert!(found.windows(2).all(|pair| pair[0] == pair[1]), "{found:#?}");
    assert!(found.iter().all(|[_, input, _]| input.starts_with("3 1 -5\n0 3 4 0 0 0 0 8\n")), "{found:#?}");
}

/// As much of testlib as this generator needs, in its structure.
const TESTLIB: &str = "\
#ifndef _TESTLIB_H_
#define _TESTLIB_H_
#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>
void __testlib_fail(const std::string&) { std::exit(3); }
class random_t {
    unsigned long long seed;
    long long nextBits(int bits) {
        seed = seed * 0x5DEECE66DULL + 11;
        return (long long)(seed >> (64 - bits));
    }
public:
    random_t() : seed(3905348978240129619LL) {}
    int next(int n) { return (int)(nextBits(31) % n); }
    double next() { return (double)(((long long)(nextBits(26)) << 27) + nextBits(27)) / (double)(1LL << 53); }
    double next(double n) { return n * next(); }
    double next(double from, double to) { return next(to - from) + from; }
    std::string next(const std::string& letters) { return std::string(1, letters[next((int)letters.size())]); }
    std::string next(const char* format, ...) { return next(std::string(format)); }
    int wnext(int n, int) { return next(n); }
    double wnext(int) { return next(); }
    double wnext(double n, int) { return next(n); }
    double wnext(double from, double to, int) { return next(from, to); }
};
random_t rnd;
void registerGen(int, char**, int) {}
template <typename Iterator> void shuffle(Iterator begin, Iterator end) {
    for (Iterator at = begin; at != end; ++at) std::iter_swap(at, begin + rnd.next((int)(at - begin) + 1));
}
#endif
";

#[test]
fn testlib_generator_takes_its_draws_from_rebut() {
    let generator = "\
#include \"rebut_testlib.h\"
#include <iostream>
using namespace std;
int main(int argc, char* argv[]) {
    registerGen(argc, argv, 1);
    int n = rnd.next(1, 20);
    vector<int> a = rnd.distinct(n, -50, 50), order = rnd.perm(n);
    shuffle(a.begin(), a.end());
    cout << n << \"\\n\";
    for (int at : order) cout << a[at] << \" \";
    cout << \"\\n\" << rnd.next(\"abc\") << rnd.wnext(9, 2) << (rnd.next() < 0.5) << \"\\n\";
}
";
    if !installed(&["g++", "gcc"]) {
        return;
    }
    let folder = Folder::new().file("sol.c", WRONG_C).file("brute.c", RIGHT_C).file("gen.cpp", generator);
    folder.write("testlib.h", TESTLIB);
    let ran = folder.rebut(&format!("{STRESS} gen.cpp")).exits(1);
    assert_eq!(folder.finding().read("input.txt"), "1\n-1 \na01\n", "{ran}");
}

/// Fails if the first five numbers are 11 14 12 15 13, which no random list is.
const WRONG_FOR_FIVE: &str = "\
#include <stdio.h>
int main() {
    int n, x, same = 0, five[] = {11, 14, 12, 15, 13};
    scanf(\"%d\", &n);
    for (int at = 0; at < n && scanf(\"%d\", &x) == 1; at++) same += at < 5 && x == five[at];
    puts(same == 5 ? \"0\" : \"1\");
}
";

#[test]
fn value_shrinker_goes_on_from_the_draws() {
    let generator = "import rebut\nprint(6)\nprint(11, 14, 12, 15, 13, rebut.next(50, 10**9))\n";
    if !installed(&["python3", "gcc"]) {
        return;
    }
    let folder = Folder::new().file("sol.c", WRONG_FOR_FIVE).file("brute.c", ONE).file("gen.py", generator);
    folder.write("f", "n\na[n]\nwhere:\n    1 <= n <= 6\n    1 <= a <= 10^9\n    generator \"gen.py\"\n");
    let ran = folder
        .rebut("stress sol.c --reference brute.c --format f --seed 1 --cases 300 --certify 0s --verbose")
        .exits(1);
    assert_eq!(folder.finding().read("input.txt"), "5\n11 14 12 15 13\n", "{ran}");
    assert_eq!(folder.finding().read("choices.txt"), "rebut-choices 1 - 0 - 0\n", "{ran}");
    ran.shows("`gen.py` prints the input that this one was shrunk from if its standard input is `choices.txt`");
}

/// Prints 0 if each number is its place times their number, for at least three: a change of any number alone mends it.
const WRONG_FOR_MULTIPLES: &str = "\
#include <stdio.h>
int main() {
    int n, x, same = 0;
    scanf(\"%d\", &n);
    for (int at = 1; at <= n && scanf(\"%d\", &x) == 1; at++) same += x == at * n;
    puts(n >= 3 && same == n ? \"0\" : \"1\");
}
";

#[test]
fn small_inputs_of_the_generator_replace_a_large_one() {
    let generator = "\
#include \"rebut.h\"
#include <cstdio>
int main(int argc, char** argv) {
    rebut::init(argc, argv);
    long long n = rebut::size(1, 40);
    std::printf(\"%lld\\n\", n);
    for (long long at = 1; at <= n; at++) std::printf(at < n ? \"%lld \" : \"%lld\\n\", at * n);
}
";
    if !installed(&["g++", "gcc"]) {
        return;
    }
    let numbers: Vec<String> = (1..=20).map(|at| (at * 20).to_string()).collect();
    let folder = Folder::new().file("sol.c", WRONG_FOR_MULTIPLES).file("brute.c", ONE);
    let folder = folder.file("pkg/gen.cpp", generator).file("big.txt", format!("20\n{}\n", numbers.join(" ")));
    folder.write("pkg/f", "n\na[n]\nwhere:\n    1 <= n <= 40\n    1 <= a <= 10^9\n    generator \"gen.cpp\"\n");
    let ran = folder.rebut("shrink big.txt sol.c --reference brute.c --format pkg/f --certify 0s").exits(1);
    assert_eq!(folder.finding().read("input.txt"), "3\n3 6 9\n", "{ran}");
    let stress = "stress sol.c --reference brute.c --format pkg/f --seed 1 --cases 300 --certify 0s --no-save";
    folder.rebut(stress).exits(1).shows("shape gen.cpp").hides("pkg/gen.cpp");
}

#[test]
fn rejected_draws_end_with_the_list() {
    let generator = "\
#include \"rebut.h\"
#include <iostream>
int main(int argc, char** argv) {
    rebut::init(argc, argv);
    long long n = rebut::size(2, 40), m = rebut::size(1, 20);
    std::cout << m << \"\\n\";
    for (; m > 0; m--) {
        long long u = rebut::next(-n, n), v = u;
        while (v == u) v = rebut::next(-n, n);
        std::cout << u << \" \" << v << \"\\n\";
    }
}
";
    if !installed(&["g++", "gcc"]) {
        return;
    }
    let folder = Folder::new().file("sol.c", WRONG_C).file("brute.c", RIGHT_C).file("gen.cpp", generator);
    let ran = folder.rebut(&format!("{STRESS} gen.cpp")).exits(1);
    assert_eq!(folder.finding().read("input.txt"), "1\n-1 0\n", "{ran}");
}

#[test]
fn generator_with_choices_of_its_own_is_not_shrunk() {
    let generator = "import os, rebut\nprint(2)\nprint(-1 - rebut.next(0, 5), -1 - os.getpid())\n";
    if !installed(&["python3", "gcc"]) {
        return;
    }
    let folder = Folder::new().file("sol.c", WRONG_C).file("brute.c", RIGHT_C).file("gen.py", generator);
    let ran = folder.rebut(&format!("{STRESS} gen.py")).exits(1).shows("it prints another input for the same ones");
    assert_eq!(folder.finding().read("input.txt"), folder.finding().read("original.txt"), "{ran}");
    assert!(!folder.path("findings/0001-sol-wrong-answer/choices.txt").exists());
}

#[test]
fn generator_that_reads_its_own_input_is_run_as_before() {
    if !installed(&["sh", "gcc"]) {
        return;
    }
    let generator = "#!/bin/sh\nread -r line && exit 5\necho 1\necho -${1:+3}\n";
    let folder = Folder::new().file("sol.c", WRONG_C).file("brute.c", RIGHT_C).script("gen.sh", generator);
    folder.rebut(&format!("{STRESS} ./gen.sh")).exits(1).shows("| -3").shows("the input was not shrunk");
}

#[test]
fn arguments_of_a_command_reach_the_generator() {
    let generator =
        "import rebut, sys\nn = int(sys.argv[1])\nprint(n)\nprint(*[rebut.next(-9, 9) for _ in range(n)])\n";
    if !installed(&["python3", "gcc"]) {
        return;
    }
    let folder = Folder::new().file("sol.c", WRONG_C).file("brute.c", RIGHT_C).file("gen.py", generator);
    let ran = folder.rebut(&format!("{STRESS} 'gen.py 2'")).exits(1);
    assert_eq!(folder.finding().read("input.txt"), "2\n-1 -1\n", "{ran}");
}

#[test]
fn malformed_log_is_a_judge_error() {
    if !installed(&["sh", "gcc"]) {
        return;
    }
    let generator = "#!/bin/sh\nprintf 'rebut-choices 1\\n~five\\n' >&2\necho 1\necho -3\n";
    let folder = Folder::new().file("sol.c", WRONG_C).file("brute.c", RIGHT_C).script("gen.sh", generator);
    let ran = folder.rebut(&format!("{STRESS} ./gen.sh")).exits(3);
    ran.shows("the generator `./gen.sh` writes a malformed log of its draws: `~five` is not a draw");
}
