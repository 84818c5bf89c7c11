//! The checkers by name: what can be asked for, how it is spelt, who answers.

use crate::icpc::Icpc;
use crate::judgement::Judgement;
use crate::nearest::nearest;
use crate::number;
use crate::testlib::Testlib;
use crate::{exact, lines, numbers, show, tokens, unordered};

/// How an output is compared with the answer.
///
/// A token is a maximal run of bytes that are not ASCII white space (space, tab, newline, vertical tab, form
/// feed, carriage return). Case means ASCII case. Bytes are compared as bytes, whatever their encoding.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Checker {
    /// The same tokens in the same order; white space separates them and means nothing else.
    Tokens {
        /// Whether `YES` and `Yes` are the same token.
        ignore_case: bool,
    },
    /// The same bytes, to the last newline.
    Exact,
    /// The same tokens on the same lines. The white space around tokens counts for nothing, nor do blank
    /// lines at the end; a blank line elsewhere is a line.
    Lines,
    /// As tokens, but a token of the answer that is a number accepts each number near enough.
    ///
    /// A number is a decimal: an optional minus sign, digits with at most one point among or beside them, an
    /// optional exponent. Nothing else is one: not `NaN`, `inf`, `+5`, `0x1p3`, `1_000`, `1,5` or `1/0`.
    /// An output token `o` is near the answer token `a` if `|o - a| <= absolute` or
    /// `|o - a| <= relative * |a|`. Two integers are subtracted exactly as long as they fit 128 bits;
    /// anything else is read as a 64-bit float, and the rounding of that reading is never held against the
    /// output: 0.4 is within 0.1 of 0.3. A number beyond the range of such floats is near nothing. Tokens
    /// that are equal as text are equal, however large; an answer token that is not a number accepts
    /// only the same text. An answer that no output can be measured against (`nan`, `1e999`) is a failure of the
    /// checker, not of the output.
    Numbers {
        /// The absolute error that is still accepted.
        absolute: f64,
        /// The error, relative to the answer, that is still accepted.
        relative: f64,
    },
    /// The same lines, each as often, in any order. Lines compare by their tokens; blank lines count for
    /// nothing, since without an order there is no telling a blank line at the end from another.
    UnorderedLines {
        /// Whether `YES` and `Yes` are the same token.
        ignore_case: bool,
    },
    /// As the default output validator of ICPC problem packages does, with these flags.
    Icpc(Icpc),
    /// As this standard checker of testlib does.
    Testlib(Testlib),
}

/// A row of the table of checkers, for help and error messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckerInfo {
    /// A name that [`Checker::parse`] understands as it stands.
    pub name: &'static str,
    /// What that checker does, in one line.
    pub summary: &'static str,
}

