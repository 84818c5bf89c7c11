//! The languages: how a source file becomes something that can be run. One table.
//!
//! The words of a command may be placeholders. `{tool}` is the compiler or interpreter, with what the user
//! overrode; `{source}` the source file, `{folder}` where results go, `{program}` a file in it, `{main}` the
//! class with the main method. `{static}` becomes the language's flags for linking statically where the
//! libraries for that are installed: a program without dynamic linking starts in half the time. `{serve}` becomes
//! what makes a [fork server](super::fork_server) of the program, when it is asked to be one.
//! `{std}` becomes the option for the [standard](super::Standard) of the language.
//! Of a program with several sources that are compiled together, `{source}` in the command that compiles becomes all.
//! `{memory_mib}`, `{stack_mib}` and `{stack_kib}` are filled in at each run from its limits.

use crate::diagnostic::list_or;
use std::path::Path;

/// A compiler or an interpreter.
#[derive(Debug, PartialEq, Eq)]
pub struct Tool {
    /// The environment variable that overrides it; its value may have arguments.
    pub variable: &'static str,
    /// The names under which it is looked for, the preferred one first.
    pub names: &'static [&'static str],
    /// Packages that bring it, for the help of an error.
    pub packages: &'static str,
    /// Arguments that make an interpreter print its own path. Asked for where a script stands in for it,
    /// because that script would be run before each run.
    pub(super) whereabouts: &'static [&'static str],
    /// The argument that makes it print its version.
    pub(super) version: &'static str,
}

/// How to link statically.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct StaticLink {
    /// The compiler that knows where the libraries are.
    pub(super) asked: &'static Tool,
    /// The libraries that must be there.
    pub(super) libraries: &'static [&'static str],
    /// The flags.
    pub(super) flags: &'static [&'static str],
}

/// A programming language.
#[derive(Debug, PartialEq, Eq)]
pub struct Language {
    /// Its name, as people write it.
    pub name: &'static str,
    /// The extensions of its source files, without the dot.
    pub extensions: &'static [&'static str],
    /// What compiles it; for an interpreted language, what checks its syntax.
    pub compiler: &'static Tool,
    /// What runs it, if its programs do not run by themselves.
    pub interpreter: Option<&'static Tool>,
    /// The command that compiles.
    pub(super) compile: &'static [&'static str],
    /// The command that compiles for finding faults, where there is one.
    pub(super) sanitize: Option<&'static [&'static str]>,
    /// The command that runs.
    pub(super) run: &'static [&'static str],
    /// Standards of the language that its sources are compiled by, in place of `{std}`: the first, and where it does not compile
    /// a source, the others in their order.
    pub(super) standards: &'static [&'static str],
    /// Whether its memory can be limited through the address space.
    pub(super) limits_address_space: bool,
    /// How to link statically, in place of `{static}`.
    pub(super) static_link: Option<&'static StaticLink>,
    /// Whether sources include files next to them by name, which then belong to the program.
    pub(super) includes: bool,
    /// Whether all sources of a program are given to the compiler; else one names the others.
    pub(super) together: bool,
    /// How its programs become fork servers.
    pub(super) fork_server: Option<ForkServer>,
}

/// How programs of a language become fork servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ForkServer {
    /// By these flags in place of `{serve}`, in which `{object}` stands for what is linked in.
    Linked(&'static [&'static str]),
    /// A script of the interpreter stands before the program.
    Script,
}

pub(super) static CC: Tool = tool("CC", &["gcc", "cc", "clang"], "gcc or clang");
static CXX: Tool = tool("CXX", &["g++", "c++", "clang++"], "g++ or clang");
static RUSTC: Tool = tool("RUSTC", &["rustc"], "rustc (rustup.rs)");
static PYTHON: Tool = Tool {
    whereabouts: &["-c", "import sys; print(sys.executable)"],
    ..tool("PYTHON", &["python3", "python"], "python3")
};
static JAVAC: Tool = tool("JAVAC", &["javac"], "a Java development kit (openjdk)");
static JAVA: Tool = tool("JAVA", &["java"], "a Java runtime (openjdk)");
static NODE: Tool = Tool { whereabouts: &["-p", "process.execPath"], ..tool("NODE", &["node", "nodejs"], "nodejs") };
static GO: Tool = Tool { version: "version", ..tool("GO", &["go"], "go (golang)") };

