//! The table of languages: how a source file becomes a program that can be run.
//!
//! The words of a command can be placeholders:
//!
//! * `{tool}`: the compiler or interpreter, or the user's override of it.
//! * `{source}`: the source file. If several sources are compiled together, the compile command gets all of them.
//! * `{copy}`: the same as `{source}`, but copies, if the compiler writes beside the sources.
//! * `{folder}`: the folder for results; `{program}`: a file in it. These two can be parts of a word.
//! * `{main}`: the class with the main method.
//! * `{static}`: the language's flags for static linking, where the libraries are installed. A program without dynamic
//!   linking starts in half the time.
//! * `{serve}`: the flags that turn the program into a [fork server](super::fork_server).
//! * `{counters}`: the folder with what is linked into programs [with counters](super::work_count).
//! * `{reads}`: the options that make the compiler [record](super::recorded_reads) which files it read.
//! * `{alone}`: the options that hide other sources and classes in the folder of a source.
//! * `{std}`: the option for the [standard](super::LanguageStandard) of the language.
//! * `{memory_mib}`, `{stack_mib}` and `{stack_kib}`: filled in at each run from its limits.

use rebut_diagnostics::{list_or, suggestion_or};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A compiler or an interpreter.
#[derive(Debug, PartialEq, Eq)]
pub struct LanguageTool {
    /// The environment variable that overrides it; its value can contain arguments.
    pub variable: &'static str,
    /// The names that it is looked up by, the preferred one first.
    pub names: &'static [&'static str],
    /// The packages that contain it, to be named in an error.
    pub packages: &'static str,
    /// Arguments that make an interpreter print its own path. Used if the interpreter is a wrapper script, which would
    /// otherwise run before each run.
    pub(super) path_query_args: &'static [&'static str],
    /// The argument that makes it print its version.
    pub(super) version_arg: &'static str,
}

/// How to link statically.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct StaticLink {
    /// The compiler that can locate the libraries.
    pub(super) probe_tool: &'static LanguageTool,
    pub(super) libraries: &'static [&'static str],
    pub(super) flags: &'static [&'static str],
}

/// A programming language.
#[derive(Debug, PartialEq, Eq)]
pub struct Language {
    /// Its display name.
    pub name: &'static str,
    /// The extensions of its source files, without the dot.
    pub extensions: &'static [&'static str],
    /// Its compiler; for an interpreted language, the tool that checks its syntax.
    pub compiler: &'static LanguageTool,
    /// Its interpreter, if its programs need one.
    pub interpreter: Option<&'static LanguageTool>,
    /// The command that compiles.
    pub(super) compile: &'static str,
    /// The command that compiles with sanitizers, if the language has any.
    pub(super) sanitize: Option<&'static str>,
    /// The command that compiles with counters of executed branches, if the language has them.
    pub(super) count: Option<&'static str>,
    /// The command that runs the program.
    pub(super) run: &'static str,
    /// Standards of the language, to replace `{std}`. Sources are compiled with the first one, and if that fails, with
    /// the others in order.
    pub(super) standards: &'static [&'static str],
    /// True if its memory can be limited through the address space.
    pub(super) limits_address_space: bool,
    /// How to link statically, to replace `{static}`.
    pub(super) static_link: Option<&'static StaticLink>,
    /// True if sources include files next to them by name, which then belong to the program.
    pub(super) has_includes: bool,
    /// True if all sources of a program are passed to the compiler; otherwise one source names the others.
    pub(super) compiles_together: bool,
    /// How its programs become fork servers.
    pub(super) fork_server: Option<ForkServerKind>,
}

/// How programs of a language become fork servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ForkServerKind {
    /// Through these linker flags, to replace `{serve}`; `{object}` is the object to link, and `{wrap}` the flag for the
    /// functions that it replaces, which is left out if there are none.
    LinkedObject(&'static str),
    /// Through a script that the interpreter runs before the program.
    InterpreterScript,
    /// Not at all, but one virtual machine runs the program in place.
    VirtualMachine,
}

impl ForkServerKind {
    /// Returns about how many times as long a new process takes to start as that of a compiled program, which takes one to two
    /// milliseconds. Python takes 20, Java 130.
    pub(super) fn start_price(self) -> u64 {
        match self {
            ForkServerKind::LinkedObject(_) => 1,
            ForkServerKind::InterpreterScript => 16,
            ForkServerKind::VirtualMachine => 64,
        }
    }
}

pub(super) static CC: LanguageTool = default_tool("CC", &["gcc", "cc", "clang"], "gcc or clang");

