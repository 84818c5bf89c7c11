//! `rebut listen`: makes a folder of each problem that the browser extension Competitive Companion sends.
//!
//! It listens on the loopback address only, and trusts no page: see [`http_request`]. Each request is read, and its format
//! inferred, in a thread of its own, so that neither a silent connection nor a long sample keeps others waiting; folders
//! are made one at a time.

mod http_request;

use super::args::ListenArgs;
use super::exit_status::ExitStatus;
use super::session::Session;
use crate::cli::discover::format_on_one_line;
use crate::cli::infer::describe_inference;
use http_request::{DeadlineStream, read_trusted_body};
use rebut_diagnostics::{Error, Result, count_with_noun};
use rebut_engine::event::{Event, EventSink, WarningEvent};
use rebut_infer::{Inference, Sample, infer_format};
use rebut_packages::interop::companion::{CompanionTask, ProblemRecord};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{ErrorKind, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

/// Time between two looks for a connection.
const ACCEPT_INTERVAL: Duration = Duration::from_millis(50);

/// Time that a request can take. The extension runs on this computer.
const REQUEST_TIME: Duration = Duration::from_secs(5);

/// Maximum number of requests that are read at the same time; more are closed.
const MAX_CONNECTIONS: usize = 256;

/// Maximum number of refused requests that are reported: a page can send any number.
const MAX_REPORTED_REFUSALS: usize = 10;

/// A request that was read.
struct ReceivedRequest {
    /// The connection to answer on.
    stream: TcpStream,
    content: RequestContent,
}

/// The content of a request.
enum RequestContent {
    /// Nothing: the other end is gone or silent.
    Nothing,
    /// It is refused, with this status and reason.
    Refused(u16, String),
    /// A problem, and its format if it has samples.
    Problem(Box<CompanionTask>, Option<InferredFormat>),
}

/// The requests so far.
#[derive(Default)]
struct Requests {
    /// Number of refused requests.
    refused: usize,
    /// Number of problems of each click.
    problems_of_clicks: BTreeMap<String, u32>,
    /// True if all problems of a click were received.
    is_click_complete: bool,
}

pub(super) fn run_listen(args: &ListenArgs, session: &mut Session) -> Result<ExitStatus> {
    if !args.folder.is_dir() {
        return Err(Error::usage_error(format!("there is no folder `{}`", args.folder.display())));
    }
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, args.port)).map_err(|e| bind_error(args.port, &e))?;
    let address = listener.local_addr().map_err(|e| bind_error(args.port, &e))?;
    listener.set_nonblocking(true).map_err(|e| bind_error(args.port, &e))?;
    session.write_stdout_text(&format!(
        "listening on {address}: click the extension Competitive Companion on a problem   ^C ends\n{}",
        browser_setup(address.port())
    ))?;
    session.stop_heartbeat();
    let (mut requests, mut connections) = (Requests::default(), 0);
    let (sender, received) = channel();
    while !(args.once && requests.is_click_complete) {
        if session.cancel.is_cancelled() {
            return Ok(ExitStatus::Interrupted);
        }
        match listener.accept() {
            Ok((stream, _)) if connections < MAX_CONNECTIONS => {
                connections += usize::from(read_in_thread(stream, &sender).is_ok());
            }
            Ok(_) => {}
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {
                if let Ok(request) = received.recv_timeout(ACCEPT_INTERVAL) {
                    connections -= 1;
                    answer_request(request, &args.folder, &mut requests, session)?;
                }
            }
            // A connection that its other end has given up.
            Err(e) if e.kind() == ErrorKind::ConnectionAborted => {}
            Err(e) => return Err(bind_error(address.port(), &e)),
        }
    }
    Ok(ExitStatus::Success)
}

/// Ports to which the extension sends by default.
const PORTS_OF_EXTENSION: [u16; 7] = [10043, 1327, 4244, 6174, 10042, 10045, 27121];

/// Returns what the browser needs before the first click.
fn browser_setup(port: u16) -> String {
    let settings = if PORTS_OF_EXTENSION.contains(&port) {
        String::new()
    } else {
        format!(", and add {port} to the custom ports in its settings")
    };
    format!("once: install Competitive Companion from the add-ons of Firefox or Chrome{settings}\n")
}

fn bind_error(port: u16, cause: &std::io::Error) -> Error {
    let error = Error::operating_error(format!("failed to listen on port {port}: {cause}"));
    match cause.kind() {
        ErrorKind::AddrInUse => error.with_help(
            "another tool listens on it, or another `rebut listen`: end that, or choose a `--port` of \
                 1327, 4244, 6174, 10042, 10045 and 27121, to which the extension sends as well",
        ),
        _ => error,
    }
}

