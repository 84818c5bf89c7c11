//! The checkers: their names, and how each compares outputs.

use crate::icpc::IcpcFlags;
use crate::judgement::Judgement;
use crate::number_parser::{self, require_small_tolerance};
use crate::testlib::TestlibChecker;
use crate::{exact, lines, numbers, printable, tokens, unordered_lines};
use rebut_diagnostics::suggest_name;

/// A way to compare an output with the answer.
///
/// A token is a maximal run of bytes that are not ASCII white space (space, tab, newline, vertical tab, form feed,
/// carriage return). Case means ASCII case. Bytes are compared as bytes, whatever their encoding.
///
/// ```
/// use rebut_checkers::Checker;
///
/// let checker = Checker::parse("numbers:1e-6")?;
/// assert!(checker.check(b"", b"0.5\n", b"0.50000001\n").is_accepted());
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Checker {
    /// The same tokens in the same order; white space only separates them.
    Tokens {
        /// Whether `YES` and `Yes` are the same token.
        ignore_case: bool,
    },
    /// The same bytes, including the last newline.
    Exact,
    /// The same tokens on the same lines. White space around tokens and blank lines at the end are ignored; any other
    /// blank line is a line.
    Lines,
    /// Like tokens, but a token of the answer that is a number accepts every number close to it.
    ///
    /// A number is a decimal: an optional minus sign, digits with at most one decimal point, and an optional exponent.
    /// `NaN`, `inf`, `+5`, `0x1p3`, `1_000`, `1,5` and `1/0` are not numbers.
    ///
    /// An output token `o` is close to the answer token `a` if `|o - a| <= absolute` or `|o - a| <= relative * |a|`.
    /// Two integers are subtracted exactly as long as they fit in 128 bits; everything else is parsed as a 64-bit
    /// float, and the rounding of that conversion never counts against the output: 0.4 is within 0.1 of 0.3. A number
    /// beyond the range of such floats is close to nothing. Tokens that are equal as text are equal, however large; an
    /// answer token that is not a number accepts only the same text. An answer that no output can be compared with
    /// (`nan`, `1e999`) is a failure of the checker, not of the output.
    Numbers {
        /// Maximum absolute error.
        absolute: f64,
        /// Maximum error relative to the answer.
        relative: f64,
    },
    /// The same multiset of lines, in any order. Lines are compared by their tokens. Blank lines are ignored: without
    /// an order, a blank line at the end is like any other.
    UnorderedLines {
        /// Whether `YES` and `Yes` are the same token.
        ignore_case: bool,
    },
    /// Like the default output validator of ICPC problem packages, with these flags.
    Icpc(IcpcFlags),
    /// Like this standard checker of testlib.
    Testlib(TestlibChecker),
}

/// The name and description of a checker, for help and error messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckerInfo {
    /// A name that [`Checker::parse`] accepts.
    pub name: &'static str,
    /// What the checker compares, in one line.
    pub summary: &'static str,
}

