//! Defaults from `rebut.toml`: they become default values in the definition of the command line, so that the help shows
//! them and options that are typed win.

use super::args::CliArgs;
use super::clap_definition;
use clap::builder::{ArgPredicate, OsStr, Resettable};
use clap::{Arg, ColorChoice, Command, FromArgMatches};
use rebut_diagnostics::{Diagnostic, Error, Result};
use rebut_packages::{Settings, SettingsOption, judge_options};
use std::borrow::Cow;
use std::error::Error as _;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The files of which a package has one at least.
const PACKAGE_FILES: [&str; 2] = ["problem.yaml", "input.format"];

/// The parsed command line, or the reason why it is refused.
type Parsed = std::result::Result<CliArgs, clap::Error>;

/// Parses a command line, the first word of which is the program. Options that it does not have are those of the settings.
///
/// # Errors
/// Returns an error if the settings cannot be read, or are wrong.
pub(super) fn parse_arguments(words: &[OsString]) -> Result<Parsed> {
    // clap prints help and its errors before it knows of the option.
    let colors = match typed_value(words, "--color").as_deref() {
        Some("always") => ColorChoice::Always,
        Some("never") => ColorChoice::Never,
        _ => ColorChoice::Auto,
    };
    let definition = clap_definition().color(colors);
    let settings = match load_settings(words, &definition) {
        Ok(settings) => settings,
        // Wrong settings do not hide the help about them.
        Err(error) => match definition.try_get_matches_from(words) {
            Err(help) if !help.use_stderr() => return Ok(Err(help)),
            _ => return Err(error),
        },
    };
    let definition =
        settings.iter().fold(definition, |definition, settings| with_defaults(definition, &settings.options));
    // The options of a judge are stronger than those of the settings.
    let definition = match named_judge(words, settings.as_ref()) {
        Some(options) => with_defaults(definition, &options),
        None => definition,
    };
    let parsed =
        definition.try_get_matches_from(words).and_then(|mut matches| CliArgs::from_arg_matches_mut(&mut matches));
    Ok(parsed.map(|mut args| {
        args.global.settings = settings.map(|settings| settings.path);
        args
    }))
}

/// Returns the value of an option that is needed before the command line is parsed, if it is typed.
fn typed_value(words: &[OsString], option: &str) -> Option<String> {
    let mut words = words.iter().map(|word| word.to_string_lossy());
    while let Some(word) = words.next() {
        match word.strip_prefix(option) {
            Some("") => return words.next().map(Cow::into_owned),
            Some(value) if value.starts_with('=') => return Some(value[1..].to_owned()),
            _ => {}
        }
    }
    None
}

/// Returns the options of the judge that the command line names, or else the settings.
fn named_judge(words: &[OsString], settings: Option<&Settings>) -> Option<Vec<SettingsOption>> {
    let option = settings.and_then(|settings| settings.options.iter().find(|option| option.name == "judge"));
    let name = typed_value(words, "--judge").or_else(|| option?.values.first().map(|(value, _)| value.clone()))?;
    judge_options(&name)
}

/// Loads the settings for a command line: those beside the first package that it names, or else in the working folder, or
/// in a parent folder, or else those of the user.
///
/// # Errors
/// Returns an error if the file cannot be read, or is wrong.
fn load_settings(words: &[OsString], definition: &Command) -> Result<Option<Settings>> {
    let named = words.iter().map(|word| {
        let text = word.to_string_lossy();
        PathBuf::from(text.rsplit_once('=').map_or(&*text, |(_, value)| value))
    });
    let is_package = |path: &PathBuf| PACKAGE_FILES.iter().any(|file| path.join(file).is_file());
    let package = named.into_iter().find(is_package);
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = || variable("HOME").map(|home| home.join(".config"));
    let own = variable("XDG_CONFIG_HOME").or_else(home).map(|folder| folder.join("rebut"));
    let settings = Settings::load_nearest(package.as_deref().unwrap_or(Path::new(".")), own.as_deref())?;
    if let Some(settings) = &settings {
        let problems: Vec<Diagnostic> =
            settings.options.iter().filter_map(|option| refused_value(option, definition)).collect();
        if !problems.is_empty() {
            return Err(Error::from_diagnostics(settings.source.clone(), problems));
        }
    }
    Ok(settings)
}

/// Returns the error of the command line about a value of an option, if it refuses it.
fn refused_value(option: &SettingsOption, definition: &Command) -> Option<Diagnostic> {
    option.values.iter().find_map(|(value, span)| {
        let typed = ["rebut".to_owned(), "stress".to_owned(), format!("--{}={value}", option.name)];
        let problem = definition.clone().try_get_matches_from(typed).err()?;
        let why = problem.source().map_or_else(|| problem.to_string(), ToString::to_string);
        Some(Diagnostic::error("setting", *span, format!("`{}` cannot be `{value}`: {why}", option.name)))
    })
}

/// Returns the definition of the command line with the settings as default values. The limits of a package are stronger.
fn with_defaults(definition: Command, options: &[SettingsOption]) -> Command {
    let defaults = |arg: Arg| {
        let option = options.iter().find(|option| arg.get_long() == Some(option.name));
        let Some(option) = option else { return arg };
        let values: Vec<OsStr> = option.values.iter().map(|(value, _)| value.clone().into()).collect();
        let arg = match option.name.ends_with("-limit") {
            true => arg.default_value_if("problem", ArgPredicate::IsPresent, Resettable::Reset),
            false => arg,
        };
        arg.default_values(values)
    };
    let has_limits = |command: &Command| command.get_arguments().any(|arg| arg.get_long() == Some("problem"));
    let within = |command: Command| if has_limits(&command) { command.mut_args(defaults) } else { command };
    definition.mut_args(defaults).mut_subcommands(within)
}
