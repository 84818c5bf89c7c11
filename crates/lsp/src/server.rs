//! The state of a session, from the messages of the client to those of the server.

#[cfg(test)]
mod tests;

use crate::format_file::{generate_sample, sample_on_one_line};
use crate::open_file::OpenFile;
use crate::protocol::{SessionEnd, line_edit, to_completion_items, to_hover, to_range};
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionParams, CodeActionProviderCapability, CodeLens, CodeLensOptions,
    CodeLensParams, Command, CompletionOptions, CompletionParams, DidChangeTextDocumentParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, DocumentChanges, DocumentFormattingParams,
    ExecuteCommandOptions, ExecuteCommandParams, GotoDefinitionParams, HoverParams, HoverProviderCapability,
    InitializeParams, InitializeResult, Location, MessageType, OneOf, OptionalVersionedTextDocumentIdentifier,
    PositionEncodingKind, PublishDiagnosticsParams, Range, ServerCapabilities, ServerInfo, ShowMessageParams,
    TextDocumentEdit, TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions, TextEdit, Uri,
    WorkspaceEdit,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The command that returns a sample input of a format. Its argument is the address of the file.
const SAMPLE_COMMAND: &str = "rebut.sampleInput";

/// Where a session is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SessionState {
    /// Before `initialize`.
    New,
    /// Until `shutdown`.
    Running,
    /// Until `exit`.
    ShutDown,
    /// After `exit`.
    Ended(SessionEnd),
}

/// The server: it turns the messages of a client to its own.
#[derive(Debug)]
pub struct LanguageServer {
    state: SessionState,
    /// The open files by their addresses.
    files: BTreeMap<String, OpenFile>,
    /// The files that changed after their problems were reported.
    changed: BTreeSet<String>,
    /// True if samples are shown by a message, because the client does not show the result of the command.
    announces_samples: bool,
}

/// A request that failed.
struct Failure {
    code: ErrorCode,
    message: String,
}

impl Failure {
    fn new(code: ErrorCode, message: impl Into<String>) -> Failure {
        Failure { code, message: message.into() }
    }
}

impl Default for LanguageServer {
    fn default() -> Self {
        LanguageServer::new()
    }
}

impl LanguageServer {
    /// Creates the server of a new session.
    pub fn new() -> LanguageServer {
        LanguageServer {
            state: SessionState::New,
            files: BTreeMap::new(),
            changed: BTreeSet::new(),
            announces_samples: true,
        }
    }

    /// Returns how the session ended, or `None` if it goes on.
    pub fn session_end(&self) -> Option<SessionEnd> {
        match self.state {
            SessionState::Ended(end) => Some(end),
            _ => None,
        }
    }

    /// Returns the answers to a message. Problems of files are not among them: [`take_diagnostics`](Self::take_diagnostics).
    pub fn handle_message(&mut self, message: Message) -> Vec<Message> {
        match message {
            Message::Request(request) => self.handle_request(request),
            Message::Notification(notification) => {
                self.handle_notification(notification);
                Vec::new()
            }
            // The server sends no requests.
            Message::Response(_) => Vec::new(),
        }
    }

    /// Returns the problems of all files that changed since the last call.
    pub fn take_diagnostics(&mut self) -> Vec<Message> {
        if self.state != SessionState::Running {
            return Vec::new();
        }
        let changed = std::mem::take(&mut self.changed);
        let reports = changed.iter().filter_map(|key| {
            let (uri, version, diagnostics) = match self.files.get_mut(key) {
                Some(file) => (file.uri.clone(), Some(file.version), file.find_problems()),
                // A closed file has no problems.
                None => (key.parse::<Uri>().ok()?, None, Vec::new()),
            };
            let params = PublishDiagnosticsParams { uri, diagnostics, version };
            Some(notification("textDocument/publishDiagnostics", &params))
        });
        reports.collect()
    }

    fn handle_request(&mut self, request: Request) -> Vec<Message> {
        let Request { id, method, params } = request;
        let mut also = Vec::new();
        let result = match (self.state, method.as_str()) {
            (SessionState::New, "initialize") => self.initialize(params),
            (SessionState::New, _) => {
                Err(Failure::new(ErrorCode::ServerNotInitialized, "the first request is `initialize`"))
            }
            (SessionState::Running, "shutdown") => {
                self.state = SessionState::ShutDown;
                Ok(Value::Null)
            }
            (SessionState::Running, _) => self.answer_request(&method, params, &mut also),
            (SessionState::ShutDown | SessionState::Ended(_), _) => {
                Err(Failure::new(ErrorCode::InvalidRequest, "the server was shut down"))
            }
        };
        std::iter::once(Message::Response(respond(id, result))).chain(also).collect()
    }