static CXX: LanguageTool = default_tool("CXX", &["g++", "c++", "clang++"], "g++ or clang");

static RUSTC: LanguageTool = default_tool("RUSTC", &["rustc"], "rustc (rustup.rs)");

static PYTHON: LanguageTool = LanguageTool {
    path_query_args: &["-c", "import sys; print(sys.executable)"],
    ..default_tool("PYTHON", &["python3", "python"], "python3")
};

pub(super) static JAVAC: LanguageTool = default_tool("JAVAC", &["javac"], "a Java development kit (openjdk)");

static JAVA: LanguageTool = default_tool("JAVA", &["java"], "a Java runtime (openjdk)");

static NODE: LanguageTool = LanguageTool {
    path_query_args: &["-p", "process.execPath"],
    ..default_tool("NODE", &["node", "nodejs"], "nodejs")
};

static KOTLINC: LanguageTool =
    LanguageTool { version_arg: "-version", ..default_tool("KOTLINC", &["kotlinc"], "kotlin") };

static FPC: LanguageTool = LanguageTool { version_arg: "-iV", ..default_tool("FPC", &["fpc"], "fp-compiler") };

static GHC: LanguageTool = default_tool("GHC", &["ghc"], "ghc");

static OCAMLOPT: LanguageTool =
    LanguageTool { version_arg: "-version", ..default_tool("OCAMLOPT", &["ocamlopt.opt", "ocamlopt"], "ocaml-nox") };

static PYPY: LanguageTool = LanguageTool { names: &["pypy3", "pypy"], packages: "pypy3", variable: "PYPY", ..PYTHON };

static MCS: LanguageTool = default_tool("MCS", &["mcs"], "mono-mcs");

static MONO: LanguageTool = default_tool("MONO", &["mono"], "mono-runtime");

static GO: LanguageTool = LanguageTool { version_arg: "version", ..default_tool("GO", &["go"], "go (golang)") };

