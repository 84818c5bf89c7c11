//! The encoding of requests and responses on a spawner's socket. Both ends are the same program, so there are no
//! versions; a damaged message is rejected rather than misread.

use super::{SpawnerResponse, SupervisionResult};
use crate::isolation::{CompilerAccess, SandboxPolicy};
use crate::run_files::RunFileList;
use crate::supervise::{MemoryPeak, RunRequest, StopReason, SupervisionReport};
use crate::sys::{ExecImage, ResourceLimits, RunError, RunStage};
use crate::{LimitHit, RunLimits};
use std::ffi::{CStr, CString};
use std::io;

/// The message that cancels the running program.
pub(super) const CANCEL_MESSAGE: &[u8] = b"";

const STOP_REASONS: [StopReason; 6] = [
    StopReason::Ended,
    StopReason::Cancelled,
    StopReason::Limit(LimitHit::CpuTime),
    StopReason::Limit(LimitHit::WallTime),
    StopReason::Limit(LimitHit::Memory),
    StopReason::Limit(LimitHit::Output),
];

const RUN_STAGES: [RunStage; 8] = [
    RunStage::Fork,
    RunStage::Prepare,
    RunStage::Execute,
    RunStage::Copy,
    RunStage::InPlace,
    RunStage::Unclean,
    RunStage::Wait,
    RunStage::End,
];

/// Encodes a request, and the inputs to run it on in sequence; no inputs if the input is a stream.
pub(super) fn encode_message(request: &RunRequest, inputs: &[&[u8]]) -> Vec<u8> {
    let mut out = MessageWriter::default();
    out.write_bytes(&encode_request(request)).write_number(request.variant);
    out.write_number(u64::from(request.is_in_place)).write_number(inputs.len() as u64);
    inputs.iter().for_each(|input| {
        out.write_bytes(input);
    });
    out.0
}

/// The parts of a message.
pub(super) struct DecodedMessage<'m> {
    /// The request without the variant, encoded.
    pub(super) request: &'m [u8],
    /// The variant of the program that a copy is to run, or 0.
    pub(super) variant: u64,
    /// True if the program is to run in place.
    pub(super) is_in_place: bool,
    /// The inputs to run it on; none if the input is a stream.
    pub(super) inputs: Vec<&'m [u8]>,
}

/// Splits a message. Requests stay encoded: they are cached by their bytes, because most repeat, if only with another
/// variant.
///
/// # Errors
///
/// Returns an error if the message is damaged.
pub(super) fn decode_message(bytes: &[u8]) -> io::Result<DecodedMessage<'_>> {
    let mut from = MessageReader(bytes);
    let request = from.read_bytes()?;
    let (variant, is_in_place, count) = (from.read_number()?, from.read_number()? == 1, from.read_number()?);
    let inputs = (0..count).map(|_| from.read_bytes()).collect::<io::Result<Vec<&[u8]>>>()?;
    from.require_end(DecodedMessage { request, variant, is_in_place, inputs })
}

/// Encodes a request without the variant.
fn encode_request(request: &RunRequest) -> Vec<u8> {
    let RunRequest { image, resources, limits, sandbox, uses_fork_server, variant: _, is_in_place: _, file_list } =
        request;
    let mut out = MessageWriter::default();
    out.write_text(&image.path).write_texts(&image.argv).write_texts(&image.environment).write_text(&image.directory);
    out.write_optional(resources.address_space_bytes).write_optional(resources.stack_bytes);
    out.write_number(resources.file_size_bytes)
        .write_number(resources.cpu_time_s)
        .write_optional(resources.max_open_files);
    out.write_number(limits.cpu_time_limit_ms)
        .write_number(limits.cpu_time_slack_ms)
        .write_number(limits.wall_time_limit_ms);
    out.write_number(limits.memory_limit_bytes)
        .write_number(limits.output_limit_bytes)
        .write_number(u64::from(*uses_fork_server));
    out.write_number(u64::from(sandbox.is_some()));
    if let Some(policy) = sandbox {
        out.write_texts(&policy.readable).write_texts(&policy.listable).write_numbers(&policy.inodes);
        out.write_number(u64::from(policy.has_processes));
        out.write_number(u64::from(policy.compiler.is_some()));
        if let Some(compiler) = &policy.compiler {
            out.write_texts(&compiler.sources).write_text(&compiler.results).write_texts(&compiler.caches);
        }
    }
    out.write_number(u64::from(file_list.is_some()));
    if let Some(list) = file_list {
        out.write_texts(&list.files).write_texts(&list.folders).write_texts(&list.collected_names);
    }
    out.0
}

