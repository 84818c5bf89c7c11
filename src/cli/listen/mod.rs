//! `rebut listen`: makes a folder of each problem that the browser extension Competitive Companion sends.
//!
//! It listens on the loopback address only, answers one request at a time, and trusts no page: see [`http_request`].

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
use saved_problem::{describe_problem, save_problem};
use std::collections::BTreeMap;
use std::io::{ErrorKind, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::time::{Duration, Instant};

/// Time between two looks for a connection.
const ACCEPT_INTERVAL: Duration = Duration::from_millis(50);

/// Time that a request can take. The extension runs on this computer.
const REQUEST_TIME: Duration = Duration::from_secs(5);

/// Time that the other end has to close a connection after the answer.
const LINGER_TIME: Duration = Duration::from_millis(500);

/// Maximum number of refused requests that are reported: a page can send any number.
const MAX_REPORTED_REFUSALS: usize = 10;

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
    let mut requests = Requests::default();
    while !(args.once && requests.is_click_complete) {
        if session.cancel.is_cancelled() {
            return Ok(ExitStatus::Interrupted);
        }
        match listener.accept() {
            Ok((stream, _)) => answer_connection(stream, &args.folder, &mut requests, session)?,
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {
                std::thread::sleep(ACCEPT_INTERVAL);
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

/// Reads a request, makes the folder, and answers.
fn answer_connection(stream: TcpStream, folder: &Path, requests: &mut Requests, session: &mut Session) -> Result<()> {
    let is_ready = stream.set_nonblocking(false).and_then(|()| stream.set_write_timeout(Some(REQUEST_TIME)));
    let mut stream = DeadlineStream::new(stream, Instant::now() + REQUEST_TIME);
    let received = is_ready.and_then(|()| read_trusted_body(&mut stream));
    let (status, answer) = match received {
        // The other end is gone or silent.
        Err(_) => return Ok(()),
        Ok(Err(refusal)) => {
            report_refusal(refusal.reason, requests, session);
            (refusal.status, refusal.reason.to_owned())
        }
        Ok(Ok(body)) => match CompanionTask::parse(&body) {
            Err(reason) => {
                report_refusal(&reason, requests, session);
                (400, reason)
            }
            Ok(task) => {
                receive_task(&task, folder, requests, session)?;
                (200, "received".to_owned())
            }
        },
    };
    // The problem is saved, whether or not the extension hears of it.
    let _ = write_response(stream.get_mut(), status, &answer);
    // A connection that is closed while bytes of the request wait is reset, and the answer can be lost.
    stream.discard_until(Instant::now() + LINGER_TIME);
    Ok(())
}

/// Saves a problem, and prints what can be done with it.
fn receive_task(task: &CompanionTask, folder: &Path, requests: &mut Requests, session: &mut Session) -> Result<()> {
    let saved = save_problem(task, folder)?;
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
fn write_response(stream: &mut TcpStream, status: u16, text: &str) -> std::io::Result<()> {
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
