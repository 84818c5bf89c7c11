//! How orders and answers are spelt on a line. Both ends are the same program, so there are no versions; but what
//! is damaged is refused, never misunderstood.

use super::{Answer, Told};
use crate::run::isolation::{CompilerAccess, Walls};
use crate::run::luggage::PackingList;
use crate::run::supervise::{MemoryPeak, Order, Report, Stop};
use crate::run::sys::{Image, Resources, RunError, Stage};
use crate::run::{LimitHit, Limits};
use std::ffi::{CStr, CString};
use std::io;

/// The message for nobody wanting the running program any more.
pub(super) const STOP: &[u8] = b"";

const STOPS: [Stop; 6] = [
    Stop::Ended,
    Stop::Cancelled,
    Stop::Limit(LimitHit::CpuTime),
    Stop::Limit(LimitHit::WallTime),
    Stop::Limit(LimitHit::Memory),
    Stop::Limit(LimitHit::Output),
];

const STAGES: [Stage; 6] = [Stage::Fork, Stage::Prepare, Stage::Execute, Stage::Copy, Stage::Wait, Stage::End];

/// An order, and the inputs on which it is to be carried out one after the other; none where the input is a stream.
pub(super) fn spell_message(order: &Order, inputs: &[&[u8]]) -> Vec<u8> {
    let mut out = Writer::default();
    out.bytes(&spell_order(order)).number(inputs.len() as u64);
    inputs.iter().for_each(|input| {
        out.bytes(input);
    });
    out.0
}

/// The order and the inputs that these bytes are. Orders are kept as bytes: most are always the same.
///
/// # Errors
///
/// They are none.
pub(super) fn read_message(bytes: &[u8]) -> io::Result<(&[u8], Vec<&[u8]>)> {
    let mut from = Reader(bytes);
    let order = from.bytes()?;
    let count = from.number()?;
    let inputs = (0..count).map(|_| from.bytes()).collect::<io::Result<Vec<&[u8]>>>()?;
    from.end((order, inputs))
}

/// An order as bytes.
fn spell_order(order: &Order) -> Vec<u8> {
    let Order { image, resources, limits, walls, is_warm, luggage } = order;
    let mut out = Writer::default();
    out.text(&image.path).texts(&image.argv).texts(&image.environment).text(&image.directory);
    out.optional(resources.address_space_bytes).optional(resources.stack_bytes);
    out.number(resources.file_size_bytes).number(resources.cpu_time_s).optional(resources.open_files);
    out.number(limits.cpu_time_limit_ms).number(limits.cpu_time_slack_ms).number(limits.wall_time_limit_ms);
    out.number(limits.memory_limit_bytes).number(limits.output_limit_bytes).number(u64::from(*is_warm));
    out.number(u64::from(walls.is_some()));
    if let Some(walls) = walls {
        out.texts(&walls.readable).texts(&walls.listable).number(u64::from(walls.has_processes));
        out.number(u64::from(walls.compiler.is_some()));
        if let Some(compiler) = &walls.compiler {
            out.texts(&compiler.sources).text(&compiler.results).texts(&compiler.caches);
        }
    }
    out.number(u64::from(luggage.is_some()));
    if let Some(luggage) = luggage {
        out.texts(&luggage.files).texts(&luggage.folders).texts(&luggage.wanted);
    }
    out.0
}

/// The order that these bytes are.
///
/// # Errors
///
/// They are none.
pub(super) fn read_order(bytes: &[u8]) -> io::Result<Order> {
    let mut from = Reader(bytes);
    let order = Order {
        image: Image {
            path: from.text()?,
            argv: from.texts()?,
            environment: from.texts()?.into(),
            directory: from.text()?,
        },
        resources: Resources {
            address_space_bytes: from.optional()?,
            stack_bytes: from.optional()?,
            file_size_bytes: from.number()?,
            cpu_time_s: from.number()?,
            open_files: from.optional()?,
        },
        limits: Limits {
            cpu_time_limit_ms: from.number()?,
            cpu_time_slack_ms: from.number()?,
            wall_time_limit_ms: from.number()?,
            memory_limit_bytes: from.number()?,
            output_limit_bytes: from.number()?,
        },
        is_warm: from.number()? == 1,
        walls: match from.number()? {
            0 => None,
            _ => {
                let (readable, listable) = (from.texts()?, from.texts()?);
                let has_processes = from.number()? == 1;
                Some(Walls { readable, listable, has_processes, compiler: from.compiler()? }.into())
            }
        },
        luggage: match from.number()? {
            0 => None,
            _ => Some(PackingList { files: from.texts()?, folders: from.texts()?, wanted: from.texts()? }),
        },
    };
    from.end(order)
}