/// A tool like most.
const fn tool(variable: &'static str, names: &'static [&'static str], packages: &'static str) -> Tool {
    Tool { variable, names, packages, whereabouts: &[], version: "--version" }
}

static STATIC_C: StaticLink = StaticLink { asked: &CC, libraries: &["libc.a", "libm.a"], flags: &["-static"] };
static STATIC_CXX: StaticLink =
    StaticLink { asked: &CXX, libraries: &["libc.a", "libm.a", "libstdc++.a"], flags: &["-static"] };
static STATIC_RUST: StaticLink =
    StaticLink { asked: &CC, libraries: &["libc.a"], flags: &["-C", "target-feature=+crt-static"] };

// Without object-size, which sees the same faults as the address sanitizer, earlier, and can say less about them.
const C_FAULTS: &[&str] = &[
    "{tool}",
    "{std}",
    "-DONLINE_JUDGE",
    "-g",
    "-O1",
    "-fno-omit-frame-pointer",
    "-fsanitize=address,undefined",
    "-fno-sanitize=object-size",
    "-fno-sanitize-recover=all",
    "-o",
    "{program}",
    "{source}",
    "-lm",
];
const CXX_FAULTS: &[&str] = &[
    "{tool}",
    "{std}",
    "-DONLINE_JUDGE",
    "-g",
    "-O1",
    "-fno-omit-frame-pointer",
    "-fsanitize=address,undefined",
    "-fno-sanitize=object-size",
    "-fno-sanitize-recover=all",
    "-D_GLIBCXX_DEBUG",
    "-o",
    "{program}",
    "{source}",
];

/// Reads the file as Python would, and writes nothing.
const PYTHON_CHECK: &str = "import sys; compile(open(sys.argv[1], 'rb').read(), sys.argv[1], 'exec')";

/// All languages.
pub static LANGUAGES: &[Language] = &[
    Language {
        name: "C",
        extensions: &["c"],
        compiler: &CC,
        interpreter: None,
        compile: &[
            "{tool}",
            "-O2",
            "{std}",
            "-DONLINE_JUDGE",
            "{static}",
            "-o",
            "{program}",
            "{source}",
            "{serve}",
            "-lm",
        ],
        sanitize: Some(C_FAULTS),
        run: &["{program}"],
        standards: &["gnu17", "gnu89"],
        limits_address_space: true,
        static_link: Some(&STATIC_C),
        includes: true,
        together: true,
        fork_server: Some(ForkServer::Linked(&["-Wl,--wrap=main", "{object}"])),
    },
    Language {
        name: "C++",
        extensions: &["cpp", "cc", "cxx", "c++", "C"],
        compiler: &CXX,
        interpreter: None,
        compile: &["{tool}", "-O2", "{std}", "-DONLINE_JUDGE", "{static}", "-o", "{program}", "{source}", "{serve}"],
        sanitize: Some(CXX_FAULTS),
        run: &["{program}"],
        standards: &["gnu++20", "gnu++17", "gnu++14", "gnu++11"],
        limits_address_space: true,
        static_link: Some(&STATIC_CXX),
        includes: true,
        together: true,
        fork_server: Some(ForkServer::Linked(&["-Wl,--wrap=main", "{object}"])),
    },
    Language {
        name: "Rust",
        extensions: &["rs"],
        compiler: &RUSTC,
        interpreter: None,
        compile: &[
            "{tool}",
            "--edition=2021",
            "-O",
            "{static}",
            "{serve}",
            "--crate-name",
            "main",
            "-o",
            "{program}",
            "{source}",
        ],
        sanitize: None,
        run: &["{program}"],
        standards: &[],
        limits_address_space: true,
        static_link: Some(&STATIC_RUST),
        includes: false,
        together: false,
        fork_server: Some(ForkServer::Linked(&["-C", "link-arg=-Wl,--wrap=main", "-C", "link-arg={object}"])),
    },
    Language {
        name: "Python",
        extensions: &["py", "py3"],
        compiler: &PYTHON,
        interpreter: Some(&PYTHON),
        compile: &["{tool}", "-c", PYTHON_CHECK, "{source}"],
        sanitize: None,
        run: &["{tool}", "-B", "{source}"],
        standards: &[],
        limits_address_space: true,
        static_link: None,
        includes: false,
        together: false,
        fork_server: Some(ForkServer::Script),
    },
    Language {
        name: "Java",
        extensions: &["java"],
        compiler: &JAVAC,
        interpreter: Some(&JAVA),
        compile: &["{tool}", "-encoding", "UTF-8", "-proc:none", "-d", "{folder}", "{source}"],
        sanitize: None,
        run: &[
            "{tool}",
            "-Xmx{memory_mib}m",
            "-Xss{stack_mib}m",
            "-XX:+UseSerialGC",
            "-XX:-UsePerfData",
            "-DONLINE_JUDGE=true",
            "-cp",
            "{folder}",
            "{main}",
        ],
        standards: &[],
        limits_address_space: false,
        static_link: None,
        includes: false,
        together: true,
        fork_server: None,
    },
    Language {
        name: "JavaScript",
        extensions: &["js", "mjs", "cjs"],
        compiler: &NODE,
        interpreter: Some(&NODE),
        compile: &["{tool}", "--check", "{source}"],
        sanitize: None,
        run: &["{tool}", "--max-old-space-size={memory_mib}", "--stack-size={stack_kib}", "{source}"],
        standards: &[],
        limits_address_space: false,
        static_link: None,
        includes: false,
        together: false,
        fork_server: None,
    },
    Language {
        name: "Go",
        extensions: &["go"],
        compiler: &GO,
        interpreter: None,
        compile: &["{tool}", "build", "-o", "{program}", "{source}"],
        sanitize: None,
        run: &["{program}"],
        standards: &[],
        limits_address_space: false,
        static_link: None,
        includes: false,
        together: true,
        fork_server: None,
    },
];

impl Language {
    /// The first extension of each, for help: ``  `.c`, `.cpp` or `.rs`  ``.
    pub fn all_extensions() -> String {
        let extensions: Vec<String> = LANGUAGES.iter().map(|one| format!("`.{}`", one.extensions[0])).collect();
        list_or(&extensions)
    }

    /// The language of a source file, by its extension.
    pub fn of(path: &Path) -> Option<&'static Language> {
        let extension = path.extension()?.to_str()?;
        LANGUAGES.iter().find(|language| language.extensions.contains(&extension))
    }

    /// Whether a source is in an older language of the same extension: Python 2, if its first line asks for that.
    pub(super) fn is_older(&self, text: &[u8]) -> bool {
        let first = String::from_utf8_lossy(text.split(|b| *b == b'\n').next().unwrap_or_default());
        let mut words = first.split(|c: char| c == '/' || c.is_whitespace());
        self.name == "Python" && first.starts_with("#!") && words.any(|w| w == "python2" || w.starts_with("python2."))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_are_told_apart() {
        let name = |path: &str| Language::of(Path::new(path)).map(|language| language.name);
        assert_eq!(name("a/b.cpp"), Some("C++"));
        assert_eq!(name("b.c"), Some("C"));
        assert_eq!(name("b.C"), Some("C++"));
        assert_eq!(name("b.txt"), None);
        assert_eq!(name("rs"), None);
    }

    #[test]
    fn a_script_that_asks_for_python_2_is_not_in_ours() {
        let is_older =
            |path: &str, text: &str| Language::of(Path::new(path)).is_some_and(|l| l.is_older(text.as_bytes()));
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
}
