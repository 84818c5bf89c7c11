//! The standard checkers of testlib, with their verdicts.
//!
//! Most problems on Codeforces and Polygon are judged by them, so a problem that names one of them must get the same
//! verdicts here: the same tokens (separated only by space, tab, newline and carriage return), the same numbers, the
//! same judge errors, in the same order. Each checker reads both texts from the start and stops at the first token that
//! it cannot accept, with a [`TestlibRefusal`].

mod lines;
mod numbered_cases;
mod single_value;
mod value_sequence;
mod word_values;

use crate::difference_names::BYTE_ORDER_MARK;
use crate::judgement::Judgement;
use crate::token_comparison::name_word_difference;
use lines::TestlibRefusal;
use single_value::RealComparison;
use word_values::name_integer_difference;

/// A standard checker of testlib.
///
/// The answer has to have the form that the checker reads: a malformed answer (`abc` for `icmp`) is a failure of the
/// checker and never of the output. The answer can have more tokens than `icmp` and similar checkers read; the output
/// cannot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TestlibChecker {
    /// One real number, absolute error 1.5e-6.
    Acmp,
    /// `Case 1: x`, `Case 2: y`, ...: one integer each.
    Caseicmp,
    /// `Case 1: x y z`, ...: integers.
    Casencmp,
    /// `Case 1: a b c`, ...: words.
    Casewcmp,
    /// One real number, absolute or relative error 1e-6.
    Dcmp,
    /// Lines, character by character.
    Fcmp,
    /// One integer of any length.
    Hcmp,
    /// One integer of 32 bits.
    Icmp,
    /// Lines, word by word.
    Lcmp,
    /// Integers of 64 bits.
    Ncmp,
    /// A sequence of `YES` or `NO`, ignoring case.
    Nyesno,
    /// One real number; the difference is the score.
    Pointscmp,
    /// One real number; the difference is reported.
    Pointsinfo,
    /// One real number, absolute error 1.5e-6.
    Rcmp,
    /// Real numbers, absolute or relative error 1e-4.
    Rcmp4,
    /// Real numbers, absolute or relative error 1e-6.
    Rcmp6,
    /// Real numbers, absolute or relative error 1e-9.
    Rcmp9,
    /// Real numbers, absolute error 1.5e-5.
    Rncmp,
    /// Integers of 64 bits in any order.
    Uncmp,
    /// Words.
    Wcmp,
    /// `YES` or `NO`, ignoring case.
    Yesno,
}

impl TestlibChecker {
    /// All checkers, in the order of their names.
    pub const ALL: [Self; 21] = [
        Self::Acmp,
        Self::Caseicmp,
        Self::Casencmp,
        Self::Casewcmp,
        Self::Dcmp,
        Self::Fcmp,
        Self::Hcmp,
        Self::Icmp,
        Self::Lcmp,
        Self::Ncmp,
        Self::Nyesno,
        Self::Pointscmp,
        Self::Pointsinfo,
        Self::Rcmp,
        Self::Rcmp4,
        Self::Rcmp6,
        Self::Rcmp9,
        Self::Rncmp,
        Self::Uncmp,
        Self::Wcmp,
        Self::Yesno,
    ];

