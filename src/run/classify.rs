//! Which limit a run reached, from what is known after it. Pure.

use super::supervise::{MemoryPeak, Stop};
use super::{Exit, LimitHit, Limits};

/// What is known about a process that has ended.
pub(super) struct Facts<'a> {
    /// Why it was no longer watched.
    pub(super) stop: Stop,
    /// How it ended.
    pub(super) exit: Exit,
    /// Processor time.
    pub(super) cpu_time_us: u64,
    /// Memory peak.
    pub(super) memory: MemoryPeak,
    /// The length of the longer of output and error stream.
    pub(super) written_bytes: u64,
    /// The end of the error stream.
    pub(super) stderr: &'a [u8],
}

/// The limit that was reached, the most certain sign first.
///
/// Output: more was written than allowed (the kernel lets one byte more than that pass, and no further).
/// Memory, if it is known to have held more than allowed: on a busy machine getting so much takes long, too.
/// Processor time: it used more than allowed. Memory again: see [`out_of_memory`]. Wall time: only as the reason
/// for which it was stopped, so a program that computed until then is reported for its processor time.
pub(super) fn limit_hit(facts: &Facts<'_>, limits: &Limits) -> Option<LimitHit> {
    if facts.written_bytes > limits.output_limit_bytes {
        Some(LimitHit::Output)
    } else if matches!(facts.memory, MemoryPeak::Known(peak) if peak > limits.memory_limit_bytes) {
        Some(LimitHit::Memory)
    } else if facts.cpu_time_us > limits.cpu_time_limit_ms.saturating_mul(1000) {
        Some(LimitHit::CpuTime)
    } else if out_of_memory(facts, limits) {
        Some(LimitHit::Memory)
    } else {
        match facts.stop {
            Stop::Limit(limit) => Some(limit),
            Stop::Ended | Stop::Cancelled => None,
        }
    }
}

/// A program that is refused memory does not die of it: it aborts, throws, or follows a null pointer. So it is
/// out of memory if its peak is above the limit; or if it failed with a peak of nine tenths of the limit or
/// more; or if it failed and the end of its error stream has the words of a runtime that was refused memory.
fn out_of_memory(facts: &Facts<'_>, limits: &Limits) -> bool {
    let near = |part: u64| match facts.memory {
        MemoryPeak::Known(peak) => peak > part,
        MemoryPeak::AtMost(_) => false,
    };
    let limit = limits.memory_limit_bytes;
    near(limit) || (!facts.exit.is_success() && (near(limit - limit / 10) || says_out_of_memory(facts.stderr)))
}

/// What C++, Python, Java, Go, Node and Rust say last.
const COMPLAINTS: &[&str] = &[
    "std::bad_alloc",
    "\nMemoryError",
    "java.lang.OutOfMemoryError",
    "fatal error: out of memory",
    "runtime: out of memory",
    "JavaScript heap out of memory",
    "memory allocation of ",
];

fn says_out_of_memory(stderr: &[u8]) -> bool {
    let end = &stderr[stderr.len() - stderr.len().min(8192)..];
    let text = String::from_utf8_lossy(end);
    COMPLAINTS.iter().any(|complaint| text.contains(complaint))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    fn hit(change: impl FnOnce(&mut Facts<'_>)) -> Option<LimitHit> {
        let mut facts = Facts {
            stop: Stop::Ended,
            exit: Exit::Signal(6),
            cpu_time_us: 0,
            memory: MemoryPeak::Known(MIB),
            written_bytes: 0,
            stderr: b"",
        };
        change(&mut facts);
        let limits = Limits { memory_limit_bytes: 100 * MIB, output_limit_bytes: 10, ..Limits::with_cpu_time_ms(1000) };
        limit_hit(&facts, &limits)
    }

    #[test]
    fn an_ordinary_crash_hits_no_limit() {
        assert_eq!(hit(|_| {}), None);
        assert_eq!(hit(|facts| facts.written_bytes = 10), None);
        assert_eq!(hit(|facts| facts.cpu_time_us = 1_000_000), None);
    }

    #[test]
    fn too_much_memory_is_worse_than_too_much_time() {
        let both = |facts: &mut Facts<'_>| {
            (facts.cpu_time_us, facts.memory) = (1_000_001, MemoryPeak::Known(101 * MIB));
        };
        assert_eq!(hit(both), Some(LimitHit::Memory));
        let near = |facts: &mut Facts<'_>| {
            (facts.cpu_time_us, facts.memory) = (1_000_001, MemoryPeak::Known(95 * MIB));
        };
        assert_eq!(hit(near), Some(LimitHit::CpuTime));
    }

    #[test]
    fn memory_is_known_by_its_peak_or_by_its_complaint() {
        assert_eq!(hit(|facts| facts.memory = MemoryPeak::Known(95 * MIB)), Some(LimitHit::Memory));
        assert_eq!(hit(|facts| facts.memory = MemoryPeak::AtMost(500 * MIB)), None);
        assert_eq!(hit(|facts| facts.stderr = b"what():  std::bad_alloc\n"), Some(LimitHit::Memory));
        let accepted = |facts: &mut Facts<'_>| {
            facts.exit = Exit::Code(0);
            facts.memory = MemoryPeak::Known(95 * MIB);
            facts.stderr = b"std::bad_alloc";
        };
        assert_eq!(hit(accepted), None);
    }

    #[test]
    fn a_busy_program_stopped_on_the_wall_is_reported_for_its_processor_time() {
        let stop = Stop::Limit(LimitHit::WallTime);
        assert_eq!(hit(|facts| facts.stop = stop), Some(LimitHit::WallTime));
        let busy = |facts: &mut Facts<'_>| (facts.stop, facts.cpu_time_us) = (stop, 1_000_001);
        assert_eq!(hit(busy), Some(LimitHit::CpuTime));
        assert_eq!(hit(|facts| facts.written_bytes = 11), Some(LimitHit::Output));
    }
}
