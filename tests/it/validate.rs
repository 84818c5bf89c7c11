//! `rebut validate`: inputs are judged byte by byte, and errors are located.

use crate::environment::Folder;

const FORMAT: &str = "\
n k
a[n]
word
where:
    1 <= k <= n <= 5
    1 <= a <= 100
    distinct(a)
    word over \"abc\"
    1 <= len(word) <= 4
";

const SOUND: &str = "3 2\n10 5 100\nabca\n";

/// A change of a valid input, the place of the error, and texts of the message.
const DAMAGED: &[(&str, &str, &str, &[&str])] = &[
    ("carriage returns", "3 2\r\n10 5 100\r\nabca\r\n", "1:", &["carriage return"]),
    ("a leading zero", "3 2\n10 05 100\nabca\n", "2:4", &["zero", "05"]),
    ("a plus sign", "3 +2\n10 5 100\nabca\n", "1:3", &["+2"]),
    ("a minus zero", "3 2\n10 -0 100\nabca\n", "2:4", &["-0"]),
    ("one blank too many", "3 2\n10  5 100\nabca\n", "2:", &["space"]),
    ("a blank in front", " 3 2\n10 5 100\nabca\n", "1:1", &["space"]),
    ("a blank at the end", "3 2 \n10 5 100\nabca\n", "1:4", &["space"]),
    ("a tab", "3\t2\n10 5 100\nabca\n", "1:", &["tab"]),
    ("no newline at the end", "3 2\n10 5 100\nabca", "3:", &["newline"]),
    ("an empty line at the end", "3 2\n10 5 100\nabca\n\n", "4:1", &["end"]),
    ("more after the end", "3 2\n10 5 100\nabca\nx\n", "4:1", &["end"]),
    ("an empty line inside", "3 2\n\n10 5 100\nabca\n", "2:1", &["number"]),
    ("one number too few", "3 2\n10 5\nabca\n", "2:", &["space"]),
    ("one number too many", "3 2\n10 5 100 7\nabca\n", "2:10", &["there is more on this line: `7`", "end of the line"]),
    ("a number that is too large", "3 2\n10 5 101\nabca\n", "2:6", &["101", "100"]),
    ("a number that is too small", "3 2\n0 5 100\nabca\n", "2:1", &["0", "1"]),
    ("a count that is too large", "6 2\n1 2 3 4 5 6\nabca\n", "1:1", &["6", "5"]),
    ("numbers in the wrong order", "3 4\n10 5 100\nabca\n", "1:", &["k"]),
    ("two equal numbers", "3 2\n10 5 10\nabca\n", "2:", &["distinct", "10"]),
    ("a bad letter", "3 2\n10 5 100\nabda\n", "3:3", &["d"]),
    ("a capital letter", "3 2\n10 5 100\nabCa\n", "3:3", &["C"]),
    ("a word that is too long", "3 2\n10 5 100\nabcab\n", "3:", &["4"]),
    ("a word that is not there", "3 2\n10 5 100\n\n", "3:1", &["word"]),
    ("a letter for a number", "x 2\n10 5 100\nabca\n", "1:1", &["number"]),
    ("a decimal number", "3 2\n10 5.0 100\nabca\n", "2:", &["."]),
    ("nothing at all", "", "1:1", &["end"]),
    ("nothing but a newline", "\n", "1:1", &["number"]),
    ("a huge number", "3 2\n10 99999999999999999999999999999999999999999999 100\nabca\n", "2:4", &["100"]),
    ("a null byte", "3 2\n10 5 100\nab\0a\n", "3:3", &[]),
    ("a byte order mark", "\u{feff}3 2\n10 5 100\nabca\n", "1:1", &[]),
];

#[test]
fn valid_input_is_accepted() {
    let folder = Folder::new().file("a.format", FORMAT).file("in", SOUND);
    folder.rebut("validate a.format in").exits(0).shows("valid    in").hides("invalid");
    folder.typed("validate a.format -").input(SOUND).run().exits(0);
    let one_line = "n k; a[n] where 1<=k<=n<=5; 1<=a<=100";
    folder.typed(&format!("validate - --input '{one_line}'")).input("1 1\n7\n").run().exits(0);
}

#[test]
fn damage_is_located_and_explained() {
    let folder = Folder::new().file("a.format", FORMAT);
    let mut unclear = Vec::new();
    for (damage, text, place, words) in DAMAGED {
        folder.write("in", text);
        let ran = folder.rebut("validate a.format in").exits(1);
        let is_there = |part: &str| ran.stdout.contains(part);
        if !is_there(&format!("in:{place}")) || !is_there("^") || !words.iter().all(|word| is_there(word)) {
            unclear.push(format!("{damage}: expected {place} {words:?} in\n{}", ran.stdout));
        }
    }
    assert!(unclear.is_empty(), "{}", unclear.join("\n"));
}

#[test]
fn all_files_are_judged_and_one_invalid_file_fails() {
    let folder = Folder::new().file("a.format", FORMAT).file("good", SOUND).file("bad", "3 2\n");
    let ran = folder.rebut("validate a.format good bad good").exits(1);
    assert_eq!(ran.stdout.matches("valid    good").count(), 2, "{ran}");
    ran.shows("invalid  bad");
}

#[test]
fn arbitrary_bytes_do_not_crash_validation() {
    let folder = Folder::new().file("a.format", FORMAT);
    let junk: &[&[u8]] =
        &[b"\xff\xfe\x00", b"3 2\n\xc3\x28 5 100\nabca\n", b"\x1b[31m\n", b"3 2\n1 2 3\n\xf0\x9f\x92\xa9\n"];
    for bytes in junk {
        folder.write("in", bytes);
        let ran = folder.rebut("validate a.format in").exits(1).hides("panicked");
        assert!(!ran.stdout.contains('\u{1b}'), "{ran}");
    }
}

#[test]
fn validator_can_refuse_what_the_format_accepts() {
    let format = "n\nwhere:\n    1 <= n <= 9\n    validator \"even.rs\"\n";
    let even = "fn main() {\n    let text = std::io::read_to_string(std::io::stdin()).unwrap();\n    \
        if text.trim().parse::<i32>().unwrap() % 2 == 1 {\n        eprintln!(\"{} is odd\", text.trim());\n        \
        std::process::exit(43);\n    }\n    std::process::exit(42);\n}\n";
    let folder = Folder::new().file("p/a.format", format).file("p/even.rs", even).file("4", "4\n").file("5", "5\n");
    folder.rebut("validate p/a.format 4").exits(0);
    folder.rebut("validate p/a.format 5").exits(1).shows_all(&["even.rs", "5 is odd"]);
    let made = folder.rebut("generate p/a.format -n 30").exits(0).stdout;
    assert!(made.lines().all(|line| line.parse::<i32>().unwrap() % 2 == 0), "{made}");
}
