use std::collections::BTreeSet;

use rebut_generators::{Choices, Family, NUMBER_SHAPES, Swarm, all_shapes, find_shape};

/// The sequence shapes that a swarm has in play with these draws.
fn in_play(mut swarm: Swarm, seed: u64) -> BTreeSet<&'static str> {
    let mut c = Choices::fresh(seed, 0);
    (0..1000).map(|_| swarm.numbers(&mut c).name).collect()
}

#[test]
fn a_swarm_is_sometimes_one_shape_and_sometimes_many() {
    let sizes: Vec<usize> = (0..200).map(|seed| in_play(Swarm::new(), seed).len()).collect();
    assert!(sizes.contains(&1));
    assert!(sizes.iter().any(|size| *size > NUMBER_SHAPES.len() / 2));
}

#[test]
fn every_shape_is_in_some_swarm() {
    let all: BTreeSet<_> = (0..200).flat_map(|seed| in_play(Swarm::new(), seed)).collect();
    assert_eq!(all.len(), NUMBER_SHAPES.len());
}

#[test]
fn a_forced_name_is_alone_in_each_family_that_knows_it() {
    let mut c = Choices::fresh(0, 0);
    let mut swarm = Swarm::only("palindrome");
    assert_eq!((swarm.numbers(&mut c).name, swarm.texts(&mut c).name), ("palindrome", "palindrome"));
    let mut drawn = Swarm::new().with_forced(Some("texts/palindrome"));
    assert_eq!(drawn.texts(&mut c).name, "palindrome");
    assert_eq!(drawn.clone().with_forced(Some("graphs/path")).graphs(&mut c).name, "path");
    assert_eq!(drawn.clone().with_forced(Some("intervals/uniform")).intervals(&mut c).name, "uniform");
    assert_eq!(drawn.clone().with_forced(Some("ever-nearer")).weights(&mut c).name, "ever-nearer");
    assert_eq!(drawn.clone().with_forced(Some("flat")).factors(&mut c).name, "flat");
    assert_eq!(in_play(Swarm::only("texts/palindrome"), 0).len(), NUMBER_SHAPES.len());
    assert_eq!(in_play(Swarm::only("no such shape"), 0).len(), NUMBER_SHAPES.len());
    assert_eq!(drawn.clone().with_forced(None).texts(&mut c).name, "palindrome");
}

#[test]
fn shapes_are_found_by_name() {
    let found = |name| find_shape(name).map(|shape| (shape.family, shape.name));
    assert_eq!(found("palindrome"), Some((Family::Numbers, "palindrome")));
    assert_eq!(found("texts/palindrome"), Some((Family::Texts, "palindrome")));
    assert_eq!(found("cf1921e/wall-race"), Some((Family::Problems, "cf1921e/wall-race")));
    assert_eq!(found("spiral"), Some((Family::Boards, "spiral")));
    assert_eq!(found("caterpillar"), Some((Family::Graphs, "caterpillar")));
    assert_eq!(found("graphs/uniform"), Some((Family::Graphs, "uniform")));
    assert_eq!(found("heavy-bridge"), Some((Family::Weights, "heavy-bridge")));
    assert_eq!(found("nested"), Some((Family::Intervals, "nested")));
    assert_eq!(found("square").map(|(family, _)| family), Some(Family::Texts));
    assert_eq!(found("factors/square"), Some((Family::Factors, "square")));
    assert_eq!(found("halving"), Some((Family::Budgets, "halving")));
    assert_eq!((found("texts/spiral"), found("texts"), found("")), (None, None, None));
}

#[test]
fn every_shape_is_listed_once_with_a_line_about_it() {
    let listed: Vec<_> = all_shapes().collect();
    let names: BTreeSet<_> = listed.iter().map(|shape| (shape.family, shape.name)).collect();
    assert_eq!(names.len(), listed.len());
    for shape in listed {
        assert!(!shape.doc.is_empty() && !shape.doc.contains('\n') && !shape.doc.ends_with('.'), "{}", shape.name);
        assert!(shape.name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-/".contains(c)));
    }
}