/// Every form of a checker's name.
pub const CHECKERS: &[CheckerInfo] = &[
    CheckerInfo { name: "tokens", summary: "the same tokens in the same order, ignoring white space" },
    CheckerInfo { name: "tokens:ignore-case", summary: "as tokens, ignoring case (also: case-insensitive)" },
    CheckerInfo { name: "lines", summary: "the same tokens on the same lines" },
    CheckerInfo { name: "exact", summary: "the same bytes" },
    CheckerInfo { name: "numbers:1e-6", summary: "as tokens, numbers within this absolute or relative error" },
    CheckerInfo {
        name: "numbers:abs=1e-9,rel=1e-6",
        summary: "as numbers, with separate tolerances (either may be omitted)",
    },
    CheckerInfo { name: "unordered-lines", summary: "the same lines in any order" },
    CheckerInfo { name: "unordered-lines:ignore-case", summary: "as unordered-lines, ignoring case" },
    CheckerInfo { name: "icpc", summary: "the default validator of ICPC packages: tokens, ignoring case" },
    CheckerInfo {
        name: "icpc:case_sensitive,space_change_sensitive",
        summary: "the same with flags (either may be omitted)",
    },
    CheckerInfo {
        name: "icpc:float_tolerance=1e-6",
        summary: "the same, comparing numbers by absolute or relative error",
    },
    CheckerInfo {
        name: "icpc:float_absolute_tolerance=1e-9,float_relative_tolerance=1e-6",
        summary: "the same with separate tolerances (either may be omitted)",
    },
    CheckerInfo { name: "acmp", summary: "testlib: one real number, absolute error 1.5e-6" },
    CheckerInfo { name: "caseicmp", summary: "testlib: `Case 1: x` and so on, one 64-bit integer each" },
    CheckerInfo { name: "casencmp", summary: "testlib: `Case 1: x y z` and so on, 64-bit integers" },
    CheckerInfo { name: "casewcmp", summary: "testlib: `Case 1: a b c` and so on, words" },
    CheckerInfo { name: "dcmp", summary: "testlib: one real number, absolute or relative error 1e-6" },
    CheckerInfo { name: "fcmp", summary: "testlib: lines, character by character" },
    CheckerInfo { name: "hcmp", summary: "testlib: one integer of any length" },
    CheckerInfo { name: "icmp", summary: "testlib: one 32-bit integer" },
    CheckerInfo { name: "lcmp", summary: "testlib: lines, word by word" },
    CheckerInfo { name: "ncmp", summary: "testlib: 64-bit integers in order" },
    CheckerInfo { name: "nyesno", summary: "testlib: a sequence of YES or NO, ignoring case" },
    CheckerInfo { name: "pointscmp", summary: "testlib: one real number, accepted if the difference is 0 points" },
    CheckerInfo { name: "pointsinfo", summary: "testlib: one real number, accepted if the difference is 0" },
    CheckerInfo { name: "rcmp", summary: "testlib: one real number, absolute error 1.5e-6" },
    CheckerInfo { name: "rcmp4", summary: "testlib: real numbers, absolute or relative error 1e-4" },
    CheckerInfo { name: "rcmp6", summary: "testlib: real numbers, absolute or relative error 1e-6" },
    CheckerInfo { name: "rcmp9", summary: "testlib: real numbers, absolute or relative error 1e-9" },
    CheckerInfo { name: "rncmp", summary: "testlib: real numbers, absolute error 1.5e-5" },
    CheckerInfo { name: "uncmp", summary: "testlib: 64-bit integers in any order" },
    CheckerInfo { name: "wcmp", summary: "testlib: words in order" },
    CheckerInfo { name: "yesno", summary: "testlib: YES or NO, ignoring case" },
];

impl Default for Checker {
    fn default() -> Self {
        Self::Tokens { ignore_case: false }
    }
}

impl Checker {
    /// Parses the name of a checker; [`CHECKERS`] lists the forms.
    ///
    /// # Errors
    /// Returns an error message that names the problem, the nearest name and all known names.
    pub fn parse(text: &str) -> Result<Self, String> {
        match text.split_once(':').map_or((text, None), |(name, option)| (name, Some(option))) {
            ("tokens", None) => Ok(Self::Tokens { ignore_case: false }),
            ("tokens", Some("ignore-case")) | ("case-insensitive", None) => Ok(Self::Tokens { ignore_case: true }),
            ("exact", None) => Ok(Self::Exact),
            ("lines", None) => Ok(Self::Lines),
            ("numbers", tolerances) => parse_numbers(tolerances.unwrap_or_default()),
            ("unordered-lines", None) => Ok(Self::UnorderedLines { ignore_case: false }),
            ("unordered-lines", Some("ignore-case")) => Ok(Self::UnorderedLines { ignore_case: true }),
            ("icpc", None) => Ok(Self::Icpc(IcpcFlags::default())),
            ("icpc", Some(flags)) => IcpcFlags::parse_checker_name(flags).map(Self::Icpc),
            (name, None) => {
                TestlibChecker::from_name(name).map(Self::Testlib).ok_or_else(|| unknown_checker_message(text))
            }
            _ => Err(unknown_checker_message(text)),
        }
    }

    /// Returns the checker equivalent to the default output validator with these flags, as `problem.yaml` lists them:
    /// words separated by white space. Prefers a simpler checker of this crate if it is equivalent.
    ///
    /// # Errors
    /// Returns an error message if a flag is unknown or its number is missing.
    pub fn from_validator_flags(flags: &str) -> Result<Self, String> {
        let icpc = IcpcFlags::parse_flags(flags.split_whitespace())?;
        Ok(match (icpc.has_tolerance(), icpc.space_change_sensitive, icpc.case_sensitive) {
            (false, false, case_sensitive) => Self::Tokens { ignore_case: !case_sensitive },
            (false, true, true) => Self::Exact,
            _ => Self::Icpc(icpc),
        })
    }