/// Returns a tool with the usual options.
const fn default_tool(variable: &'static str, names: &'static [&'static str], packages: &'static str) -> LanguageTool {
    LanguageTool { variable, names, packages, path_query_args: &[], version_arg: "--version" }
}

static STATIC_C: StaticLink = StaticLink { probe_tool: &CC, libraries: &["libc.a", "libm.a"], flags: &["-static"] };

static STATIC_CXX: StaticLink =
    StaticLink { probe_tool: &CXX, libraries: &["libc.a", "libm.a", "libstdc++.a"], flags: &["-static"] };

static STATIC_RUST: StaticLink =
    StaticLink { probe_tool: &CC, libraries: &["libc.a"], flags: &["-C", "target-feature=+crt-static"] };

/// Without object-size: it reports the same faults as the address sanitizer, but earlier and with less detail.
macro_rules! sanitize_command {
    ($end:literal) => {
        concat!(
            "{tool} {std} {reads} -DONLINE_JUDGE -g -O1 -fno-omit-frame-pointer -fsanitize=address,undefined ",
            "-fno-sanitize=object-size -fno-sanitize-recover=all -o {program} {source} ",
            $end
        )
    };
}

/// The option for the linker that wraps the functions of the C library whose work is counted.
macro_rules! wrap_library_functions {
    () => {
        concat!(
            "-Wl,--wrap=memset,--wrap=memcpy,--wrap=memmove,--wrap=memcmp,--wrap=memchr,--wrap=calloc,",
            "--wrap=strlen,--wrap=strchr,--wrap=strstr,--wrap=strcpy,--wrap=strcat,--wrap=strcmp,",
            "--wrap=fflush,--wrap=write",
        )
    };
}

/// The options of a Java runtime, before what it runs.
macro_rules! java_command {
    ($main:literal) => {
        concat!(
            "{tool} -Xmx{memory_mib}m -Xss{stack_mib}m -XX:+UseSerialGC -XX:-UsePerfData -DONLINE_JUDGE=true ",
            $main
        )
    };
}

/// With GCC's counters of executed edges. A counter is a variable of 64 bits in a section of its own.
const GCC_COUNT_COMMAND: &str = concat!(
    "{tool} {reads} -O2 {std} -DONLINE_JUDGE {static} -fprofile-arcs -fno-common -fdata-sections -o {program} {source} ",
    "{counters}/gcc_counters.o {serve} -Wl,-T,{counters}/counters.ld ",
    wrap_library_functions!(),
    " -lm"
);

/// With LLVM's counters. The profile that its runtime writes at the end is not needed.
const RUST_COUNT_COMMAND: &str = concat!(
    "{tool} {reads} --edition=2021 -O {static} -C profile-generate=/dev -C link-arg={counters}/llvm_counters.o -C link-arg=",
    wrap_library_functions!(),
    " {serve} --crate-name main -o {program} {source}"
);

/// Checks the syntax of a source, and finds the modules that it imports.
pub(super) const PYTHON_CHECK: &str = include_str!("python_check.py");

/// The part of the check that users see: it reads the file as Python would, and writes nothing.
pub(super) const PYTHON_SYNTAX_CHECK: &str = "import sys; compile(open(sys.argv[1], 'rb').read(), sys.argv[1], 'exec')";

/// Returns the words of a command of the table.
pub(super) fn split_command(command: &'static str) -> Vec<&'static str> {
    let to_word = |word| match word {
        "{check}" => PYTHON_CHECK,
        "{syntax_check}" => PYTHON_SYNTAX_CHECK,
        _ => word,
    };
    command.split_whitespace().map(to_word).collect()
}

/// The defaults of a row: a compiler makes a program that runs by itself.
const PLAIN: Language = Language {
    name: "",
    extensions: &[],
    compiler: &CC,
    interpreter: None,
    compile: "",
    sanitize: None,
    count: None,
    run: "{program}",
    standards: &[],
    limits_address_space: false,
    static_link: None,
    has_includes: false,
    compiles_together: false,
    fork_server: None,
};

/// All languages.
pub static LANGUAGES: &[Language] = &[
    Language {
        name: "C",
        extensions: &["c"],
        compiler: &CC,
        compile: "{tool} {reads} -O2 {std} -DONLINE_JUDGE {static} -o {program} {source} {serve} -lm",
        sanitize: Some(sanitize_command!("-lm")),
        count: Some(GCC_COUNT_COMMAND),
        standards: &["gnu17", "gnu89"],
        limits_address_space: true,
        static_link: Some(&STATIC_C),
        has_includes: true,
        compiles_together: true,
        fork_server: Some(ForkServerKind::LinkedObject("-Wl{wrap} {object}")),
        ..PLAIN
    },
    Language {
        name: "C++",
        extensions: &["cpp", "cc", "cxx", "c++", "C"],
        compiler: &CXX,
        compile: "{tool} {reads} -O2 {std} -DONLINE_JUDGE {static} -o {program} {source} {serve}",
        sanitize: Some(sanitize_command!("-D_GLIBCXX_DEBUG")),
        count: Some(GCC_COUNT_COMMAND),
        standards: &["gnu++20", "gnu++17", "gnu++14", "gnu++11"],
        limits_address_space: true,
        static_link: Some(&STATIC_CXX),
        has_includes: true,
        compiles_together: true,
        fork_server: Some(ForkServerKind::LinkedObject("-Wl{wrap} {object}")),
        ..PLAIN
    },
    Language {
        name: "Rust",
        extensions: &["rs"],
        compiler: &RUSTC,
        compile: "{tool} {reads} --edition=2021 -O {static} {serve} --crate-name main -o {program} {source}",
        count: Some(RUST_COUNT_COMMAND),
        limits_address_space: true,
        static_link: Some(&STATIC_RUST),
        fork_server: Some(ForkServerKind::LinkedObject("-Clink-arg=-Wl{wrap} -Clink-arg={object}")),
        ..PLAIN
    },
    Language {
        name: "Python",
        extensions: &["py", "py3"],
        compiler: &PYTHON,
        interpreter: Some(&PYTHON),
        compile: "{tool} -c {check} {source} {reads}",
        run: "{tool} -B {source}",
        limits_address_space: true,
        fork_server: Some(ForkServerKind::InterpreterScript),
        ..PLAIN
    },
    Language {
        name: "Java",
        extensions: &["java"],
        compiler: &JAVAC,
        interpreter: Some(&JAVA),
        compile: "{tool} -encoding UTF-8 -proc:none {alone} -d {folder} {source}",
        run: java_command!("-cp {folder} {main}"),
        compiles_together: true,
        fork_server: Some(ForkServerKind::VirtualMachine),
        ..PLAIN
    },
    Language {
        name: "JavaScript",
        extensions: &["js", "mjs", "cjs"],
        compiler: &NODE,
        interpreter: Some(&NODE),
        compile: "{tool} --check {source}",
        run: "{tool} --max-old-space-size={memory_mib} --stack-size={stack_kib} {source}",
        ..PLAIN
    },
    Language {
        name: "Go",
        extensions: &["go"],
        compiler: &GO,
        compile: "{tool} build -o {program} {source}",
        compiles_together: true,
        ..PLAIN
    },
    Language {
        name: "Kotlin",
        extensions: &["kt"],
        compiler: &KOTLINC,
        interpreter: Some(&JAVA),
        compile: "{tool} {source} -include-runtime -d {program}.jar",
        run: java_command!("-jar {program}.jar"),
        compiles_together: true,
        ..PLAIN
    },
    Language {
        name: "Pascal",
        extensions: &["pas"],
        compiler: &FPC,
        compile: "{tool} -O2 -dONLINE_JUDGE -FU{folder} -o{program} {source}",
        limits_address_space: true,
        ..PLAIN
    },
    Language {
        name: "Haskell",
        extensions: &["hs"],
        compiler: &GHC,
        compile: "{tool} -O2 -outputdir {folder} -o {program} {source}",
        ..PLAIN
    },
    Language {
        name: "OCaml",
        extensions: &["ml"],
        compiler: &OCAMLOPT,
        compile: "{tool} -O3 -o {program} {copy}",
        limits_address_space: true,
        ..PLAIN
    },
    Language {
        name: "C#",
        extensions: &["cs"],
        compiler: &MCS,
        interpreter: Some(&MONO),
        compile: "{tool} -optimize -define:ONLINE_JUDGE -r:System.Numerics -out:{program} {source}",
        run: "{tool} {program}",
        compiles_together: true,
        ..PLAIN
    },
    Language {
        name: "PyPy",
        extensions: &["pypy"],
        compiler: &PYPY,
        interpreter: Some(&PYPY),
        compile: "{tool} -c {syntax_check} {source}",
        run: "{tool} -B {source}",
        ..PLAIN
    },
];

impl Language {
    /// Returns the first extension of each language, for help: ``  `.c`, `.cpp` or `.rs`  ``.
    pub fn all_extensions() -> String {
        let extensions: Vec<String> =
            LANGUAGES.iter().map(|language| format!("`.{}`", language.extensions[0])).collect();
        list_or(&extensions)
    }

    /// Returns the language of a source file, by its extension.
    pub fn from_path(path: &Path) -> Option<&'static Language> {
        let extension = path.extension()?.to_str()?;
        LANGUAGES.iter().find(|language| language.extensions.contains(&extension))
    }

    /// Returns true if a source is in an older language with the same extension: Python 2, if its shebang asks for
    /// that.
    pub(super) fn is_older_version(&self, text: &[u8]) -> bool {
        let first = String::from_utf8_lossy(text.split(|b| *b == b'\n').next().unwrap_or_default());
        let mut words = first.split(|c: char| c == '/' || c.is_whitespace());
        self.name == "Python" && first.starts_with("#!") && words.any(|w| w == "python2" || w.starts_with("python2."))
    }

    /// Returns true if the compiler's messages show that the source is in an older version of the language: Python 2.
    pub(super) fn is_older_version_by_messages(&self, messages: &str) -> bool {
        const STATEMENTS: [&str; 2] =
            ["Missing parentheses in call to 'print'", "Missing parentheses in call to 'exec'"];
        self.name == "Python" && STATEMENTS.iter().any(|message| messages.contains(message))
    }
}

// The standards of C and C++ that a user can choose.

/// A standard of C or C++, by its compiler name: `c++17`, `gnu11`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LanguageStandard(&'static str);

const C_STANDARDS: [&str; 12] =
    ["c89", "c90", "c99", "c11", "c17", "c23", "gnu89", "gnu90", "gnu99", "gnu11", "gnu17", "gnu23"];

const CXX_STANDARDS: [&str; 14] = [
    "c++98", "c++11", "c++14", "c++17", "c++20", "c++23", "c++26", "gnu++98", "gnu++11", "gnu++14", "gnu++17",
    "gnu++20", "gnu++23", "gnu++26",
];

impl LanguageStandard {
    /// Parses the name of a standard; `C++17` and `cpp17` mean `c++17`.
    ///
    /// # Errors
    ///
    /// Returns a message with the most similar name if there is no such standard.
    pub fn parse(name: &str) -> Result<LanguageStandard, String> {
        let wanted = name.to_lowercase().replace("cpp", "c++");
        let known = || CXX_STANDARDS.into_iter().chain(C_STANDARDS);
        match known().find(|standard| *standard == wanted) {
            Some(found) => Ok(LanguageStandard(found)),
            None => {
                let help = suggestion_or(&wanted, known(), "the names are those of compilers, such as `c++17`");
                Err(format!("no standard `{name}` of C or C++: {help}"))
            }
        }
    }

    /// Returns the compiler's name of the standard.
    pub fn name(self) -> &'static str {
        self.0
    }

    fn belongs_to(self, language: &str) -> bool {
        match language {
            "C" => C_STANDARDS.contains(&self.0),
            "C++" => CXX_STANDARDS.contains(&self.0),
            _ => false,
        }
    }
}

