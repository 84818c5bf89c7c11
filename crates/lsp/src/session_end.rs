//! How a session ended.

/// How a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionEnd {
    /// The client sent `shutdown`, then `exit`.
    Clean,
    /// The client closed the stream.
    Closed,
    /// The client sent `exit` without `shutdown`.
    Abrupt,
}