/// Starts a thread that reads a request, and sends it to be answered.
fn read_in_thread(stream: TcpStream, sender: &Sender<ReceivedRequest>) -> std::io::Result<()> {
    stream.set_nonblocking(false)?;
    stream.set_write_timeout(Some(REQUEST_TIME))?;
    let (reading, sender) = (stream.try_clone()?, sender.clone());
    let read = move || {
        let mut reading = DeadlineStream::new(reading, Instant::now() + REQUEST_TIME);
        let content = read_content(&mut reading);
        // It fails if the command has ended.
        let _ = sender.send(ReceivedRequest { stream, content });
        // A connection that is closed while bytes of the request wait is reset, and the answer can be lost.
        reading.discard_until(Instant::now() + REQUEST_TIME);
    };
    std::thread::Builder::new().spawn(read).map(drop)
}

fn read_content(stream: &mut DeadlineStream) -> RequestContent {
    match read_trusted_body(stream).map(|body| body.map(|bytes| CompanionTask::parse(&bytes))) {
        Err(_) => RequestContent::Nothing,
        Ok(Err(refusal)) => RequestContent::Refused(refusal.status, refusal.reason.to_owned()),
        Ok(Ok(Err(reason))) => RequestContent::Refused(400, reason),
        Ok(Ok(Ok(task))) => {
            let format = infer_from_task(&task);
            RequestContent::Problem(Box::new(task), format)
        }
    }
}

/// Makes the folder of a problem, and answers.
fn answer_request(
    request: ReceivedRequest,
    folder: &Path,
    requests: &mut Requests,
    session: &mut Session,
) -> Result<()> {
    let (status, answer) = match request.content {
        RequestContent::Nothing => return Ok(()),
        RequestContent::Refused(status, reason) => {
            report_refusal(&reason, requests, session);
            (status, reason)
        }
        RequestContent::Problem(task, format) => {
            receive_task(&task, format, folder, requests, session)?;
            (200, "received".to_owned())
        }
    };
    // The problem is saved, whether or not the extension hears of it.
    let _ = write_response(&request.stream, status, &answer);
    Ok(())
}

/// Saves a problem, and prints what can be done with it.
fn receive_task(
    task: &CompanionTask,
    format: Option<InferredFormat>,
    folder: &Path,
    requests: &mut Requests,
    session: &mut Session,
) -> Result<()> {
    let saved = save_problem(task, format, folder)?;
    session.write_stdout_text(&describe_problem(task, &saved))?;
    let (click, size) = task.click();
    let received = requests.problems_of_clicks.entry(click.to_owned()).or_default();
    *received += 1;
    requests.is_click_complete |= *received >= size;
    Ok(())
}

fn report_refusal(reason: &str, requests: &mut Requests, session: &mut Session) {
    requests.refused += 1;
    if requests.refused <= MAX_REPORTED_REFUSALS {
        let help = (requests.refused == MAX_REPORTED_REFUSALS).then(|| "more are not reported".to_owned());
        session.take_event(&Event::Warning(WarningEvent { message: format!("refused a request: {reason}"), help }));
    }
}

/// Answers a request, and closes the connection. There are no headers that would let a page read the answer.
fn write_response(mut stream: &TcpStream, status: u16, text: &str) -> std::io::Result<()> {
    let length = text.len() + 1;
    write!(
        stream,
        "HTTP/1.1 {status} {}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {length}\r\n\
         Connection: close\r\n\r\n{text}\n",
        if status == 200 { "OK" } else { "Refused" },
    )?;
    stream.flush()?;
    stream.shutdown(std::net::Shutdown::Write)
}

// The folder of a problem.

/// Maximum number of problems of one name in a folder.
const MAX_SAME_NAME: usize = 99;

/// The folder of a problem.
struct SavedProblem {
    /// The folder.
    folder: PathBuf,
    /// False if the problem had been saved before; then nothing was written.
    is_new: bool,
    /// The format that was inferred from the samples; an error if none fits them; `None` without samples.
    format: Option<InferredFormat>,
}

/// The format of the inputs of a problem, or why there is none.
type InferredFormat = std::result::Result<Inference, String>;

