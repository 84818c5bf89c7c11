//! `rebut listen`: makes a folder of each problem that the browser extension Competitive Companion sends.
//!
//! It listens on the loopback address only, and trusts no page: see [`http_request`]. Each request is read, and its format
//! inferred, in a thread of its own, so that neither a silent connection nor a long sample keeps others waiting; folders
//! are made one at a time.

mod deadline_stream;
mod http_request;
mod saved_problem;

use super::args::ListenArgs;
use super::exit_status::ExitStatus;
use super::session::Session;
use deadline_stream::DeadlineStream;
use http_request::read_trusted_body;
use rebut_diagnostics::{Error, Result};
use rebut_engine::event::{Event, EventSink, WarningEvent};
use rebut_packages::interop::companion::CompanionTask;
use saved_problem::{InferredFormat, describe_problem, infer_from_task, save_problem};
use std::collections::BTreeMap;
use std::io::{ErrorKind, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
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
        "listening on {address}: click the extension Competitive Companion on a problem   ^C ends\n"
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