/// Decodes a request.
///
/// # Errors
///
/// Returns an error if the message is damaged.
pub(super) fn decode_request(bytes: &[u8]) -> io::Result<RunRequest> {
    let mut from = MessageReader(bytes);
    let request = RunRequest {
        image: ExecImage {
            path: from.read_text()?,
            argv: from.read_texts()?,
            environment: from.read_texts()?.into(),
            directory: from.read_text()?,
        },
        resources: ResourceLimits {
            address_space_bytes: from.read_optional()?,
            stack_bytes: from.read_optional()?,
            file_size_bytes: from.read_number()?,
            cpu_time_s: from.read_number()?,
            max_open_files: from.read_optional()?,
        },
        limits: RunLimits {
            cpu_time_limit_ms: from.read_number()?,
            cpu_time_slack_ms: from.read_number()?,
            wall_time_limit_ms: from.read_number()?,
            memory_limit_bytes: from.read_number()?,
            output_limit_bytes: from.read_number()?,
        },
        uses_fork_server: from.read_number()? == 1,
        variant: 0,
        is_in_place: false,
        sandbox: match from.read_number()? {
            0 => None,
            _ => {
                let (readable, listable) = (from.read_texts()?, from.read_texts()?);
                let (inodes, has_processes) = (from.read_numbers()?, from.read_number()? == 1);
                let compiler = from.read_compiler_access()?;
                Some(SandboxPolicy { readable, listable, inodes, has_processes, compiler }.into())
            }
        },
        file_list: match from.read_number()? {
            0 => None,
            _ => Some(RunFileList {
                files: from.read_texts()?,
                folders: from.read_texts()?,
                collected_names: from.read_texts()?,
            }),
        },
    };
    from.require_end(request)
}

/// Encodes responses, each with the output and the messages if they were read.
pub(super) fn encode_responses(responses: &[SpawnerResponse]) -> Vec<u8> {
    let mut out = MessageWriter::default();
    out.write_number(responses.len() as u64);
    for (result, streams) in responses {
        out.write_result(result);
        let [output, error] =
            streams.as_ref().map_or([[].as_slice(); 2], |streams| streams.each_ref().map(Vec::as_slice));
        out.write_number(u64::from(streams.is_some())).write_bytes(output).write_bytes(error);
    }
    out.0
}

/// Decodes responses.
///
/// # Errors
///
/// Returns an error if the message is damaged.
pub(super) fn decode_responses(bytes: &[u8]) -> io::Result<Vec<SpawnerResponse>> {
    let mut from = MessageReader(bytes);
    let count = from.read_number()?;
    let read_response = |_| {
        let (result, is_read) = (from.read_result()?, from.read_number()? == 1);
        let streams = [from.read_bytes()?, from.read_bytes()?];
        Ok((result, is_read.then(|| streams.map(<[u8]>::to_vec))))
    };
    let responses = (0..count).map(read_response).collect::<io::Result<Vec<_>>>()?;
    from.require_end(responses)
}

#[derive(Default)]
struct MessageWriter(Vec<u8>);

impl MessageWriter {
    fn write_result(&mut self, result: &SupervisionResult) {
        match result {
            Ok(report) => {
                let (known, peak) = match report.memory {
                    MemoryPeak::Known(peak) => (1, peak),
                    MemoryPeak::AtMost(peak) => (0, peak),
                };
                self.write_number(0).write_index(&STOP_REASONS, report.stop).write_number(report.status as u32 as u64);
                self.write_number(report.cpu_time_us)
                    .write_number(report.wall_time_us)
                    .write_number(known)
                    .write_number(peak);
            }
            Err(RunError { stage, cause }) => {
                self.write_number(1)
                    .write_index(&RUN_STAGES, *stage)
                    .write_number(cause.raw_os_error().unwrap_or(0) as u32 as u64);
                self.write_bytes(cause.to_string().as_bytes());
            }
        }
    }

