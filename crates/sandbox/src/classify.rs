//! Decides which limit a run reached, from the facts known after it. Pure.

use super::supervise::{MemoryPeak, StopReason};
use super::{LimitHit, ProcessExit, RunLimits};

/// The facts known about a process that has ended.
pub(super) struct LimitEvidence<'a> {
    /// Why supervision stopped.
    pub(super) stop: StopReason,
    /// How the process ended.
    pub(super) exit: ProcessExit,
    pub(super) cpu_time_us: u64,
    pub(super) memory: MemoryPeak,
    /// The length of the output or the error stream, whichever is longer.
    pub(super) written_bytes: u64,
    /// The end of the error stream.
    pub(super) stderr: &'a [u8],
}

/// Returns the limit that was reached, checking the most certain evidence first:
///
/// 1. Output: more was written than allowed. The kernel lets one more byte pass, and nothing beyond that.
/// 2. Memory, if the peak is known to exceed the limit. This comes before processor time, because allocating that much
///    takes long on a busy machine.
/// 3. Processor time: more was used than allowed.
/// 4. Memory again, see [`is_out_of_memory`].
/// 5. The reason why supervision stopped. So a program that computed until its wall time was over is reported for its
///    processor time.
pub(super) fn find_limit_hit(facts: &LimitEvidence<'_>, limits: &RunLimits) -> Option<LimitHit> {
    if facts.written_bytes > limits.output_limit_bytes {
        Some(LimitHit::Output)
    } else if matches!(facts.memory, MemoryPeak::Known(peak) if peak > limits.memory_limit_bytes) {
        Some(LimitHit::Memory)
    } else if facts.cpu_time_us > limits.cpu_time_limit_ms.saturating_mul(1000) {
        Some(LimitHit::CpuTime)
    } else if is_out_of_memory(facts, limits) {
        Some(LimitHit::Memory)
    } else {
        match facts.stop {
            StopReason::Limit(limit) => Some(limit),
            StopReason::Ended | StopReason::Cancelled => None,
        }
    }
}

/// Returns true if the program ran out of memory. A program that is refused memory does not die of that: it aborts,
/// throws, or follows a null pointer. So it is out of memory if its peak is above the limit, or if it failed with a
/// peak of nine tenths of the limit or more, or if it failed and its error stream ends with a runtime's message about
/// memory.
fn is_out_of_memory(facts: &LimitEvidence<'_>, limits: &RunLimits) -> bool {
    let near = |part: u64| match facts.memory {
        MemoryPeak::Known(peak) => peak > part,
        MemoryPeak::AtMost(_) => false,
    };
    let limit = limits.memory_limit_bytes;
    near(limit) || (!facts.exit.is_success() && (near(limit - limit / 10) || mentions_out_of_memory(facts.stderr)))
}

/// The last messages of C++, Python, Java, Go, Node and Rust.
const OUT_OF_MEMORY_MESSAGES: &[&str] = &[
    "std::bad_alloc",
    "\nMemoryError",
    "java.lang.OutOfMemoryError",
    "fatal error: out of memory",
    "runtime: out of memory",
    "JavaScript heap out of memory",
    "memory allocation of ",
];

fn mentions_out_of_memory(stderr: &[u8]) -> bool {
    let end = &stderr[stderr.len() - stderr.len().min(8192)..];
    let text = String::from_utf8_lossy(end);
    OUT_OF_MEMORY_MESSAGES.iter().any(|message| text.contains(message))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    fn limit_hit_after(change: impl FnOnce(&mut LimitEvidence<'_>)) -> Option<LimitHit> {
        let mut facts = LimitEvidence {
            stop: StopReason::Ended,
            exit: ProcessExit::Signal(6),
            cpu_time_us: 0,
            memory: MemoryPeak::Known(MIB),
            written_bytes: 0,
            stderr: b"",
        };
        change(&mut facts);
        let limits =
            RunLimits { memory_limit_bytes: 100 * MIB, output_limit_bytes: 10, ..RunLimits::with_cpu_time_ms(1000) };
        find_limit_hit(&facts, &limits)
    }

    #[test]
    fn an_ordinary_crash_hits_no_limit() {
        assert_eq!(limit_hit_after(|_| {}), None);
        assert_eq!(limit_hit_after(|facts| facts.written_bytes = 10), None);
        assert_eq!(limit_hit_after(|facts| facts.cpu_time_us = 1_000_000), None);
    }

    #[test]
    fn memory_limit_takes_precedence_over_time_limit() {
        let both = |facts: &mut LimitEvidence<'_>| {
            (facts.cpu_time_us, facts.memory) = (1_000_001, MemoryPeak::Known(101 * MIB));
        };
        assert_eq!(limit_hit_after(both), Some(LimitHit::Memory));
        let near = |facts: &mut LimitEvidence<'_>| {
            (facts.cpu_time_us, facts.memory) = (1_000_001, MemoryPeak::Known(95 * MIB));
        };
        assert_eq!(limit_hit_after(near), Some(LimitHit::CpuTime));
    }

    #[test]
    fn out_of_memory_is_detected_by_peak_or_message() {
        assert_eq!(limit_hit_after(|facts| facts.memory = MemoryPeak::Known(95 * MIB)), Some(LimitHit::Memory));
        assert_eq!(limit_hit_after(|facts| facts.memory = MemoryPeak::AtMost(500 * MIB)), None);
        assert_eq!(limit_hit_after(|facts| facts.stderr = b"what():  std::bad_alloc\n"), Some(LimitHit::Memory));
        let accepted = |facts: &mut LimitEvidence<'_>| {
            facts.exit = ProcessExit::Code(0);
            facts.memory = MemoryPeak::Known(95 * MIB);
            facts.stderr = b"std::bad_alloc";
        };
        assert_eq!(limit_hit_after(accepted), None);
    }

    #[test]
    fn busy_program_stopped_on_wall_time_reports_cpu_time() {
        let stop = StopReason::Limit(LimitHit::WallTime);
        assert_eq!(limit_hit_after(|facts| facts.stop = stop), Some(LimitHit::WallTime));
        let busy = |facts: &mut LimitEvidence<'_>| (facts.stop, facts.cpu_time_us) = (stop, 1_000_001);
        assert_eq!(limit_hit_after(busy), Some(LimitHit::CpuTime));
        assert_eq!(limit_hit_after(|facts| facts.written_bytes = 11), Some(LimitHit::Output));
    }
}
