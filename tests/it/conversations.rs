//! The conversation of an interactive problem is shortened among the failing inputs of one size.

use crate::environment::{Folder, installed};

/// An interactor that prints the largest number, answers to each `? number` whether it is the secret one, and accepts
/// `! secret`.
const INTERACTOR: &str = r#"
#include <stdio.h>
int main(int argc, char **argv) {
    int n, secret, x;
    char kind;
    FILE *input = fopen(argv[1], "r");
    if (fscanf(input, "%d %d", &n, &secret) != 2) return 1;
    printf("%d\n", n);
    fflush(stdout);
    while (scanf(" %c %d", &kind, &x) == 2) {
        if (kind == '!') return x == secret ? 42 : 43;
        puts(x == secret ? "yes" : "no");
        fflush(stdout);
    }
    return 43;
}
"#;

/// A submission that tries each number from the largest on, and is wrong if the largest is 3 or more.
const DOWNWARDS: &str = r#"
#include <stdio.h>
int main() {
    int n;
    char reply[9];
    scanf("%d", &n);
    for (int x = n; x > 0; x--) {
        printf("? %d\n", x);
        fflush(stdout);
        scanf("%8s", reply);
        if (reply[0] == 'y') {
            printf("! %d\n", n < 3 ? x : 0);
            return 0;
        }
    }
}
"#;

fn guessing_game() -> Option<Folder> {
    installed(&["gcc", "cc", "clang"]).then(|| Folder::new().file("inter.c", INTERACTOR).file("down.c", DOWNWARDS))
}

/// Of the inputs of two numbers that fail, `3 1` is the simplest, but its conversation has eight messages.
#[test]
fn shortest_conversation_among_inputs_of_the_same_size_is_found() {
    let Some(folder) = guessing_game() else { return };
    let search = "stress down.c --interactor inter.c --input 'n s where 1<=s<=n<=6' --seed 1 --time-limit 10s --certify 60s --shrink-time 60s";
    for jobs in [1, 4] {
        let ran = folder.rebut(&format!("{search} --jobs {jobs} --findings found-{jobs}")).exits(1);
        ran.shows_all(&[
            "fewest elements possible: no input has fewer; minimal interaction:",
            "> ? 3",
            "> ! 0",
            "the interactor rejects the output",
        ]);
        let found = format!("found-{jobs}/0001-down-wrong-answer");
        assert_eq!(folder.read(&format!("{found}/input.txt")), "3 3\n");
        assert!(
            folder
                .read(&format!("{found}/README.md"))
                .contains("4 messages of 14 bytes; all 21 valid inputs of this size were run")
        );
        // The order of interactive problems is the same in a replay: `3 1` is no smaller input.
        let replayed = folder.rebut(&format!("replay {found} --certify 60s")).exits(1);
        replayed.shows_all(&["interaction: 4 messages of 14 bytes", "fewest elements possible"]).hides("smaller input");
    }
}