/// Writes the folder of a problem below another one. Nothing that exists is changed.
///
/// # Errors
/// Returns an error if the folder cannot be written.
fn save_problem(task: &CompanionTask, format: Option<InferredFormat>, parent: &Path) -> Result<SavedProblem> {
    let text = format.as_ref().and_then(|format| format.as_ref().ok()).map(|found| format_text(task, found));
    let files = task.make_files(text.as_deref()).map_err(Error::usage_error)?;
    let parent = contest_folder(task, parent)?;
    let name = task.folder_name();
    for number in 1..=MAX_SAME_NAME {
        let name = if number == 1 { name.clone() } else { format!("{name}-{number}") };
        let folder = parent.join(name);
        if std::fs::symlink_metadata(&folder).is_err() {
            files.write_folder(&folder)?;
            return Ok(SavedProblem { folder, is_new: true, format });
        }
        let is_same = |record: &ProblemRecord| !task.url.is_empty() && record.url == task.url;
        if ProblemRecord::load(&folder).as_ref().is_some_and(is_same) {
            return Ok(SavedProblem { folder, is_new: false, format });
        }
    }
    Err(Error::usage_error(format!("there are {MAX_SAME_NAME} folders named like `{}`", parent.join(name).display())))
}

/// Returns the folder for the problems of a contest, which is made if it is missing; or else the folder itself.
fn contest_folder(task: &CompanionTask, parent: &Path) -> Result<PathBuf> {
    let Some(name) = task.contest_folder_name() else { return Ok(parent.to_owned()) };
    let folder = parent.join(name);
    match std::fs::create_dir(&folder) {
        Err(e) if e.kind() != std::io::ErrorKind::AlreadyExists => Err(Error::io_error("create", &folder, &e)),
        _ => Ok(folder),
    }
}

/// Infers the format of inputs from the samples. An interactive problem has conversations in their place.
fn infer_from_task(task: &CompanionTask) -> Option<InferredFormat> {
    let inputs = task.tests.iter().zip(1..);
    let samples: Vec<Sample> =
        inputs.map(|(test, number)| Sample::new(format!("{number}.in"), test.input.as_bytes())).collect();
    (!task.interactive && !samples.is_empty()).then(|| infer_format(&samples, None).map_err(|e| e.to_string()))
}

/// Returns the text of `input.format`.
fn format_text(task: &CompanionTask, found: &Inference) -> String {
    let names: Vec<String> = (1..=task.tests.len()).map(|number| format!("{number}.in")).collect();
    describe_inference(found, &names.join(", "))
}

/// Describes a folder, and what can be done next.
fn describe_problem(task: &CompanionTask, saved: &SavedProblem) -> String {
    let folder = saved.folder.display();
    let mut facts = vec![count_with_noun(task.tests.len(), "sample")];
    let record = task.record();
    facts.extend(record.time_limit().map(|time| format!("{} s", time.as_secs_f64())));
    facts.extend(record.memory_limit_mib().map(|mebibytes| format!("{mebibytes} MiB")));
    let mut text = match saved.is_new {
        true => format!("\nmade {folder}: {} ({})\n", record.name, facts.join(", ")),
        false => format!("\nkept {folder} as it is: {}\n", record.name),
    };
    // Writing to a string cannot fail.
    let _ = match &saved.format {
        _ if !saved.is_new => Ok(()),
        Some(Ok(found)) => {
            let questions = if found.questions.is_empty() { "" } else { "; `input.format` has other readings of them" };
            let format = format_on_one_line(&found.text);
            writeln!(text, "  the format was inferred from the samples: {format}{questions}")
        }
        Some(Err(reason)) => writeln!(text, "  no format was inferred from the samples: {reason}"),
        None if task.interactive => writeln!(text, "  it is interactive: `rebut stress` needs an --interactor"),
        None => Ok(()),
    };
    if let Some([input, output]) = record.file_names() {
        let _ =
            writeln!(text, "  submissions read `{input}` and write `{output}`: `rebut test` and `rebut stress` know");
    } else if task.uses_files() {
        text.push_str("  submissions are to use files; rebut runs them on the standard streams\n");
    }
    let _ = writeln!(text, "  next, with sol.cpp and brute.cpp there:\n    cd {folder}");
    if task.tests.iter().any(|test| !test.output.is_empty()) && !task.interactive {
        text.push_str("    rebut test sol.cpp\n");
    }
    text.push_str(match (&saved.format, task.interactive) {
        (_, true) => "    rebut stress sol.cpp --interactor interactor.cpp\n",
        (Some(Ok(_)), _) => "    rebut stress sol.cpp brute.cpp\n",
        _ => "    rebut stress sol.cpp brute.cpp --format input.format        # to be written first\n",
    });
    text
}
