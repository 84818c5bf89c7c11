//! Converts validators with testlib to formats, and says how each conversion ended.
//!
//!     cargo run --release --example convert -- OUT FILE...
//!
//! Writes the format of each file to the folder `OUT`, and prints a line for each: `exact`, `wider` with the first thing
//! that is lost, or `refused` if the format is not valid or there is none.

#![allow(clippy::disallowed_methods, clippy::print_stdout, clippy::expect_used, reason = "an example")]

use rebut_diagnostics::SourceText;
use rebut_format::language::Format;
use std::path::{Path, PathBuf};

fn main() {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let out = arguments.next().expect("a folder for the formats");
    std::fs::create_dir_all(&out).expect("a folder that can be made");
    let files: Vec<PathBuf> = arguments.collect();
    for file in &files {
        let name = file.display().to_string();
        let source = SourceText::new(name.clone(), std::fs::read(file).expect("a file"));
        println!("{}\t{name}", outcome(&source, &out, file));
    }
}

fn outcome(source: &SourceText, out: &Path, file: &Path) -> String {
    let found = match rebut_import::testlib::convert_validator(source) {
        Ok(found) => found,
        Err(problems) => return format!("refused\t{}", problems[0].message),
    };
    let folder = file.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned();
    std::fs::write(out.join(format!("{folder}.format")), &found.text).expect("a file that can be written");
    let format = SourceText::new("format", found.text.clone());
    if let Err(problems) = Format::parse(&format) {
        return format!("refused\t{} {}", problems[0].code, problems[0].message);
    }
    match found.warnings.first() {
        None => "exact\t".to_owned(),
        Some(first) => format!("wider\t{} ({})", first.message, source.line_column(first.span.start).0),
    }
}
