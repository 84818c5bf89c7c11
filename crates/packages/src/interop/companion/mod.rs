//! Problems as the browser extension Competitive Companion sends them, and the folders that they become.
//!
//! A message is untrusted: any page that the user visits can try to send one. So its size, its numbers and its names are
//! bounded, and nothing in it becomes a path or a command as it is.
//!
//! ```
//! use rebut_packages::interop::companion::CompanionTask;
//!
//! let message = r#"{"name": "A. Sum", "url": "https://example.org/a", "timeLimit": 1500, "memoryLimit": 256,
//!     "tests": [{"input": "1 2\n", "output": "3\n"}]}"#;
//! let task = CompanionTask::parse(message.as_bytes()).expect("a problem");
//! let files = task.make_files(None).expect("a folder");
//! assert_eq!(task.folder_name(), "a-sum");
//! assert_eq!(files.get("1.in"), Some(&b"1 2\n"[..]));
//! assert_eq!(files.get("1.ans"), Some(&b"3\n"[..]));
//! ```

mod task;

pub use task::{CompanionTask, CompanionTest, ProblemRecord, RECORD_FILE};
