//! Compilation of many sources at once, and the precompiled header that they share.

use crate::environment::installed;
use rebut_sandbox::{CancelToken, HostEnvironment, ProcessExit, RunLimits};
use rebut_toolchain::{BuildVariant, CompileError, ProgramBuilder, SourceOptions};
use std::fs;
use std::path::{Path, PathBuf};

/// Uses much of the header and prints a line number.
const LARGE: &str = "\
// A comment.
#include <bits/stdc++.h>
using namespace std;
template <class T> struct Tree { map<T, vector<T>> m; T sum(T at) { T s = at; for (T x : m[at]) s += sum(x); return s; } };
int main() {
    Tree<long long> tree;
    string line;
    while (getline(cin, line)) { istringstream words(line); long long a, b; while (words >> a >> b) tree.m[a].push_back(b); }
    cout << fixed << setprecision(3) << sqrt(double(tree.sum(1))) << ' ' << __FILE__ << __LINE__ << endl;
}
";

/// Compiles fast with the header.
fn small(number: u32) -> String {
    format!("#include <bits/stdc++.h>\nint main() {{ std::printf(\"%d\\n\", {number}); }}\n")
}

#[test]
#[ignore = "nightly: many programs are compiled twice"]
fn precompiled_header_changes_no_program_and_no_message() {
    if !installed(&["g++"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache");
    let builder =
        || ProgramBuilder::new(HostEnvironment::from_process().unwrap().with_variable("REBUT_CACHE", &cache)).unwrap();
    let write = |name: &str, text: &str| {
        fs::write(folder.path().join(name), text).unwrap();
        folder.path().join(name)
    };
    let sources: Vec<PathBuf> = [
        ("a.py", "print(1)\n".to_owned()),
        ("large.cpp", LARGE.to_owned()),
        ("one.cpp", small(1)),
        ("none.cpp", "int main() {}\n".to_owned()),
        ("missing.txt", String::new()),
        ("wrong.cpp", "#include <bits/stdc++.h>\nint main() { std::vector<int> v = missing; }\n".to_owned()),
        ("two.cpp", small(2)),
    ]
    .iter()
    .map(|(name, text)| write(name, text))
    .collect();
    let paths: Vec<&Path> = sources.iter().map(PathBuf::as_path).collect();
    let alone = |name: &str| builder().compile(&folder.path().join(name), BuildVariant::Judged, &CancelToken::new());

    let plain = alone("large.cpp").unwrap();
    let program = plain.build_folder.clone().unwrap().join("program");
    let bytes = fs::read(&program).unwrap();
    let message = alone("wrong.cpp").unwrap_err();
    fs::remove_dir_all(program.parent().unwrap()).unwrap();
    let headers = || {
        walkdir::WalkDir::new(&cache).into_iter().flatten().filter(|file| file.file_name() == "stdc++.h.gch").count()
    };
    assert_eq!(headers(), 0, "it does not pay for one");

    let made = builder().compile_all(&paths, &SourceOptions::default(), 2, &CancelToken::new());
    assert_eq!(headers(), 1);
    let shown: Vec<String> = made
        .iter()
        .map(|one| one.as_ref().map_or("refused".to_owned(), |one| one.language.unwrap().name.to_owned()))
        .collect();
    assert_eq!(shown, ["Python", "C++", "C++", "C++", "refused", "refused", "C++"]);
    assert_eq!(made[1].as_ref().unwrap().build_identity, plain.build_identity);
    assert!(!made[1].as_ref().unwrap().is_from_cache);
    assert_eq!(fs::read(&program).unwrap(), bytes);
    assert_eq!(made[5].as_ref().unwrap_err(), &message);
    assert!(
        matches!(&message, CompileError::Rejected { text, .. } if text.contains("missing") && !text.contains("stdc++"))
    );

    // A header of the user has precedence.
    fs::create_dir_all(folder.path().join("own/bits")).unwrap();
    write("own/bits/stdc++.h", "#include <cstdio>\n#error mine\n");
    let own = folder.path().join("own");
    let refused = builder().compile_with_includes(
        &write("three.cpp", &small(3)),
        &[&own],
        BuildVariant::Judged,
        &CancelToken::new(),
    );
    assert!(matches!(refused, Err(CompileError::Rejected { text, .. }) if text.contains("mine")));
}

#[test]
fn precompiled_sources_are_used_once() {
    if !installed(&["gcc"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let environment =
        HostEnvironment::from_process().unwrap().with_variable("REBUT_CACHE", folder.path().join("cache"));
    let builder = ProgramBuilder::new(environment).unwrap();
    let [right, wrong] = ["right.c", "wrong.c"].map(|name| folder.path().join(name));
    fs::write(&right, "int main(void) { return 0; }\n").unwrap();
    fs::write(&wrong, "int main(void) { return missing; }\n").unwrap();
    builder.precompile_sources(
        &[&right, &wrong, Path::new("/nowhere.c")],
        &SourceOptions::default(),
        2,
        &CancelToken::new(),
    );

    // They are compiled as if from scratch: the second compilation sees the sources as they are by then.
    fs::write(&right, "int main(void) { return 1; }\n").unwrap();
    let compile = |source: &Path| builder.compile(source, BuildVariant::Judged, &CancelToken::new());
    let runs =
        |source| compile(source).unwrap().program.run(b"", &[], &RunLimits::default(), &CancelToken::new()).unwrap();
    let first = compile(&right).unwrap();
    assert!(!first.is_from_cache && first.compile_time_us > 0);
    assert_eq!(runs(&right).exit, ProcessExit::Code(1));
    assert!(matches!(compile(&wrong), Err(CompileError::Rejected { text, .. }) if text.contains("missing")));
    assert!(matches!(compile(Path::new("/nowhere.c")), Err(CompileError::Failed(_))));
}