    /// Returns the name of the checker, which parses to the same checker.
    pub fn name(&self) -> String {
        match *self {
            Self::Tokens { ignore_case } => name_with_case("tokens", ignore_case),
            Self::Exact => "exact".to_owned(),
            Self::Lines => "lines".to_owned(),
            Self::Numbers { absolute, relative } if absolute.total_cmp(&relative).is_eq() => {
                format!("numbers:{}", printable::format_shortest(absolute))
            }
            Self::Numbers { absolute, relative } => {
                format!(
                    "numbers:abs={},rel={}",
                    printable::format_shortest(absolute),
                    printable::format_shortest(relative)
                )
            }
            Self::UnorderedLines { ignore_case } => name_with_case("unordered-lines", ignore_case),
            Self::Icpc(icpc) => icpc.checker_name(),
            Self::Testlib(testlib) => testlib.name().to_owned(),
        }
    }

    /// Judges an output against the answer.
    ///
    /// The input is passed for checkers that need it; those of this crate use the answer alone.
    pub fn check(&self, _input: &[u8], answer: &[u8], output: &[u8]) -> Judgement {
        match *self {
            // A malformed answer is a judge error, even if the output is equal.
            Self::Testlib(testlib) => testlib.check(answer, output),
            _ if answer == output => Judgement::Accepted,
            Self::Tokens { ignore_case } => tokens::check_tokens(answer, output, ignore_case),
            Self::Exact => exact::check_exact(answer, output),
            Self::Lines => lines::check_lines(answer, output),
            Self::Numbers { absolute, relative } => numbers::check_numbers(answer, output, absolute, relative),
            Self::UnorderedLines { ignore_case } => unordered_lines::check_unordered_lines(answer, output, ignore_case),
            Self::Icpc(icpc) => icpc.check(answer, output),
        }
    }

    /// Strips a byte order mark from the output, if the checker ignores it.
    pub(crate) fn strip_byte_order_mark<'a>(&self, output: &'a [u8]) -> &'a [u8] {
        match self {
            Self::Testlib(testlib) => testlib.strip_byte_order_mark(output),
            _ => output,
        }
    }
}

fn name_with_case(name: &str, ignore_case: bool) -> String {
    if ignore_case { format!("{name}:ignore-case") } else { name.to_owned() }
}

/// Parses `1e-6`, which sets both tolerances, or `abs=1e-9,rel=1e-6`, in which an omitted tolerance is zero.
fn parse_numbers(tolerances: &str) -> Result<Checker, String> {
    if tolerances.is_empty() {
        return Err("checker `numbers` needs a tolerance: `numbers:1e-6` or `numbers:abs=1e-9,rel=1e-6`".to_owned());
    }
    if !tolerances.contains('=') {
        let both = parse_tolerance(tolerances)?;
        require_small_tolerance(both, tolerances)?;
        return Ok(Checker::Numbers { absolute: both, relative: both });
    }
    let (mut absolute, mut relative) = (None, None);
    for part in tolerances.split(',') {
        let (slot, text) = match part.split_once('=') {
            Some(("abs", text)) => (&mut absolute, text),
            Some(("rel", text)) => (&mut relative, text),
            _ => return Err(format!("checker `numbers` accepts `abs=` and `rel=`, not `{part}`")),
        };
        let tolerance = parse_tolerance(text)?;
        if part.starts_with("rel") || text.contains(['e', 'E']) {
            require_small_tolerance(tolerance, text)?;
        }
        if slot.replace(tolerance).is_some() {
            return Err(format!("checker `numbers` has two tolerances of the same kind: `{tolerances}`"));
        }
    }
    Ok(Checker::Numbers { absolute: absolute.unwrap_or(0.0), relative: relative.unwrap_or(0.0) })
}

/// Parses a tolerance: a decimal that is finite and not negative.
fn parse_tolerance(text: &str) -> Result<f64, String> {
    number_parser::parse_decimal(text.as_bytes())
        .filter(|value| value.is_finite() && !text.starts_with('-'))
        .ok_or_else(|| format!("checker `numbers` needs a tolerance such as `1e-6`, not `{text}`"))
}

/// Returns the error message for an unknown name.
fn unknown_checker_message(text: &str) -> String {
    let names = || CHECKERS.iter().map(|checker| checker.name);
    let nearest = suggest_name(text, names().chain(["case-insensitive"]));
    let proposal = nearest.map(|name| format!(" did you mean `{name}`?")).unwrap_or_default();
    let choices: Vec<String> = names().map(|name| format!("`{name}`")).collect();
    format!("unknown checker `{text}`;{proposal} available checkers: {}", choices.join(", "))
}
