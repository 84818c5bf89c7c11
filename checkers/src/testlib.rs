//! The standard checkers of testlib under their own names, with its own verdicts.
//!
//! They are what most problems on Codeforces and Polygon are judged by, so a problem that names one of them must be
//! judged here as it is there: by the same tokens (only space, tab, newline and carriage return separate them), the
//! same numbers, the same faults laid on the jury, in the same order. Each of them reads both texts from the start
//! and stops at the first thing that it cannot go on from, a [`Refusal`].

mod cases;
mod fault;
mod lines;
mod points;
mod reals;
mod sequences;
mod single;
mod unordered;
mod values;

use crate::compare::name_words;
use crate::difference::BYTE_ORDER_MARK;
use crate::judgement::Judgement;
use fault::Refusal;
use reals::Real;
use values::name_integers;

/// A standard checker of testlib.
///
/// What it reads of the answer it also demands there: an answer that is not of the form (`abc` for `icmp`) is a
/// failure of the checker and never the output's. An answer may go on after what `icmp` and its like read; the
/// output may not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Testlib {
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
    /// `YES` or `NO` in any case, many of them.
    Nyesno,
    /// One real number; the difference is the points.
    Pointscmp,
    /// One real number; the difference is told.
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
    /// `YES` or `NO` in any case.
    Yesno,
}

impl Testlib {
    /// Every one of them, in the order of their names.
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

    /// Its name: that of its source file in testlib.
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

    /// The one of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|checker| checker.name() == name)
    }

    /// The output without a byte order mark, which is nothing there. In the answer it is part of a word.
    pub(crate) fn seen(self, output: &[u8]) -> &[u8] {
        output.strip_prefix(BYTE_ORDER_MARK).unwrap_or(output)
    }

    /// Judges as the original does.
    pub(crate) fn check(self, answer: &[u8], output: &[u8]) -> Judgement {
        let output = self.seen(output);
        match self {
            Self::Fcmp => lines::check(answer, output, lines::Comparison::Characters),
            Self::Lcmp => lines::check(answer, output, lines::Comparison::Words),
            _ => match self.read(answer, output) {
                Ok(()) => Judgement::Accepted,
                Err(refusal) => {
                    let same = |a: &[u8], b: &[u8]| self.same(a, b);
                    fault::judgement(answer, output, refusal, same, |a, b| self.name_difference(a, b))
                }
            },
        }
    }

    /// Reads both texts until one of them is refused.
    fn read<'a>(self, answer: &'a [u8], output: &'a [u8]) -> Result<(), Refusal<'a>> {
        let (answer, output) = (fault::words(answer), fault::words(output));
        match self {
            Self::Caseicmp => cases::integer_each(answer, output),
            Self::Casencmp => cases::integers(answer, output),
            Self::Casewcmp => cases::words(answer, output),
            Self::Hcmp => single::huge(answer, output),
            Self::Icmp => single::integer(answer, output),
            Self::Yesno => single::yes_or_no(answer, output),
            Self::Ncmp => sequences::integers(answer, output),
            Self::Nyesno => sequences::yes_or_no(answer, output),
            Self::Wcmp => sequences::words(answer, output),
            Self::Pointscmp => points::points(answer, output),
            Self::Pointsinfo => points::told(answer, output),
            Self::Uncmp => unordered::integers(answer, output),
            Self::Acmp | Self::Dcmp | Self::Rcmp => single::real(answer, output, self.real()),
            _ => sequences::reals(answer, output, self.real()),
        }
    }

    /// How real numbers are compared.
    fn real(self) -> Real {
        match self {
            Self::Acmp | Self::Rcmp => Real::Absolute(1.5e-6),
            Self::Rncmp => Real::Absolute(1.5e-5),
            Self::Rcmp4 => Real::Either(1e-4),
            Self::Rcmp9 => Real::Either(1e-9),
            Self::Pointscmp | Self::Pointsinfo => Real::Equal,
            _ => Real::Either(1e-6),
        }
    }

    /// What its tokens are.
    fn kind(self) -> Kind {
        match self {
            Self::Caseicmp | Self::Casencmp | Self::Hcmp | Self::Icmp | Self::Ncmp | Self::Uncmp => Kind::Integers,
            Self::Casewcmp | Self::Wcmp | Self::Fcmp | Self::Lcmp => Kind::Words,
            Self::Yesno | Self::Nyesno => Kind::YesOrNo,
            _ => Kind::Reals,
        }
    }

    /// Whether two tokens are the same.
    pub(crate) fn same(self, expected: &[u8], found: &[u8]) -> bool {
        match self.kind() {
            Kind::Reals => self.real().same(expected, found),
            Kind::YesOrNo => expected.eq_ignore_ascii_case(found),
            Kind::Words | Kind::Integers => expected == found,
        }
    }

    /// Whether case means nothing.
    pub(crate) fn ignores_case(self) -> bool {
        self.kind() == Kind::YesOrNo
    }

    /// The name of the difference of two tokens.
    fn name_difference(self, expected: &[u8], found: &[u8]) -> Option<String> {
        match self.kind() {
            Kind::Reals => self.real().name_difference(expected, found),
            Kind::Integers => name_integers(expected, found),
            Kind::YesOrNo => values::name_answers(found),
            Kind::Words => name_words(expected, found),
        }
    }
}

/// What tokens are taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Words,
    Integers,
    YesOrNo,
    Reals,
}

/// What separates words: not every white space of C, the vertical tab and the form feed are letters here.
pub(crate) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Whether `fcmp` takes two lines for the same.
pub(crate) fn is_same_line(expected: &[u8], found: &[u8]) -> bool {
    lines::is_same(expected, found, lines::Comparison::Characters)
}