/// Compiler options in addition to those of the language.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourceOptions {
    /// Include folders of C and C++ sources.
    pub includes: Vec<PathBuf>,
    /// Chosen standards; if there are several for one language, the first counts.
    pub standards: Vec<LanguageStandard>,
    /// A folder, named after its contents, with modules for several languages: headers for C and C++, modules for Python,
    /// and files that Rust sources include by `env!("REBUT_INCLUDE")`.
    pub modules: Option<PathBuf>,
    /// The file or class to start of each source for which it is stated.
    pub entry_points: BTreeMap<PathBuf, String>,
    /// The folder that commands are run in, relative to the current one.
    pub run_folder: PathBuf,
}

impl SourceOptions {
    /// Returns these options, followed by `others`.
    #[must_use]
    pub(super) fn with_fallback(&self, others: &SourceOptions) -> SourceOptions {
        SourceOptions {
            includes: [self.includes.as_slice(), &others.includes].concat(),
            standards: [self.standards.as_slice(), &others.standards].concat(),
            modules: others.modules.clone().or_else(|| self.modules.clone()),
            entry_points: others.entry_points.clone(),
            run_folder: others.run_folder.clone(),
        }
    }

    /// Returns the standard that was chosen for a language, or `None`.
    pub(super) fn standard_for(&self, language: &str) -> Option<&'static str> {
        self.standards.iter().find(|standard| standard.belongs_to(language)).map(|standard| standard.0)
    }
}