    fn initialize(&mut self, params: Value) -> Result<Value, Failure> {
        let params: InitializeParams = parse(params)?;
        let shows = params.initialization_options.as_ref().and_then(|options| options.get("showsSamples"));
        self.announces_samples = shows != Some(&Value::Bool(true));
        self.state = SessionState::Running;
        let info = ServerInfo { name: "rebut".to_owned(), version: Some(env!("CARGO_PKG_VERSION").to_owned()) };
        to_result(&InitializeResult { capabilities: capabilities(), server_info: Some(info) })
    }

    /// Answers a request about a file. A file that is not open, or in another language, has empty answers.
    fn answer_request(&mut self, method: &str, params: Value, also: &mut Vec<Message>) -> Result<Value, Failure> {
        match method {
            "textDocument/hover" => {
                let at = parse::<HoverParams>(params)?.text_document_position_params;
                let Some(file) = self.file_mut(&at.text_document.uri) else { return Ok(Value::Null) };
                let found = file.explain_word_at(at.position);
                to_result(&found.map(|found| to_hover(&file.text, found)))
            }
            "textDocument/completion" => {
                let at = parse::<CompletionParams>(params)?.text_document_position;
                let Some(file) = self.file_mut(&at.text_document.uri) else { return Ok(Value::Null) };
                let found = file.complete_at(at.position);
                to_result(&to_completion_items(&file.text, found))
            }
            "textDocument/definition" => {
                let at = parse::<GotoDefinitionParams>(params)?.text_document_position_params;
                let Some(file) = self.file_mut(&at.text_document.uri) else { return Ok(Value::Null) };
                let found = file.find_declaration_at(at.position);
                to_result(&found.map(|span| Location::new(file.uri.clone(), to_range(&file.text, span))))
            }
            "textDocument/formatting" => {
                let uri = parse::<DocumentFormattingParams>(params)?.text_document.uri;
                let Some(file) = self.file_mut(&uri) else { return Ok(Value::Null) };
                let edit = file.normal_form().map(|text| line_edit(&file.text, &text).into_iter().collect::<Vec<_>>());
                to_result(&edit)
            }
            "textDocument/codeLens" => {
                let uri = parse::<CodeLensParams>(params)?.text_document.uri;
                let Some(file) = self.file_mut(&uri) else { return Ok(Value::Null) };
                to_result(&sample_lens(file))
            }
            "textDocument/codeAction" => {
                let CodeActionParams { text_document, range, .. } = parse(params)?;
                let Some(file) = self.file_mut(&text_document.uri) else { return Ok(Value::Null) };
                to_result(&repair_actions(file, range))
            }
            "workspace/executeCommand" => self.execute_command(&parse(params)?, also),
            _ => Err(Failure::new(ErrorCode::MethodNotFound, format!("there is no method `{method}`"))),
        }
    }

    /// Generates the next sample of a file.
    fn execute_command(&mut self, params: &ExecuteCommandParams, also: &mut Vec<Message>) -> Result<Value, Failure> {
        if params.command != SAMPLE_COMMAND {
            return Err(Failure::new(ErrorCode::InvalidParams, format!("there is no command `{}`", params.command)));
        }
        let key = params.arguments.first().and_then(Value::as_str).unwrap_or_default();
        let Some(file) = self.files.get_mut(key) else {
            return Err(Failure::new(ErrorCode::InvalidParams, "the argument is the address of an open format"));
        };
        file.shown_samples += 1;
        let seed = file.shown_samples;
        let Some(format) = file.valid_format() else {
            return Err(Failure::new(ErrorCode::RequestFailed, "the format has errors"));
        };
        let sample = generate_sample(format, seed)
            .map_err(|reason| Failure::new(ErrorCode::RequestFailed, format!("no sample input was found: {reason}")))?;
        if self.announces_samples {
            let params = ShowMessageParams { typ: MessageType::INFO, message: sample.clone() };
            also.push(notification("window/showMessage", &params));
        }
        Ok(json!({ "seed": seed, "text": sample }))
    }

    fn file_mut(&mut self, uri: &Uri) -> Option<&mut OpenFile> {
        self.files.get_mut(uri.as_str())
    }