/// Answers as bytes, each with what was taken from the output, if it was.
pub(super) fn spell_answers(answers: &[Told]) -> Vec<u8> {
    let mut out = Writer::default();
    out.number(answers.len() as u64);
    for (answer, output) in answers {
        out.answer(answer);
        out.number(u64::from(output.is_some())).bytes(output.as_deref().unwrap_or_default());
    }
    out.0
}

/// The answers that these bytes are.
///
/// # Errors
///
/// They are none.
pub(super) fn read_answers(bytes: &[u8]) -> io::Result<Vec<Told>> {
    let mut from = Reader(bytes);
    let count = from.number()?;
    let one = |_| {
        let (answer, is_taken, output) = (from.answer()?, from.number()? == 1, from.bytes()?);
        Ok((answer, is_taken.then(|| output.to_vec())))
    };
    let answers = (0..count).map(one).collect::<io::Result<Vec<_>>>()?;
    from.end(answers)
}

#[derive(Default)]
struct Writer(Vec<u8>);

impl Writer {
    fn answer(&mut self, answer: &Answer) {
        match answer {
            Ok(report) => {
                let (known, peak) = match report.memory {
                    MemoryPeak::Known(peak) => (1, peak),
                    MemoryPeak::AtMost(peak) => (0, peak),
                };
                self.number(0).index(&STOPS, report.stop).number(report.status as u32 as u64);
                self.number(report.cpu_time_us).number(report.wall_time_us).number(known).number(peak);
            }
            Err(RunError { stage, cause }) => {
                self.number(1).index(&STAGES, *stage).number(cause.raw_os_error().unwrap_or(0) as u32 as u64);
                self.bytes(cause.to_string().as_bytes());
            }
        }
    }

    fn number(&mut self, number: u64) -> &mut Self {
        self.0.extend_from_slice(&number.to_le_bytes());
        self
    }

    fn optional(&mut self, number: Option<u64>) -> &mut Self {
        self.number(u64::from(number.is_some())).number(number.unwrap_or(0))
    }

    fn index<T: PartialEq>(&mut self, all: &[T], one: T) -> &mut Self {
        let index = all.iter().position(|item| *item == one);
        self.number(index.map_or(u64::MAX, |index| index as u64))
    }

    fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.number(bytes.len() as u64).0.extend_from_slice(bytes);
        self
    }

    fn text(&mut self, text: &CStr) -> &mut Self {
        self.bytes(text.to_bytes())
    }

    fn texts(&mut self, texts: &[CString]) -> &mut Self {
        self.number(texts.len() as u64);
        texts.iter().fold(self, |out, text| out.text(text))
    }
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn number(&mut self) -> io::Result<u64> {
        let (number, rest) = self.0.split_first_chunk::<8>().ok_or_else(damaged)?;
        self.0 = rest;
        Ok(u64::from_le_bytes(*number))
    }

    fn optional(&mut self) -> io::Result<Option<u64>> {
        let (is_there, number) = (self.number()? == 1, self.number()?);
        Ok(is_there.then_some(number))
    }

    fn item<T: Copy>(&mut self, all: &[T]) -> io::Result<T> {
        let index = self.number()?;
        usize::try_from(index).ok().and_then(|index| all.get(index)).copied().ok_or_else(damaged)
    }

    fn bytes(&mut self) -> io::Result<&'a [u8]> {
        let length = usize::try_from(self.number()?).map_err(|_| damaged())?;
        let (bytes, rest) = self.0.split_at_checked(length).ok_or_else(damaged)?;
        self.0 = rest;
        Ok(bytes)
    }

    fn text(&mut self) -> io::Result<CString> {
        CString::new(self.bytes()?).map_err(|_| damaged())
    }

    fn texts(&mut self) -> io::Result<Vec<CString>> {
        let count = self.number()?;
        (0..count).map(|_| self.text()).collect()
    }

    fn compiler(&mut self) -> io::Result<Option<CompilerAccess>> {
        if self.number()? == 0 {
            return Ok(None);
        }
        Ok(Some(CompilerAccess { sources: self.texts()?, results: self.text()?, caches: self.texts()? }))
    }

    fn answer(&mut self) -> io::Result<Answer> {
        if self.number()? == 1 {
            let stage = self.item(&STAGES)?;
            let code = self.number()? as u32 as i32;
            let words = String::from_utf8_lossy(self.bytes()?).into_owned();
            let cause = if code == 0 { io::Error::other(words) } else { io::Error::from_raw_os_error(code) };
            return Ok(Err(RunError { stage, cause }));
        }
        let stop = self.item(&STOPS)?;
        let status = self.number()? as u32 as i32;
        let (cpu_time_us, wall_time_us) = (self.number()?, self.number()?);
        let is_known = self.number()? == 1;
        let peak = self.number()?;
        let memory = if is_known { MemoryPeak::Known(peak) } else { MemoryPeak::AtMost(peak) };
        Ok(Ok(Report { stop, status, cpu_time_us, wall_time_us, memory }))
    }

    /// What was read, if nothing follows it.
    fn end<T>(self, read: T) -> io::Result<T> {
        if self.0.is_empty() { Ok(read) } else { Err(damaged()) }
    }
}

fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "a damaged message")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order() -> Order {
        Order {
            image: Image {
                path: c"/bin/a".into(),
                argv: vec![c"a".into(), c"".into(), c"\xff".into()],
                environment: vec![c"A=b".into()].into(),
                directory: c"/".into(),
            },
            resources: Resources {
                address_space_bytes: Some(1),
                stack_bytes: None,
                file_size_bytes: u64::MAX,
                cpu_time_s: 3,
                open_files: Some(9),
            },
            limits: Limits::default(),
            walls: Some(
                Walls {
                    readable: vec![c"/a".into()],
                    listable: vec![c"/b".into()],
                    has_processes: true,
                    compiler: Some(CompilerAccess {
                        sources: vec![c"/c".into(), c"/d".into()],
                        results: c"/e".into(),
                        caches: vec![c"/f".into()],
                    }),
                }
                .into(),
            ),
            luggage: Some(PackingList {
                files: vec![c"in".into(), c"ans".into()],
                folders: vec![c"out".into()],
                wanted: vec![c"out/x".into()],
            }),
            is_warm: true,
        }
    }

    #[test]
    fn orders_arrive_as_they_were() -> io::Result<()> {
        assert_eq!(read_order(&spell_order(&order()))?, order());
        Ok(())
    }

    #[test]
    fn inputs_arrive_with_their_order() -> io::Result<()> {
        for inputs in [&[][..], &[b"".as_slice(), b"1 2\n"]] {
            let spelt = spell_message(&order(), inputs);
            let (order, read) = read_message(&spelt)?;
            assert_eq!((read_order(order)?, read.as_slice()), (self::order(), inputs));
            assert!(read_message(&spelt[..spelt.len() - 1]).is_err());
        }
        Ok(())
    }

    #[test]
    fn answers_arrive_as_they_were() -> io::Result<()> {
        let memory = MemoryPeak::AtMost(5);
        let report = |stop| Report { stop, status: -1, cpu_time_us: 1, wall_time_us: 2, memory };
        let spelt = spell_answers(&STOPS.map(|stop| (Ok(report(stop)), Some(format!("{stop:?}").into_bytes()))));
        let read = read_answers(&spelt)?;
        assert_eq!(read.len(), STOPS.len());
        for (stop, (answer, output)) in STOPS.into_iter().zip(read) {
            assert_eq!((answer.ok(), output), (Some(report(stop)), Some(format!("{stop:?}").into_bytes())));
        }
        for (cause, words) in [(io::Error::from_raw_os_error(2), "No such file"), (io::Error::other("odd"), "odd")] {
            let answers = read_answers(&spell_answers(&[(Err(RunError { stage: Stage::End, cause }), None)]))?;
            let is_same = |error: &RunError| error.stage == Stage::End && error.cause.to_string().contains(words);
            assert!(matches!(answers.as_slice(), [(Err(error), None)] if is_same(error)));
        }
        assert!(read_answers(&spell_answers(&[]))?.is_empty());
        Ok(())
    }

    #[test]
    fn damage_is_refused() {
        let spelt = spell_order(&order());
        for length in 0..spelt.len() {
            assert!(read_order(&spelt[..length]).is_err());
        }
        assert!(read_order(&[spelt.as_slice(), b"x"].concat()).is_err());
        assert!(read_answers(&[9; 64]).is_err());
        assert!(read_order(&u64::MAX.to_le_bytes()).is_err());
    }
}
