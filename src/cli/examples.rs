//! The examples at the end of the help of each command, two for each. The tests run them in a folder with these files.

pub(super) const STRESS: &str = "\
Examples:
  rebut stress sol.cpp -r brute.cpp -i 'n; a[n] where 1<=n<=8; -9<=a<=9'
  rebut stress --problem sums --cases 200 --save";

pub(super) const MERGE: &str = "\
Examples:
  rebut merge blocks
  rebut merge part-1 part-2 --json merged.json";

pub(super) const CAMPAIGN: &str = "\
Examples:
  rebut campaign --shards 64 stress sol.cpp --problem sums --cases 1000000 --journal blocks
  rebut campaign --on hq verify sums --journal runs --junit verify.xml";

pub(super) const HACK: &str = "\
Examples:
  rebut hack sol.cpp -r brute.cpp -i 'n; a[n] where 1<=n<=8; -9<=a<=9'
  rebut hack sol.cpp --problem sums --time 30s";

pub(super) const SHRINK: &str = "\
Examples:
  rebut shrink big.in sol.cpp --reference brute.cpp --format input.format
  rebut shrink big.in sol.cpp --problem sums --shrink-time 1m";

pub(super) const COMPLEXITY: &str = "\
Examples:
  rebut complexity sol.cpp -i 'n; a[n] where 1<=n<=5000; -9<=a<=9'
  rebut complexity right.cpp wrong.cpp --problem sums --shape sorted";

pub(super) const REPLAY: &str = "\
Examples:
  rebut replay findings/0001-sol-wrong-answer
  rebut replay findings/0001-sol-wrong-answer --submission fixed.cpp";

pub(super) const GENERATE: &str = "\
Examples:
  rebut generate --input 'n; a[n] where 1<=n<=8; -9<=a<=9' --count 3
  rebut generate sums --max --out largest";

pub(super) const ENUMERATE: &str = "\
Examples:
  rebut enumerate --input 'n; a[n] where 1<=n<=3; 0<=a<=1' --count
  rebut enumerate input.format --limit 10";

pub(super) const VALIDATE: &str = "\
Examples:
  rebut validate input.format 1.in big.in
  rebut validate sums 1.in";

pub(super) const SHOW: &str = "\
Examples:
  rebut show input.format big.in
  rebut show sums big.in --svg big.svg";

pub(super) const VERIFY: &str = "\
Examples:
  rebut verify sums
  rebut verify sums --submission wrong.cpp --times --html sums.html";

pub(super) const COMPARE: &str = "\
Examples:
  rebut compare before.json after.json
  rebut compare before.json after.json --html changes.html";

pub(super) const STRENGTH: &str = "\
Examples:
  rebut strength sums
  rebut strength sums --min 95 --depth 3";

pub(super) const RUN: &str = "\
Examples:
  rebut run wrong.cpp sums
  rebut run sol.cpp sums --time-limit 5s";

pub(super) const TEST: &str = "\
Examples:
  rebut test
  rebut test fixed.cpp --samples 1.in";

pub(super) const INFER: &str = "\
Examples:
  rebut infer 1.in big.in
  rebut infer 1.in big.in --solution fixed.cpp --out inferred.format";

pub(super) const NEW: &str = "\
Examples:
  rebut new largest
  rebut new --contest finals apples bananas";

pub(super) const IMPORT: &str = "\
Examples:
  rebut import polygon-package two-sum
  rebut import library-checker-problems/sums imported-sums";

pub(super) const EXPORT: &str = "\
Examples:
  rebut export sums --as legacy --out sums.zip
  rebut export sums --as 2025-09 --out sums-2025-09";

pub(super) const FORMAT: &str = "\
Examples:
  rebut format explain --input 'n; a[n] where 1<=n<=8; -9<=a<=9'
  rebut format fmt input.format";

pub(super) const FORMAT_EXPLAIN: &str = "\
Examples:
  rebut format explain input.format
  rebut format explain sums --where 'n <= 3'";

pub(super) const FORMAT_DESCRIBE: &str = "\
Examples:
  rebut format describe sums
  rebut format describe input.format --latex";

pub(super) const FORMAT_FMT: &str = "\
Examples:
  rebut format fmt input.format
  rebut format fmt --check sums/input.format";

pub(super) const FORMAT_FROM_CTD: &str = "\
Examples:
  rebut format from-ctd input.ctd
  rebut format from-ctd input.ctd --json losses.json";

pub(super) const BUILD: &str = "\
Examples:
  rebut build sums
  rebut build sums --check";

pub(super) const CHECK: &str = "\
Examples:
  rebut check tokens 1.in 1.out 1.ans
  rebut check numbers:1e-6 1.in 1.out 1.ans";

pub(super) const SHAPES: &str = "\
Examples:
  rebut shapes
  rebut generate input.format --shape sorted";

pub(super) const COMPLETIONS: &str = "\
Examples:
  rebut completions bash
  rebut completions fish";

pub(super) const LISTEN: &str = "\
Examples:
  rebut listen
  rebut listen contests --port 27121 --once";

pub(super) const LSP: &str = "\
Examples:
  rebut lsp
  rebut lsp --quiet";

pub(super) const MAN: &str = "\
Examples:
  rebut man pages
  rebut man share/man/man1";

pub(super) const EXPLAIN: &str = "\
Examples:
  rebut explain
  rebut explain no-bound";

pub(super) const DOCTOR: &str = "\
Examples:
  rebut doctor
  rebut doctor --json -";