pub(super) fn standard_flag(standard: &str) -> String {
    format!("-std={standard}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn language_is_found_by_extension() {
        let name = |path: &str| Language::from_path(Path::new(path)).map(|language| language.name);
        assert_eq!(name("a/b.cpp"), Some("C++"));
        assert_eq!(name("b.c"), Some("C"));
        assert_eq!(name("b.C"), Some("C++"));
        assert_eq!(name("b.txt"), None);
        assert_eq!(name("rs"), None);
    }

    #[test]
    fn python_2_shebang_is_an_older_version() {
        let is_older = |path: &str, text: &str| {
            Language::from_path(Path::new(path)).is_some_and(|l| l.is_older_version(text.as_bytes()))
        };
        for first in ["#!/usr/bin/env python2\nprint 1", "#!/usr/bin/python2.7", "#! /usr/bin/python2 -O\r\n"] {
            assert!(is_older("a.py", first) && !is_older("a.c", first), "{first}");
        }
        for first in
            ["", "print(2)", "#!/usr/bin/python3\n", "# python2\n", "\n#!/usr/bin/python2", "#!/usr/bin/python23"]
        {
            assert!(!is_older("a.py", first), "{first}");
        }
    }

    #[test]
    fn no_extension_has_two_languages() {
        let mut all: Vec<&str> = LANGUAGES.iter().flat_map(|language| language.extensions).copied().collect();
        all.sort_unstable();
        assert!(all.windows(2).all(|pair| pair[0] != pair[1]));
    }

    #[test]
    fn common_spellings_of_standards_are_parsed() {
        let parsed = |name| LanguageStandard::parse(name).map(LanguageStandard::name);
        assert_eq!(parsed("c++17"), Ok("c++17"));
        assert_eq!(parsed("C++17"), Ok("c++17"));
        assert_eq!(parsed("gnu++14"), Ok("gnu++14"));
        assert_eq!(parsed("cpp20"), Ok("c++20"));
        assert_eq!(parsed("c11"), Ok("c11"));
        assert_eq!(parsed("c++1"), Err("no standard `c++1` of C or C++: did you mean `c++11`?".to_owned()));
        let help = "the names are those of compilers, such as `c++17`";
        assert_eq!(parsed("latest"), Err(format!("no standard `latest` of C or C++: {help}")));
    }

    #[test]
    fn a_standard_counts_for_its_own_language_and_the_first_one_wins() -> Result<(), String> {
        let standards = ["c++17", "c++14", "c11"].into_iter().map(LanguageStandard::parse).collect::<Result<_, _>>()?;
        let options = SourceOptions { standards, ..SourceOptions::default() };
        assert_eq!(options.standard_for("C++"), Some("c++17"));
        assert_eq!(options.standard_for("C"), Some("c11"));
        assert_eq!(options.standard_for("Rust"), None);
        assert_eq!(SourceOptions::default().with_fallback(&options).standard_for("C++"), Some("c++17"));
        Ok(())
    }
}