    fn write_number(&mut self, number: u64) -> &mut Self {
        self.0.extend_from_slice(&number.to_le_bytes());
        self
    }

    fn write_optional(&mut self, number: Option<u64>) -> &mut Self {
        self.write_number(u64::from(number.is_some())).write_number(number.unwrap_or(0))
    }

    fn write_index<T: PartialEq>(&mut self, all: &[T], one: T) -> &mut Self {
        let index = all.iter().position(|item| *item == one);
        self.write_number(index.map_or(u64::MAX, |index| index as u64))
    }

    fn write_bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.write_number(bytes.len() as u64).0.extend_from_slice(bytes);
        self
    }

    fn write_text(&mut self, text: &CStr) -> &mut Self {
        self.write_bytes(text.to_bytes())
    }

    fn write_texts(&mut self, texts: &[CString]) -> &mut Self {
        self.write_number(texts.len() as u64);
        texts.iter().fold(self, |out, text| out.write_text(text))
    }

    fn write_numbers(&mut self, numbers: &[u64]) -> &mut Self {
        self.write_number(numbers.len() as u64);
        numbers.iter().fold(self, |out, number| out.write_number(*number))
    }
}

struct MessageReader<'a>(&'a [u8]);

impl<'a> MessageReader<'a> {
    fn read_number(&mut self) -> io::Result<u64> {
        let (number, rest) = self.0.split_first_chunk::<8>().ok_or_else(damaged_message_error)?;
        self.0 = rest;
        Ok(u64::from_le_bytes(*number))
    }

    fn read_optional(&mut self) -> io::Result<Option<u64>> {
        let (is_there, number) = (self.read_number()? == 1, self.read_number()?);
        Ok(is_there.then_some(number))
    }

    fn read_item<T: Copy>(&mut self, all: &[T]) -> io::Result<T> {
        let index = self.read_number()?;
        usize::try_from(index).ok().and_then(|index| all.get(index)).copied().ok_or_else(damaged_message_error)
    }

    fn read_bytes(&mut self) -> io::Result<&'a [u8]> {
        let length = usize::try_from(self.read_number()?).map_err(|_| damaged_message_error())?;
        let (bytes, rest) = self.0.split_at_checked(length).ok_or_else(damaged_message_error)?;
        self.0 = rest;
        Ok(bytes)
    }

    fn read_text(&mut self) -> io::Result<CString> {
        CString::new(self.read_bytes()?).map_err(|_| damaged_message_error())
    }

    fn read_texts(&mut self) -> io::Result<Vec<CString>> {
        let count = self.read_number()?;
        (0..count).map(|_| self.read_text()).collect()
    }

    fn read_numbers(&mut self) -> io::Result<Vec<u64>> {
        let count = self.read_number()?;
        (0..count).map(|_| self.read_number()).collect()
    }

    fn read_compiler_access(&mut self) -> io::Result<Option<CompilerAccess>> {
        if self.read_number()? == 0 {
            return Ok(None);
        }
        Ok(Some(CompilerAccess { sources: self.read_texts()?, results: self.read_text()?, caches: self.read_texts()? }))
    }

    fn read_result(&mut self) -> io::Result<SupervisionResult> {
        if self.read_number()? == 1 {
            let stage = self.read_item(&RUN_STAGES)?;
            let code = self.read_number()? as u32 as i32;
            let words = String::from_utf8_lossy(self.read_bytes()?).into_owned();
            let cause = if code == 0 { io::Error::other(words) } else { io::Error::from_raw_os_error(code) };
            return Ok(Err(RunError { stage, cause }));
        }
        let stop = self.read_item(&STOP_REASONS)?;
        let status = self.read_number()? as u32 as i32;
        let (cpu_time_us, wall_time_us) = (self.read_number()?, self.read_number()?);
        let is_known = self.read_number()? == 1;
        let peak = self.read_number()?;
        let memory = if is_known { MemoryPeak::Known(peak) } else { MemoryPeak::AtMost(peak) };
        Ok(Ok(SupervisionReport { stop, status, cpu_time_us, wall_time_us, memory }))
    }

    /// Returns the value that was read, if the message ends here.
    fn require_end<T>(self, read: T) -> io::Result<T> {
        if self.0.is_empty() { Ok(read) } else { Err(damaged_message_error()) }
    }
}