/// Every form that the name of a checker can take.
pub const CHECKERS: &[CheckerInfo] = &[
    CheckerInfo { name: "tokens", summary: "the same tokens in the same order, white space aside" },
    CheckerInfo { name: "tokens:ignore-case", summary: "as tokens, and YES = Yes (also: case-insensitive)" },
    CheckerInfo { name: "lines", summary: "the same tokens on the same lines" },
    CheckerInfo { name: "exact", summary: "the same bytes" },
    CheckerInfo { name: "numbers:1e-6", summary: "as tokens, numbers within this absolute or relative error" },
    CheckerInfo {
        name: "numbers:abs=1e-9,rel=1e-6",
        summary: "as numbers, each tolerance apart (one may be left out)",
    },
    CheckerInfo { name: "unordered-lines", summary: "the same lines in any order" },
    CheckerInfo { name: "unordered-lines:ignore-case", summary: "as unordered-lines, and YES = Yes" },
    CheckerInfo { name: "icpc", summary: "the default validator of ICPC packages: tokens, case ignored" },
    CheckerInfo {
        name: "icpc:case_sensitive,space_change_sensitive",
        summary: "the same with its flags; either may be left out",
    },
    CheckerInfo {
        name: "icpc:float_tolerance=1e-6",
        summary: "the same with numbers by value: absolute or relative error",
    },
    CheckerInfo {
        name: "icpc:float_absolute_tolerance=1e-9,float_relative_tolerance=1e-6",
        summary: "the same, each tolerance apart (one may be left out)",
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
    CheckerInfo { name: "nyesno", summary: "testlib: YES or NO in any case, many of them" },
    CheckerInfo { name: "pointscmp", summary: "testlib: one real number; right is a difference of 0 points" },
    CheckerInfo { name: "pointsinfo", summary: "testlib: one real number; right is a difference of 0" },
    CheckerInfo { name: "rcmp", summary: "testlib: one real number, absolute error 1.5e-6" },
    CheckerInfo { name: "rcmp4", summary: "testlib: real numbers, absolute or relative error 1e-4" },
    CheckerInfo { name: "rcmp6", summary: "testlib: real numbers, absolute or relative error 1e-6" },
    CheckerInfo { name: "rcmp9", summary: "testlib: real numbers, absolute or relative error 1e-9" },
    CheckerInfo { name: "rncmp", summary: "testlib: real numbers, absolute error 1.5e-5" },
    CheckerInfo { name: "uncmp", summary: "testlib: 64-bit integers in any order" },
    CheckerInfo { name: "wcmp", summary: "testlib: words in order" },
    CheckerInfo { name: "yesno", summary: "testlib: YES or NO in any case" },
];

impl Default for Checker {
    fn default() -> Self {
        Self::Tokens { ignore_case: false }
    }
}

impl Checker {
    /// The checker of this name; the forms are listed in [`CHECKERS`].
    ///
    /// # Errors
    /// A text for the user: what is wrong with the name, the nearest one, and all that there are.
    pub fn parse(text: &str) -> Result<Self, String> {
        match text.split_once(':').map_or((text, None), |(name, option)| (name, Some(option))) {
            ("tokens", None) => Ok(Self::Tokens { ignore_case: false }),
            ("tokens", Some("ignore-case")) | ("case-insensitive", None) => Ok(Self::Tokens { ignore_case: true }),
            ("exact", None) => Ok(Self::Exact),
            ("lines", None) => Ok(Self::Lines),
            ("numbers", tolerances) => parse_numbers(tolerances.unwrap_or_default()),
            ("unordered-lines", None) => Ok(Self::UnorderedLines { ignore_case: false }),
            ("unordered-lines", Some("ignore-case")) => Ok(Self::UnorderedLines { ignore_case: true }),
            ("icpc", None) => Ok(Self::Icpc(Icpc::default())),
            ("icpc", Some(flags)) => Icpc::parse_name(flags).map(Self::Icpc),
            (name, None) => Testlib::named(name).map(Self::Testlib).ok_or_else(|| unknown(text)),
            _ => Err(unknown(text)),
        }
    }

    /// The checker that the default output validator is with these flags, as `problem.yaml` lists them: words apart
    /// by white space. Where another checker of this crate judges the same, it is that one.
    ///
    /// # Errors
    /// A text for the user that names the flag: there is no such one, or it lacks its number.
    pub fn from_validator_flags(flags: &str) -> Result<Self, String> {
        let icpc = Icpc::parse(flags.split_whitespace())?;
        Ok(match (icpc.has_tolerance(), icpc.space_change_sensitive, icpc.case_sensitive) {
            (false, false, case_sensitive) => Self::Tokens { ignore_case: !case_sensitive },
            (false, true, true) => Self::Exact,
            _ => Self::Icpc(icpc),
        })
    }

    /// The name of this checker, which parses to it again.
    pub fn name(&self) -> String {
        match *self {
            Self::Tokens { ignore_case } => with_case("tokens", ignore_case),
            Self::Exact => "exact".to_owned(),
            Self::Lines => "lines".to_owned(),
            Self::Numbers { absolute, relative } if absolute.total_cmp(&relative).is_eq() => {
                format!("numbers:{}", show::shortest(absolute))
            }
            Self::Numbers { absolute, relative } => {
                format!("numbers:abs={},rel={}", show::shortest(absolute), show::shortest(relative))
            }
            Self::UnorderedLines { ignore_case } => with_case("unordered-lines", ignore_case),
            Self::Icpc(icpc) => icpc.name(),
            Self::Testlib(testlib) => testlib.name().to_owned(),
        }
    }

    /// Judges an output against the answer.
    ///
    /// The input is there for checkers that need it; those of this crate judge by the answer alone.
    pub fn check(&self, _input: &[u8], answer: &[u8], output: &[u8]) -> Judgement {
        match *self {
            // An answer that is not of the checker's form is the jury's mistake, whatever the output is.
            Self::Testlib(testlib) => testlib.check(answer, output),
            _ if answer == output => Judgement::Accepted,
            Self::Tokens { ignore_case } => tokens::check(answer, output, ignore_case),
            Self::Exact => exact::check(answer, output),
            Self::Lines => lines::check(answer, output),
            Self::Numbers { absolute, relative } => numbers::check(answer, output, absolute, relative),
            Self::UnorderedLines { ignore_case } => unordered::check(answer, output, ignore_case),
            Self::Icpc(icpc) => icpc.check(answer, output),
        }
    }

    /// What the checker sees of an output: all but a byte order mark that means nothing to it.
    pub(crate) fn seen<'a>(&self, output: &'a [u8]) -> &'a [u8] {
        match self {
            Self::Testlib(testlib) => testlib.seen(output),
            _ => output,
        }
    }
}

