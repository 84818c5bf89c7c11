//! Properties of every checker for any bytes. The bytes come from a small generator with a fixed seed.

use rebut_checkers::{Checker, IcpcFlags, Judgement, TestlibChecker};

/// Returns one checker of each kind and option.
pub(crate) fn every_checker() -> Vec<Checker> {
    let icpc = |case_sensitive, space_change_sensitive, absolute, relative| {
        Checker::Icpc(IcpcFlags { case_sensitive, space_change_sensitive, absolute, relative })
    };
    let mut checkers = vec![
        icpc(false, false, None, None),
        icpc(false, true, None, None),
        icpc(true, true, None, None),
        icpc(false, false, Some(1e-6), Some(1e-6)),
        icpc(true, true, Some(0.0), Some(1e-9)),
        icpc(false, true, Some(0.5), None),
        Checker::Tokens { ignore_case: false },
        Checker::Tokens { ignore_case: true },
        Checker::Exact,
        Checker::Lines,
        Checker::Numbers { absolute: 1e-6, relative: 1e-6 },
        Checker::Numbers { absolute: 1e-9, relative: 0.0 },
        Checker::Numbers { absolute: 0.0, relative: 0.0 },
        Checker::UnorderedLines { ignore_case: false },
        Checker::UnorderedLines { ignore_case: true },
    ];
    checkers.extend(TestlibChecker::ALL.map(Checker::Testlib));
    checkers
}

/// A random generator (splitmix64) of texts that are similar to outputs.
pub(crate) struct Noise(pub(crate) u64);

impl Noise {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((word ^ (word >> 31)) % limit.max(1) as u64) as usize
    }

    /// Returns either random bytes, or a text of fragments that checkers treat specially.
    pub(crate) fn text(&mut self) -> Vec<u8> {
        let length = self.below(40);
        if self.below(3) == 0 {
            return (0..length).map(|_| self.below(256) as u8).collect();
        }
        (0..length).flat_map(|_| FRAGMENTS[self.below(FRAGMENTS.len())].iter().copied()).collect()
    }

    /// Returns a text that differs from the given one in a few bytes.
    pub(crate) fn damaged(&mut self, text: &[u8]) -> Vec<u8> {
        let mut text = text.to_vec();
        for _ in 0..=self.below(3) {
            let at = self.below(text.len() + 1);
            match self.below(3) {
                0 => text.insert(at, b" \n\r0aA\0\xff"[self.below(8)]),
                1 if at < text.len() => drop(text.remove(at)),
                _ => text.truncate(at),
            }
        }
        text
    }
}

const FRAGMENTS: &[&[u8]] = &[
    b" ",
    b"\n",
    b"\r\n",
    b"\t",
    b"\x0b",
    b"0",
    b"1",
    b"-",
    b".",
    b"e",
    b"5",
    b"e999",
    b"nan",
    b"NaN",
    b"inf",
    b"+5",
    b"1/0",
    b"0x1p3",
    b"1_000",
    b"YES",
    b"Yes",
    b"\0",
    b"\xff",
    "\u{feff}".as_bytes(),
    "é".as_bytes(),
    b"\n\n",
    b"0.333333",
    b"0.333334",
    b"9007199254740993",
    b"9007199254740992",
];

#[test]
fn answer_itself_is_accepted() {
    let mut noise = Noise(1);
    for _ in 0..3_000 {
        let text = noise.text();
        // The testlib checkers require a well-formed answer and have their own test.
        for checker in every_checker().into_iter().filter(|checker| !matches!(checker, Checker::Testlib(_))) {
            assert_eq!(checker.check(b"", &text, &text), Judgement::Accepted, "{} on {text:?}", checker.name());
        }
    }
}

#[test]
fn arbitrary_bytes_do_not_panic() {
    let mut noise = Noise(2);
    for _ in 0..10_000 {
        let answer = noise.text();
        let output = if noise.below(2) == 0 { noise.text() } else { noise.damaged(&answer) };
        for checker in every_checker() {
            if let Judgement::Wrong(mismatch) = checker.check(b"", &answer, &output) {
                assert!(!mismatch.message.is_empty());
                assert!(!mismatch.message.chars().any(char::is_control), "{:?}", mismatch.message);
            }
        }
    }
}

/// Each pair that the left checker accepts is accepted by the right one: the checkers are ordered by strictness.
#[test]
fn a_stricter_checker_accepts_no_more() {
    let numbers = Checker::Numbers { absolute: 1e-6, relative: 1e-6 };
    let tokens = Checker::Tokens { ignore_case: false };
    let named = |name| Checker::parse(name).unwrap();
    let chains = [
        (Checker::Exact, Checker::Lines),
        (Checker::Lines, tokens),
        (tokens, Checker::Tokens { ignore_case: true }),
        (tokens, numbers),
        (Checker::Lines, Checker::UnorderedLines { ignore_case: false }),
        (Checker::UnorderedLines { ignore_case: false }, Checker::UnorderedLines { ignore_case: true }),
        (named("icpc:case_sensitive,space_change_sensitive"), named("icpc:space_change_sensitive")),
        (named("icpc:space_change_sensitive"), named("icpc:space_change_sensitive,float_tolerance=1e-6")),
        (named("icpc:space_change_sensitive,float_tolerance=1e-6"), named("icpc:float_tolerance=1e-6")),
        (named("icpc:float_absolute_tolerance=1e-6"), named("icpc:float_tolerance=1e-6")),
        (named("fcmp"), named("lcmp")),
        (named("icmp"), named("dcmp")),
        (named("ncmp"), named("wcmp")),
        (named("ncmp"), named("uncmp")),
        (named("ncmp"), named("rcmp9")),
        (named("rcmp9"), named("rcmp6")),
        (named("rcmp6"), named("rcmp4")),
        (named("rcmp"), named("acmp")),
        (named("casencmp"), named("casewcmp")),
        (named("pointscmp"), named("pointsinfo")),
    ];
    let mut noise = Noise(3);
    for _ in 0..10_000 {
        let answer = noise.text();
        let output = noise.damaged(&answer);
        for (strict, lenient) in chains {
            if strict.check(b"", &answer, &output).is_accepted() {
                let judgement = lenient.check(b"", &answer, &output);
                assert!(judgement.is_accepted(), "{} accepts, {} returns {judgement:?}", strict.name(), lenient.name());
            }
        }
    }
}

/// An output that differs only in presentation is accepted by a checker of tokens that ignores case, or white space.
#[test]
fn presentation_means_that_the_rest_is_right() {
    let ink = |text: &[u8]| -> Vec<u8> {
        text.iter().filter(|byte| !matches!(byte, b' ' | 9..=13)).map(u8::to_ascii_lowercase).collect()
    };
    let mut noise = Noise(4);
    for _ in 0..10_000 {
        let answer = noise.text();
        let output = noise.damaged(&answer);
        if let Judgement::Wrong(mismatch) = Checker::default().check(b"", &answer, &output) {
            assert_eq!(mismatch.presentation, ink(&answer) == ink(&output), "{answer:?} {output:?}");
        }
    }
}