fn damaged_message_error() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "a damaged message")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample_request() -> RunRequest {
        RunRequest {
            image: ExecImage {
                path: c"/bin/a".into(),
                argv: vec![c"a".into(), c"".into(), c"\xff".into()],
                environment: vec![c"A=b".into()].into(),
                directory: c"/".into(),
            },
            resources: ResourceLimits {
                address_space_bytes: Some(1),
                stack_bytes: None,
                file_size_bytes: u64::MAX,
                cpu_time_s: 3,
                max_open_files: Some(9),
            },
            limits: RunLimits::default(),
            sandbox: Some(
                SandboxPolicy {
                    readable: vec![c"/a".into()],
                    listable: vec![c"/b".into()],
                    inodes: vec![7, 8],
                    has_processes: true,
                    compiler: Some(CompilerAccess {
                        sources: vec![c"/c".into(), c"/d".into()],
                        results: c"/e".into(),
                        caches: vec![c"/f".into()],
                    }),
                }
                .into(),
            ),
            file_list: Some(RunFileList {
                files: vec![c"in".into(), c"ans".into()],
                folders: vec![c"out".into()],
                collected_names: vec![c"out/x".into()],
            }),
            uses_fork_server: true,
            variant: 0,
            is_in_place: false,
        }
    }

    #[test]
    fn requests_round_trip() -> io::Result<()> {
        assert_eq!(decode_request(&encode_request(&sample_request()))?, sample_request());
        Ok(())
    }

    #[test]
    fn inputs_round_trip_with_their_request() -> io::Result<()> {
        for (variant, inputs) in [(0, &[][..]), (7, &[b"".as_slice(), b"1 2\n"])] {
            let encoded = encode_message(&RunRequest { variant, ..sample_request() }, inputs);
            let DecodedMessage { request, variant: number, inputs: read, .. } = decode_message(&encoded)?;
            assert_eq!((decode_request(request)?, number, read.as_slice()), (sample_request(), variant, inputs));
            assert!(decode_message(&encoded[..encoded.len() - 1]).is_err());
        }
        Ok(())
    }

    #[test]
    fn responses_round_trip() -> io::Result<()> {
        let memory = MemoryPeak::AtMost(5);
        let report = |stop| SupervisionReport { stop, status: -1, cpu_time_us: 1, wall_time_us: 2, memory };
        let texts = |stop: StopReason| [format!("{stop:?}").into_bytes(), b"e".to_vec()];
        let encoded = encode_responses(&STOP_REASONS.map(|stop| (Ok(report(stop)), Some(texts(stop)))));
        let read = decode_responses(&encoded)?;
        assert_eq!(read.len(), STOP_REASONS.len());
        for (stop, (result, output)) in STOP_REASONS.into_iter().zip(read) {
            assert_eq!((result.ok(), output), (Some(report(stop)), Some(texts(stop))));
        }
        for (cause, words) in [(io::Error::from_raw_os_error(2), "No such file"), (io::Error::other("odd"), "odd")] {
            let responses =
                decode_responses(&encode_responses(&[(Err(RunError { stage: RunStage::End, cause }), None)]))?;
            let is_same = |error: &RunError| error.stage == RunStage::End && error.cause.to_string().contains(words);
            assert!(matches!(responses.as_slice(), [(Err(error), None)] if is_same(error)));
        }
        assert!(decode_responses(&encode_responses(&[]))?.is_empty());
        Ok(())
    }

    #[test]
    fn damaged_message_is_rejected() {
        let encoded = encode_request(&sample_request());
        for length in 0..encoded.len() {
            assert!(decode_request(&encoded[..length]).is_err());
        }
        assert!(decode_request(&[encoded.as_slice(), b"x"].concat()).is_err());
        assert!(decode_responses(&[9; 64]).is_err());
        assert!(decode_request(&u64::MAX.to_le_bytes()).is_err());
    }
}