    /// Returns the checker's name, which is that of its source file in testlib.
    pub fn name(self) -> &'static str {
        match self {
            Self::Acmp => "acmp",
            Self::Caseicmp => "caseicmp",
            Self::Casencmp => "casencmp",
            Self::Casewcmp => "casewcmp",
            Self::Dcmp => "dcmp",
            Self::Fcmp => "fcmp",
            Self::Hcmp => "hcmp",
            Self::Icmp => "icmp",
            Self::Lcmp => "lcmp",
            Self::Ncmp => "ncmp",
            Self::Nyesno => "nyesno",
            Self::Pointscmp => "pointscmp",
            Self::Pointsinfo => "pointsinfo",
            Self::Rcmp => "rcmp",
            Self::Rcmp4 => "rcmp4",
            Self::Rcmp6 => "rcmp6",
            Self::Rcmp9 => "rcmp9",
            Self::Rncmp => "rncmp",
            Self::Uncmp => "uncmp",
            Self::Wcmp => "wcmp",
            Self::Yesno => "yesno",
        }
    }

    /// Returns the checker with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|checker| checker.name() == name)
    }

    /// Strips a byte order mark from the output. In the answer it is part of a word.
    pub(crate) fn strip_byte_order_mark(self, output: &[u8]) -> &[u8] {
        output.strip_prefix(BYTE_ORDER_MARK).unwrap_or(output)
    }

    /// Judges like the original.
    pub(crate) fn check(self, answer: &[u8], output: &[u8]) -> Judgement {
        let output = self.strip_byte_order_mark(output);
        match self {
            Self::Fcmp => lines::check_testlib_lines(answer, output, lines::LineComparison::Characters),
            Self::Lcmp => lines::check_testlib_lines(answer, output, lines::LineComparison::Words),
            _ => match self.read_texts(answer, output) {
                Ok(()) => Judgement::Accepted,
                Err(refusal) => {
                    let same = |a: &[u8], b: &[u8]| self.is_same_token(a, b);
                    lines::judge_refusal(answer, output, refusal, same, |a, b| self.name_difference(a, b))
                }
            },
        }
    }

    /// Reads both texts until one of them is refused.
    fn read_texts<'a>(self, answer: &'a [u8], output: &'a [u8]) -> Result<(), TestlibRefusal<'a>> {
        let (answer, output) = (lines::split_words(answer), lines::split_words(output));
        match self {
            Self::Caseicmp => numbered_cases::check_single_integers(answer, output),
            Self::Casencmp => numbered_cases::check_case_integers(answer, output),
            Self::Casewcmp => numbered_cases::check_case_words(answer, output),
            Self::Hcmp => single_value::check_long_integer(answer, output),
            Self::Icmp => single_value::check_integer(answer, output),
            Self::Yesno => single_value::check_yes_or_no(answer, output),
            Self::Ncmp => value_sequence::check_integers(answer, output),
            Self::Nyesno => value_sequence::check_yes_or_no_sequence(answer, output),
            Self::Wcmp => value_sequence::check_words(answer, output),
            Self::Pointscmp => value_sequence::check_points(answer, output),
            Self::Pointsinfo => value_sequence::check_points_info(answer, output),
            Self::Uncmp => value_sequence::check_integer_multiset(answer, output),
            Self::Acmp | Self::Dcmp | Self::Rcmp => single_value::check_real(answer, output, self.real_comparison()),
            _ => value_sequence::check_reals(answer, output, self.real_comparison()),
        }
    }

    /// Returns how the checker compares real numbers.
    fn real_comparison(self) -> RealComparison {
        match self {
            Self::Acmp | Self::Rcmp => RealComparison::Absolute(1.5e-6),
            Self::Rncmp => RealComparison::Absolute(1.5e-5),
            Self::Rcmp4 => RealComparison::AbsoluteOrRelative(1e-4),
            Self::Rcmp9 => RealComparison::AbsoluteOrRelative(1e-9),
            Self::Pointscmp | Self::Pointsinfo => RealComparison::Equal,
            _ => RealComparison::AbsoluteOrRelative(1e-6),
        }
    }

    /// Returns the kind of the checker's tokens.
    fn token_kind(self) -> TestlibTokenKind {
        match self {
            Self::Caseicmp | Self::Casencmp | Self::Hcmp | Self::Icmp | Self::Ncmp | Self::Uncmp => {
                TestlibTokenKind::Integers
            }
            Self::Casewcmp | Self::Wcmp | Self::Fcmp | Self::Lcmp => TestlibTokenKind::Words,
            Self::Yesno | Self::Nyesno => TestlibTokenKind::YesOrNo,
            _ => TestlibTokenKind::Reals,
        }
    }

    /// Returns true if two tokens are equal.
    pub(crate) fn is_same_token(self, expected: &[u8], found: &[u8]) -> bool {
        match self.token_kind() {
            TestlibTokenKind::Reals => self.real_comparison().is_same_token(expected, found),
            TestlibTokenKind::YesOrNo => expected.eq_ignore_ascii_case(found),
            TestlibTokenKind::Words | TestlibTokenKind::Integers => expected == found,
        }
    }

    pub(crate) fn ignores_case(self) -> bool {
        self.token_kind() == TestlibTokenKind::YesOrNo
    }

    /// Returns the name of the difference between two tokens.
    fn name_difference(self, expected: &[u8], found: &[u8]) -> Option<String> {
        match self.token_kind() {
            TestlibTokenKind::Reals => self.real_comparison().name_difference(expected, found),
            TestlibTokenKind::Integers => name_integer_difference(expected, found),
            TestlibTokenKind::YesOrNo => word_values::name_yes_or_no_difference(found),
            TestlibTokenKind::Words => name_word_difference(expected, found),
        }
    }
}

/// The kind of tokens that a checker reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TestlibTokenKind {
    Words,
    Integers,
    YesOrNo,
    Reals,
}

/// Returns true for bytes that separate words. Unlike C's `isspace`, this excludes vertical tab and form feed.
pub(crate) fn is_testlib_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Returns true if `fcmp` accepts one line for the other.
pub(crate) fn is_same_line(expected: &[u8], found: &[u8]) -> bool {
    lines::is_same_text(expected, found, lines::LineComparison::Characters)
}
