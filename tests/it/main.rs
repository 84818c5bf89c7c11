//! Integration tests: the real program on real files, with real compilers.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a test fails by panicking, and it may look at everything"
)]

mod agents;
mod agreement;
mod attacks;
mod batched_shrinking;
mod book;
mod build;
mod build_shards;
mod campaign;
mod case_packing;
mod certificate;
mod choices;
mod ci_files;
mod codegen;
mod compile_attacks;
mod compile_options;
mod completions;
mod complexity;
mod constraints;
mod conversations;
mod defaults_and_hints;
mod describe;
mod determinism;
mod doctor;
mod documentation;
mod editors;
mod embedding;
mod enumerate;
mod environment;
mod examples;
mod explain_code;
mod find;
mod fork_servers;
mod format_features;
mod format_fmt;
mod formats;
mod fuzz;
mod generator;
mod golden;
mod guided;
mod hack;
mod help_examples;
mod http_store;
mod importers;
mod in_place;
mod infer;
mod interop;
mod interrupt;
mod invalid;
mod judge_errors;
mod judge_examples;
mod judge_programs;
mod languages;
mod large;
mod limits;
mod listen;
mod lsp;
mod minima;
mod minima_reasons;
mod new_package;
mod one_liner;
mod operating_failures;
mod outcomes;
mod packages;
mod picture;
mod plain_output;
mod precompiled_header;
mod probes;
mod problems;
mod program_files;
mod programs;
mod proof_shards;
mod proofs;
mod recipe_schema;
mod report_page;
mod reports;
mod run;
mod run_files;
mod run_interact;
mod run_sources;
mod scoring;
mod settings;
mod shards;
mod shipped_programs;
mod shrink;
mod slow;
mod strength;
mod strength_shards;
mod table_shards;
mod tidy;
mod unsatisfiable;
mod usage;
mod validate;
mod verdicts;
mod verify;
mod watch;
mod work_count;
mod worst_cases;
