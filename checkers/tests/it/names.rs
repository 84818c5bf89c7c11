//! Names of checkers: they round-trip, and an error lists the known ones.

use rebut_checkers::{CHECKERS, Checker};

use crate::laws::every_checker;

#[test]
fn a_name_parses_to_its_checker() {
    for checker in every_checker() {
        assert_eq!(Checker::parse(&checker.name()), Ok(checker));
    }
    let odd = Checker::Numbers { absolute: 1e-300, relative: 0.1 + 0.2 };
    assert_eq!(Checker::parse(&odd.name()), Ok(odd));
}

#[test]
fn the_table_lists_names_that_parse() {
    for info in CHECKERS {
        assert_eq!(Checker::parse(info.name).unwrap().name(), info.name);
    }
}

#[test]
fn spellings() {
    let table = [
        ("case-insensitive", "tokens:ignore-case"),
        ("numbers:0.000001", "numbers:1e-6"),
        ("numbers:0", "numbers:0"),
        ("numbers:abs=1e-9", "numbers:abs=1e-9,rel=0"),
        ("numbers:rel=1e-6,abs=.5", "numbers:abs=0.5,rel=1e-6"),
    ];
    for (text, name) in table {
        assert_eq!(Checker::parse(text).map(|checker| checker.name()).as_deref(), Ok(name), "{text}");
    }
}

#[test]
fn unknown_names_are_errors() {
    let all = "available checkers: `tokens`, `tokens:ignore-case`, `lines`, `exact`, `numbers:1e-6`, \
               `numbers:abs=1e-9,rel=1e-6`, `unordered-lines`, `unordered-lines:ignore-case`, `icpc`, \
               `icpc:case_sensitive,space_change_sensitive`, `icpc:float_tolerance=1e-6`, \
               `icpc:float_absolute_tolerance=1e-9,float_relative_tolerance=1e-6`, `acmp`, `caseicmp`, `casencmp`, \
               `casewcmp`, `dcmp`, `fcmp`, `hcmp`, `icmp`, `lcmp`, `ncmp`, `nyesno`, `pointscmp`, `pointsinfo`, `rcmp`, \
               `rcmp4`, `rcmp6`, `rcmp9`, `rncmp`, `uncmp`, `wcmp`, `yesno`";
    let table = [
        ("token", format!("unknown checker `token`; did you mean `tokens`? {all}")),
        ("Exact", format!("unknown checker `Exact`; did you mean `exact`? {all}")),
        ("tokens:ignorecase", format!("unknown checker `tokens:ignorecase`; did you mean `tokens:ignore-case`? {all}")),
        ("wcmpp", format!("unknown checker `wcmpp`; did you mean `wcmp`? {all}")),
        ("wcmp:ignore-case", format!("unknown checker `wcmp:ignore-case`; did you mean `tokens:ignore-case`? {all}")),
        ("frobnicate", format!("unknown checker `frobnicate`; {all}")),
        ("", format!("unknown checker ``; {all}")),
        ("numbers", "checker `numbers` needs a tolerance: `numbers:1e-6` or `numbers:abs=1e-9,rel=1e-6`".to_owned()),
        ("numbers:-1", "checker `numbers` needs a tolerance such as `1e-6`, not `-1`".to_owned()),
        ("numbers:nan", "checker `numbers` needs a tolerance such as `1e-6`, not `nan`".to_owned()),
        ("numbers:1e999", "checker `numbers` needs a tolerance such as `1e-6`, not `1e999`".to_owned()),
        ("numbers:eps=1", "checker `numbers` accepts `abs=` and `rel=`, not `eps=1`".to_owned()),
        ("numbers:abs=1,abs=2", "checker `numbers` has two tolerances of the same kind: `abs=1,abs=2`".to_owned()),
    ];
    for (text, message) in table {
        assert_eq!(Checker::parse(text), Err(message), "{text}");
    }
}

#[test]
fn tolerances_that_accept_nearly_everything_are_refused() {
    for text in ["numbers:1e6", "numbers:2", "numbers:rel=1", "numbers:abs=1e3", "icpc:float_tolerance=1e6"] {
        let message = Checker::parse(text).unwrap_err();
        assert!(message.starts_with("expected a tolerance below 1, such as `1e-6`, not "), "{text}: {message}");
    }
    for text in ["numbers:abs=2", "numbers:abs=1000,rel=1e-6", "icpc:float_absolute_tolerance=2", "numbers:0.999"] {
        assert!(Checker::parse(text).is_ok(), "{text}");
    }
}
