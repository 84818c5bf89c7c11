//! What holds for every checker and any bytes. The bytes come from a small generator of their own, the same
//! on each run.

use rebut_checkers::{Checker, Icpc, Judgement, Testlib};

/// One checker of each kind and option.
pub(crate) fn every_checker() -> Vec<Checker> {
    let icpc = |case_sensitive, space_change_sensitive, absolute, relative| {
        Checker::Icpc(Icpc { case_sensitive, space_change_sensitive, absolute, relative })
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
    checkers.extend(Testlib::ALL.map(Checker::Testlib));
    checkers
}

/// Random words (splitmix64), shaped into texts that come near to being outputs.
pub(crate) struct Noise(pub(crate) u64);

impl Noise {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((word ^ (word >> 31)) % limit.max(1) as u64) as usize
    }

    /// Either any bytes, or a text of the fragments that checkers look at most closely.
    pub(crate) fn text(&mut self) -> Vec<u8> {
        let length = self.below(40);
        if self.below(3) == 0 {
            return (0..length).map(|_| self.below(256) as u8).collect();
        }
        (0..length).flat_map(|_| FRAGMENTS[self.below(FRAGMENTS.len())].iter().copied()).collect()
    }

    /// A text that differs from the given one in a few bytes.
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
fn the_answer_is_always_right() {
    let mut noise = Noise(1);
    for _ in 0..3_000 {
        let text = noise.text();
        // Of those of testlib, an answer must be of their form: they have their own law.
        for checker in every_checker().into_iter().filter(|checker| !matches!(checker, Checker::Testlib(_))) {
            assert_eq!(checker.check(b"", &text, &text), Judgement::Accepted, "{} on {text:?}", checker.name());
        }
    }
}

#[test]
fn no_bytes_make_a_checker_panic() {
    let mut noise = Noise(2);
    for _ in 0..10_000 {
        let answer = noise.text();
        let output = if noise.below(2) == 0 { noise.text() } else { noise.damaged(&answer) };
        for checker in every_checker() {
            if let Judgement::Wrong(told) = checker.check(b"", &answer, &output) {
                assert!(!told.message.is_empty());
                assert!(!told.message.chars().any(char::is_control), "{:?}", told.message);
            }
        }
    }
}

/// Each pair accepted on the left is accepted on the right: the checkers are ordered by strictness.
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
                assert!(judgement.is_accepted(), "{} accepts, {} says {judgement:?}", strict.name(), lenient.name());
            }
        }
    }
}

/// What differs in presentation only is what a checker of tokens without case, or without spaces, accepts.
#[test]
fn presentation_means_that_the_rest_is_right() {
    let ink = |text: &[u8]| -> Vec<u8> {
        text.iter().filter(|byte| !matches!(byte, b' ' | 9..=13)).map(u8::to_ascii_lowercase).collect()
    };
    let mut noise = Noise(4);
    for _ in 0..10_000 {
        let answer = noise.text();
        let output = noise.damaged(&answer);
        if let Judgement::Wrong(told) = Checker::default().check(b"", &answer, &output) {
            assert_eq!(told.presentation, ink(&answer) == ink(&output), "{answer:?} {output:?}");
        }
    }
}
