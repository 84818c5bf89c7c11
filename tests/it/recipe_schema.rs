//! The published JSON Schema of recipes: it is that of the types, accepts every recipe that is shipped or documented, and
//! refuses what the reader refuses for its keys and types.

use crate::environment::home;
use jsonschema::Validator;
use rebut_diagnostics::SourceText;
use rebut_packages::recipe::{TestSetRecipe, recipe_schema};
use serde_json::Value;
use std::fs;
use walkdir::WalkDir;

fn published() -> Validator {
    let path = home().join("docs/recipe.schema.json");
    let text = serde_json::to_string_pretty(&recipe_schema().to_value()).unwrap() + "\n";
    if std::env::var_os("REBUT_UPDATE_GOLDEN").is_some() {
        fs::write(&path, &text).unwrap();
    }
    let published = fs::read_to_string(&path).unwrap_or_default();
    assert!(published == text, "docs/recipe.schema.json is stale: REBUT_UPDATE_GOLDEN=1 writes it anew");
    jsonschema::validator_for(&serde_json::from_str(&published).unwrap()).unwrap()
}

/// Returns a recipe as the schema sees it.
fn to_json(text: &str) -> Value {
    toml::from_str(text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// Returns the recipes of all shipped packages, and those on the pages, with their places.
fn recipes() -> Vec<(String, String)> {
    let folders = ["testdata", "crates/packages/src", "docs"].map(|folder| WalkDir::new(home().join(folder)));
    let files = folders.into_iter().flatten().map(|entry| entry.unwrap().into_path());
    let mut found = Vec::new();
    for path in files {
        let place = path.strip_prefix(home()).unwrap().display().to_string();
        if path.ends_with("tests.toml") {
            found.push((place, fs::read_to_string(&path).unwrap()));
        } else if path.extension().is_some_and(|ending| ending == "md") {
            let text = fs::read_to_string(&path).unwrap();
            let blocks = text.split("\n```recipe\n").skip(1).filter_map(|rest| rest.split("\n```").next());
            found.extend(blocks.map(|block| (place.clone(), block.to_owned())));
        }
    }
    found
}

#[test]
fn shipped_and_documented_recipes_conform_to_the_schema() {
    let schema = published();
    let recipes = recipes();
    assert!(recipes.len() >= 10, "{}", recipes.len());
    for (place, text) in recipes {
        // A page can show a part of a recipe, which has no tests.
        let mut value = to_json(&text);
        value.as_object_mut().unwrap().entry("test").or_insert_with(|| serde_json::json!([{}]));
        let problems: Vec<String> = schema.iter_errors(&value).map(|problem| problem.to_string()).collect();
        assert!(problems.is_empty(), "{place}: {problems:?}\n{text}");
    }
}

#[test]
fn schema_and_reader_agree_on_keys_and_types() {
    let schema = published();
    for (text, is_right) in [
        ("[[test]]", true),
        ("seed = 0x7\nreference = 'a.cpp'\n[[test]]\nshape = ['sorted', 'equal']\ncount = 3", true),
        ("[[test]]\nlet = { n = 3, m = '10^9', x = 0.5 }\nwhere = ['n < m', 'x < 1']\ngrowth = [100, 0]", true),
        ("[group.a]\nscore = 20\nwhere = 'n < 9'\n[[test]]\ngroup = 'a'\ngrowth = 7", true),
        ("[select]\ndepth = 3\ntests = 20\n[[test]]\ncandidates = 5", true),
        ("", false),
        ("seed = -1\n[[test]]", false),
        ("seeds = 1\n[[test]]", false),
        ("[[test]]\nname = 1", false),
        ("[[test]]\nshapes = 'sorted'", false),
        ("[[test]]\nshape = []", false),
        ("[[test]]\ncount = 0", false),
        ("[[test]]\ncount = 100000", false),
        ("[[test]]\nmax = 'yes'", false),
        ("[[test]]\ngrowth = 101", false),
        ("[[test]]\ngrowth = [1, 2, 3]", false),
        ("[[test]]\nlet = { n = [] }", false),
        ("[select]\ndepths = 3\n[[test]]\ncandidates = 5", false),
        ("[group.a]\nscores = 20\n[[test]]\ngroup = 'a'", false),
    ] {
        assert_eq!(schema.is_valid(&to_json(text)), is_right, "the schema: {text}");
        let read = TestSetRecipe::parse(&SourceText::new("tests.toml", text));
        assert_eq!(read.is_ok(), is_right, "the reader: {text}\n{read:?}");
    }
}
