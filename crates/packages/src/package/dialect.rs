//! The dialects of the problem package format.

/// Dialects of the problem package format, by the version in `problem.yaml`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dialect {
    /// `legacy`, and packages without a version, as Kattis, DOMjudge and BAPCtools read them.
    #[default]
    Legacy,
    /// `legacy-icpc`: as `legacy`, without test groups and scores.
    LegacyIcpc,
    /// `2023-07-draft` (and the older `2023-07`).
    Draft2023,
    /// `2025-09`.
    V2025,
}
