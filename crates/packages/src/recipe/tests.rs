#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
use super::*;

fn parse_recipe(text: &str) -> std::result::Result<TestSetRecipe, Vec<Diagnostic>> {
    TestSetRecipe::parse(&SourceText::new("tests.toml", text))
}

#[test]
fn groups_keep_the_order_of_their_tests() {
    let text = "[[test]]\ngroup = 'sample'\ntext = '1'\n[[test]]\nname = 'a'\n[[test]]\ngroup='big'\n\
                [[test]]\nname='b'\ncount=2\n\
                [group.big]\nwhere = 'n > 5'\nscore = 20\n";
    let recipe = parse_recipe(text).unwrap();
    let names: Vec<&str> = recipe.groups.iter().map(|g| g.name.as_str()).collect();
    assert_eq!(names, ["sample", "secret", "big"]);
    assert_eq!(recipe.groups[2].data_folder(), "secret/big");
    assert_eq!(recipe.groups[2].score, Some(20));
    assert_eq!(input_file_names(&recipe.groups[1].test_file_stem(1), 2), ["2_b_1", "2_b_2"]);
    assert_eq!(input_file_names(&recipe.groups[0].test_file_stem(0), 1), ["1"]);
}

#[test]
fn damaged_recipes_do_not_panic() {
    let text = "[[test]]\nname='a'\nlet={n=1}\nwhere=['n<3']\ngrowth=[100,0]\n[group.x]\nscore=1\n";
    for end in 0..text.len() {
        let _ = parse_recipe(&text[..end]);
        let _ = parse_recipe(&text[end..]);
        let mut damaged = text.as_bytes().to_vec();
        damaged[end] = 0xff;
        assert!(TestSetRecipe::parse(&SourceText::new("x", damaged)).is_err());
    }
}

#[test]
fn candidates_are_selected_as_the_recipe_says() {
    let recipe = parse_recipe("[select]\ndepth = 3\n[[test]]\ncandidates = 1000\n[[test]]\nmax = true\n").unwrap();
    assert_eq!(recipe.selection, SelectionSettings { depth: 3, tests: 30 });
    let tests: Vec<(u32, bool)> = recipe.all_tests().map(|(_, test)| (test.count, test.is_candidate)).collect();
    assert_eq!(tests, [(1000, true), (1, false)]);
    let useless = |text: &str| parse_recipe(text).unwrap_err()[0].message.clone();
    assert_eq!(useless("[select]\n[[test]]\nname='a'\n"), "`select` has no effect without candidates");
    let both = "[[test]]\ncount = 2\ncandidates = 3\n";
    assert_eq!(useless(both), "`count` has no effect together with `candidates`");
}