    /// Follows the edits of the client. A notification that cannot be read has no effect: there is no answer to it.
    fn handle_notification(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        match (self.state, method.as_str()) {
            (SessionState::ShutDown, "exit") => self.state = SessionState::Ended(SessionEnd::Clean),
            (_, "exit") => self.state = SessionState::Ended(SessionEnd::Abrupt),
            (SessionState::Running, "textDocument/didOpen") => {
                if let Ok(DidOpenTextDocumentParams { text_document }) = serde_json::from_value(params)
                    && let Some(file) = OpenFile::open(text_document)
                {
                    let key = file.uri.as_str().to_owned();
                    self.changed.insert(key.clone());
                    self.files.insert(key, file);
                }
            }
            (SessionState::Running, "textDocument/didChange") => {
                if let Ok(params) = serde_json::from_value::<DidChangeTextDocumentParams>(params)
                    && let Some(file) = self.file_mut(&params.text_document.uri)
                {
                    file.apply_changes(params.text_document.version, params.content_changes);
                    self.changed.insert(params.text_document.uri.as_str().to_owned());
                }
            }
            (SessionState::Running, "textDocument/didClose") => {
                if let Ok(DidCloseTextDocumentParams { text_document }) = serde_json::from_value(params) {
                    let key = text_document.uri.as_str();
                    if self.files.remove(key).is_some() {
                        self.changed.insert(key.to_owned());
                    }
                }
            }
            _ => {}
        }
    }
}

fn capabilities() -> ServerCapabilities {
    ServerCapabilities {
        position_encoding: Some(PositionEncodingKind::UTF16),
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::INCREMENTAL),
            ..TextDocumentSyncOptions::default()
        })),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(["[", "(", "\"", "'"].map(str::to_owned).into()),
            ..CompletionOptions::default()
        }),
        definition_provider: Some(OneOf::Left(true)),
        document_formatting_provider: Some(OneOf::Left(true)),
        code_action_provider: Some(CodeActionProviderCapability::Simple(true)),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: vec![SAMPLE_COMMAND.to_owned()],
            ..ExecuteCommandOptions::default()
        }),
        ..ServerCapabilities::default()
    }
}

/// Returns the repairs of the problems on the lines of a range.
fn repair_actions(file: &mut OpenFile, range: Range) -> Vec<CodeAction> {
    let repairs = file.find_repairs(range.start.line..=range.end.line).into_iter();
    let actions = repairs.map(|(problem, range, word)| {
        let title = format!("replace by `{word}`");
        let text_document =
            OptionalVersionedTextDocumentIdentifier { uri: file.uri.clone(), version: Some(file.version) };
        let edits = vec![OneOf::Left(TextEdit::new(range, word))];
        let changes = DocumentChanges::Edits(vec![TextDocumentEdit { text_document, edits }]);
        CodeAction {
            title,
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![problem]),
            edit: Some(WorkspaceEdit { document_changes: Some(changes), ..WorkspaceEdit::default() }),
            is_preferred: Some(true),
            ..CodeAction::default()
        }
    });
    actions.collect()
}

/// Returns the lens above a format: a sample input, and the command that generates others.
fn sample_lens(file: &mut OpenFile) -> Vec<CodeLens> {
    let uri = file.uri.as_str().to_owned();
    let Some(format) = file.valid_format() else { return Vec::new() };
    let title = match generate_sample(format, 1) {
        Ok(sample) => format!("sample input: {}", sample_on_one_line(&sample)),
        Err(reason) => format!("no sample input: {reason}"),
    };
    let command = Command::new(title, SAMPLE_COMMAND.to_owned(), Some(vec![Value::String(uri)]));
    vec![CodeLens { range: Range::default(), command: Some(command), data: None }]
}

fn parse<T: DeserializeOwned>(params: Value) -> Result<T, Failure> {
    serde_json::from_value(params).map_err(|e| Failure::new(ErrorCode::InvalidParams, e.to_string()))
}

fn to_result(value: &impl serde::Serialize) -> Result<Value, Failure> {
    serde_json::to_value(value).map_err(|e| Failure::new(ErrorCode::InternalError, e.to_string()))
}

fn respond(id: RequestId, result: Result<Value, Failure>) -> Response {
    match result {
        Ok(value) => Response { id, response_result: Ok(value) },
        Err(failure) => Response::new_err(id, failure.code as i32, failure.message),
    }
}

fn notification(method: &str, params: &impl serde::Serialize) -> Message {
    let params = serde_json::to_value(params).unwrap_or_default();
    Message::Notification(Notification { method: method.to_owned(), params })
}