/// Fewer elements come before a shorter conversation: the secret can be the first number tried only if there is a fourth element.
#[test]
fn smaller_input_comes_before_a_shorter_conversation() {
    let Some(folder) = guessing_game() else { return };
    let search = "stress down.c --interactor inter.c --input 'n s k; a[k] where 1<=s<=n<=3; 0<=k<=1; 1<=a<=2; s<=1+2*k' --seed 1 --time-limit 10s --certify 60s --shrink-time 60s --no-save --json -";
    let ran = folder.rebut(search).exits(1);
    ran.shows_all(&[r#""input":"3 1 0\n\n""#, r#""messages":8"#, r#""shortest_of_this_size":true"#]);
}

/// No other input is run without time, and nothing is claimed.
#[test]
fn conversation_without_comparison_is_not_called_minimal() {
    let Some(folder) = guessing_game() else { return };
    let search = "stress down.c --interactor inter.c --input 'n s where 3<=n<=3; s=1' --seed 1 --time-limit 10s --certify 0s --shrink-time 0s --no-save";
    folder.rebut(search).exits(1).shows("interaction: 8 messages of 28 bytes").hides("minimal interaction");
}

/// The inputs of one size are too many to run each.
#[test]
fn number_of_compared_conversations_is_stated() {
    let Some(folder) = guessing_game() else { return };
    let search = "stress down.c --interactor inter.c --input 'n s where 1<=s<=n<=1000' --seed 1 --time-limit 10s --certify 60s --shrink-time 600s --no-save --verbose";
    let ran = folder.rebut(search).exits(1);
    ran.shows("interaction: 4 messages of 14 bytes, the shortest in 512 inputs of this size; a shorter one may exist");
}

/// Answers `? x` by whether the secret is less than `x`; the answer number `lie`, if there is one, is wrong.
const LIAR: &str = r#"
#include <stdio.h>
int main(int argc, char **argv) {
    int n, secret, lie, x;
    char kind;
    FILE *input = fopen(argv[1], "r");
    if (fscanf(input, "%d %d %d", &n, &secret, &lie) != 3) return 1;
    printf("%d\n", n);
    fflush(stdout);
    for (int asked = 1; scanf(" %c %d", &kind, &x) == 2; asked++) {
        if (kind == '!') return x == secret ? 42 : 43;
        puts((secret < x) != (asked == lie) ? "less" : "not");
        fflush(stdout);
    }
    return 43;
}
"#;

/// Bisects, with each question `TIMES` times, and a third time if two answers differ.
const BISECTION: &str = r#"
#include <stdio.h>
int ask(int x) {
    char reply[9];
    printf("? %d\n", x);
    fflush(stdout);
    scanf("%8s", reply);
    return reply[0] == 'l';
}
int main() {
    int n, low = 1;
    scanf("%d", &n);
    while (low < n) {
        int middle = (low + n + 1) / 2, less = ask(middle);
        if (TIMES == 2 && ask(middle) != less) less = ask(middle);
        if (less) n = middle - 1; else low = middle;
    }
    printf("! %d\n", low);
}
"#;

/// The longest conversation over all secrets is that with an interactor that chooses the secret as late as possible.
#[test]
fn longest_conversation_is_that_of_the_worst_secret() {
    let Some(folder) = guessing_game() else { return };
    folder.write("liar.c", LIAR);
    folder.write("once.c", BISECTION.replace("TIMES", "1"));
    folder.write("twice.c", BISECTION.replace("TIMES", "2"));
    let search = |program: &str, lies: u32| {
        let format = format!("'n s lie where n=16; 1<=s<=n; 0<=lie<={lies}'");
        folder.rebut(&format!(
            "stress {program} --interactor liar.c --input {format} --exhaustive --time-limit 10s --no-save"
        ))
    };
    // The bound, the answer, and a question and a reply for each of log2(16) comparisons.
    search("once.c", 0).exits(0).shows("longest  conversation: 10 messages, 5 by the submission, on input 1, `16 1 0`");
    search("once.c", 9).exits(1).shows("the interactor rejects the output").shows("longest  conversation so far: ");
    // Twice as many, and one more because of the lie.
    search("twice.c", 9).exits(0).shows("longest  conversation: 20 messages, 10 by the submission, on input");
}

/// A game about a hidden thing: the interactor reads a number and the thing, prints the number, answers the questions, and
/// accepts the thing.
struct Game {
    format: &'static str,
    /// Reads the question and computes `reply`, from `n`, `secret[0..size]` and `size`.
    reply: &'static str,
    /// A strategy that needs as few questions as its method allows, with `WRONG` where it can be made wrong.
    strategy: &'static str,
    /// Messages in the longest conversation of the right strategy.
    longest: usize,
}

/// Reads `n` and then the secret, all other numbers of the input.
const GAME: &str = r#"
#include <stdio.h>
int main(int argc, char **argv) {
    int n, size = 0, secret[99], x, y, reply;
    char kind;
    FILE *input = fopen(argv[1], "r");
    if (fscanf(input, "%d", &n) != 1) return 1;
    while (fscanf(input, "%d", &secret[size]) == 1) size++;
    printf("%d\n", n);
    fflush(stdout);
    while (scanf(" %c", &kind) == 1) {
        if (kind == '!') {
            for (int i = 0; i < size; i++)
                if (scanf("%d", &x) != 1 || x != secret[i]) return 43;
            return 42;
        }
        REPLY
        puts(reply ? "yes" : "no");
        fflush(stdout);
    }
    return 43;
}
"#;

/// Reads `n`. Its function prints a question and returns true if the reply is yes.
const PLAYER: &str = r#"
#include <stdio.h>
int ask(int x, int y) {
    char reply[9];
    printf("? %d %d\n", x, y);
    fflush(stdout);
    scanf("%8s", reply);
    return reply[0] == 'y';
}
int main() {
    int n;
    scanf("%d", &n);
    STRATEGY
}
"#;

const GAMES: [Game; 3] = [
    // A permutation. Insertion by bisection: 1, 2 and 2 comparisons for the second, third and fourth element.
    Game {
        format: "n; p[n] where n=4; p permutation of 1..n",
        reply: "if (scanf(\"%d %d\", &x, &y) != 2) return 43; reply = secret[x - 1] < secret[y - 1];",
        strategy: r#"
    int order[9], rank[9];
    for (int i = 0; i < n; i++) {
        int low = 0, high = i - (WRONG && i == 3);
        while (low < high) {
            int middle = (low + high) / 2;
            if (ask(order[middle], i + 1)) low = middle + 1; else high = middle;
        }
        for (int j = i; j > low; j--) order[j] = order[j - 1];
        order[low] = i + 1;
    }
    for (int i = 0; i < n; i++) rank[order[i] - 1] = i + 1;
    printf("!");
    for (int i = 0; i < n; i++) printf(" %d", rank[i]);
    puts("");"#,
        longest: 12,
    },
    // A hidden tree. For the parents of 3, 4 and 5 it takes 1, 2 and 3 questions to know that it is the node before.
    Game {
        format: "n; parents[n - 1] where n=5; 1 <= parents <= n; forall i in 1..n - 1: parents[i] <= i",
        reply: "if (scanf(\"%d %d\", &x, &y) != 2) return 43; reply = y >= 2 && secret[y - 2] == x;",
        strategy: r#"
    int parents[9];
    for (int v = 2; v <= n; v++) {
        int u = 1 + (WRONG && v == 5);
        while (u < v - 1 && !ask(u, v)) u++;
        parents[v] = u;
    }
    printf("!");
    for (int v = 2; v <= n; v++) printf(" %d", parents[v]);
    puts("");"#,
        longest: 14,
    },
    // Twenty questions. Is the secret from x to y? Five questions for twenty secrets.
    Game {
        format: "n s where n=20; 1 <= s <= n",
        reply: "if (scanf(\"%d %d\", &x, &y) != 2) return 43; reply = x <= secret[0] && secret[0] <= y;",
        strategy: r#"
    int low = 1, high = WRONG ? 16 : n;
    while (low < high) {
        int middle = (low + high) / 2;
        if (ask(low, middle)) high = middle; else low = middle + 1;
    }
    printf("! %d\n", low);"#,
        longest: 12,
    },
];

#[test]
fn games_are_won_within_the_longest_conversation_or_lost_on_a_secret() {
    if !installed(&["gcc", "cc", "clang"]) {
        return;
    }
    for Game { format, reply, strategy, longest } in GAMES {
        let player = |wrong: &str| PLAYER.replace("STRATEGY", strategy).replace("WRONG", wrong);
        let folder = Folder::new().file("game.c", GAME.replace("REPLY", reply));
        let folder = folder.file("right.c", player("0")).file("wrong.c", player("1"));
        let play = |program: &str| {
            let search = format!("stress {program} --interactor game.c --input '{format}' --exhaustive --no-save");
            folder.rebut(&format!("{search} --time-limit 10s"))
        };
        play("right.c").exits(0).shows(&format!("longest  conversation: {longest} messages, "));
        play("wrong.c").exits(1).shows("FAIL  wrong.c: wrong answer");
    }
}