/// The name with its only option, if that is on.
fn with_case(name: &str, ignore_case: bool) -> String {
    if ignore_case { format!("{name}:ignore-case") } else { name.to_owned() }
}

/// Reads `1e-6`, which sets both tolerances, or `abs=1e-9,rel=1e-6`, in which an absent one is zero.
fn parse_numbers(tolerances: &str) -> Result<Checker, String> {
    if tolerances.is_empty() {
        return Err("checker `numbers` needs a tolerance: `numbers:1e-6` or `numbers:abs=1e-9,rel=1e-6`".to_owned());
    }
    if !tolerances.contains('=') {
        let both = parse_tolerance(tolerances)?;
        return Ok(Checker::Numbers { absolute: both, relative: both });
    }
    let (mut absolute, mut relative) = (None, None);
    for part in tolerances.split(',') {
        let (slot, text) = match part.split_once('=') {
            Some(("abs", text)) => (&mut absolute, text),
            Some(("rel", text)) => (&mut relative, text),
            _ => return Err(format!("checker `numbers` knows `abs=` and `rel=`, not `{part}`")),
        };
        if slot.replace(parse_tolerance(text)?).is_some() {
            return Err(format!("checker `numbers` was given two tolerances of one kind: `{tolerances}`"));
        }
    }
    Ok(Checker::Numbers { absolute: absolute.unwrap_or(0.0), relative: relative.unwrap_or(0.0) })
}

/// A tolerance is a decimal that is finite and not negative.
fn parse_tolerance(text: &str) -> Result<f64, String> {
    number::read(text.as_bytes())
        .filter(|value| value.is_finite() && !text.starts_with('-'))
        .ok_or_else(|| format!("checker `numbers` needs a tolerance such as `1e-6`, not `{text}`"))
}

/// The refusal of a name that is nobody's.
fn unknown(text: &str) -> String {
    let names = || CHECKERS.iter().map(|checker| checker.name);
    let meant = nearest(text, names().chain(["case-insensitive"]));
    let proposal = meant.map(|name| format!(" did you mean `{name}`?")).unwrap_or_default();
    let choices: Vec<String> = names().map(|name| format!("`{name}`")).collect();
    format!("no checker is called `{text}`;{proposal} there are {}", choices.join(", "))
}
