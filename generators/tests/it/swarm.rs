use std::collections::BTreeSet;

use rebut_generators::{Choices, NUMBER_SHAPES, ShapeFamily, Swarm, all_shapes, are_shapes_known, find_shape};

/// Returns the sequence shapes that a swarm enables with these draws.
fn in_play(mut swarm: Swarm, seed: u64) -> BTreeSet<&'static str> {
    let mut c = Choices::from_seed(seed, 0);
    (0..1000).map(|_| swarm.pick_number_shape(&mut c).name).collect()
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
fn forced_shape_is_the_only_one_in_its_families() {
    let mut c = Choices::from_seed(0, 0);
    let mut swarm = Swarm::with_only("palindrome");
    assert_eq!(
        (swarm.pick_number_shape(&mut c).name, swarm.pick_text_shape(&mut c).name),
        ("palindrome", "palindrome")
    );
    let mut drawn = Swarm::new().with_forced_shape(Some("texts/palindrome"));
    assert_eq!(drawn.pick_text_shape(&mut c).name, "palindrome");
    assert_eq!(drawn.clone().with_forced_shape(Some("graphs/path")).pick_graph_shape(&mut c).name, "path");
    assert_eq!(drawn.clone().with_forced_shape(Some("intervals/uniform")).pick_interval_shape(&mut c).name, "uniform");
    assert_eq!(drawn.clone().with_forced_shape(Some("ever-nearer")).pick_weight_shape(&mut c).name, "ever-nearer");
    assert_eq!(drawn.clone().with_forced_shape(Some("flat")).pick_factor_shape(&mut c).name, "flat");
    assert_eq!(in_play(Swarm::with_only("texts/palindrome"), 0).len(), NUMBER_SHAPES.len());
    assert_eq!(in_play(Swarm::with_only("no such shape"), 0).len(), NUMBER_SHAPES.len());
    assert_eq!(drawn.clone().with_forced_shape(None).pick_text_shape(&mut c).name, "palindrome");
}

#[test]
fn shapes_are_found_by_name() {
    let found = |name| find_shape(name).map(|shape| (shape.family, shape.name));
    assert_eq!(found("palindrome"), Some((ShapeFamily::Numbers, "palindrome")));
    assert_eq!(found("texts/palindrome"), Some((ShapeFamily::Texts, "palindrome")));
    assert_eq!(found("spiral"), Some((ShapeFamily::Boards, "spiral")));
    assert_eq!(found("caterpillar"), Some((ShapeFamily::Graphs, "caterpillar")));
    assert_eq!(found("graphs/uniform"), Some((ShapeFamily::Graphs, "uniform")));
    assert_eq!(found("heavy-bridge"), Some((ShapeFamily::Weights, "heavy-bridge")));
    assert_eq!(found("nested"), Some((ShapeFamily::Intervals, "nested")));
    assert_eq!(found("square").map(|(family, _)| family), Some(ShapeFamily::Texts));
    assert_eq!(found("factors/square"), Some((ShapeFamily::Factors, "square")));
    assert_eq!(found("halving"), Some((ShapeFamily::Budgets, "halving")));
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

#[test]
fn worst_cases_are_drawn_only_by_name() {
    let mut c = Choices::from_seed(0, 0);
    let never = |seed| !in_play(Swarm::new(), seed).iter().any(|name| name.starts_with("anti-"));
    assert!((0..50).all(never));
    let mut swarm = Swarm::with_only("anti-spfa");
    assert_eq!((swarm.pick_graph_shape(&mut c).name, swarm.pick_weight_shape(&mut c).name), ("anti-spfa", "anti-spfa"));
    assert!(!swarm.has_chosen_weights());
}

#[test]
fn worst_cases_come_in_turn_and_weights_go_with_their_graphs() {
    let mut c = Choices::from_seed(0, 0);
    let mut seen = BTreeSet::new();
    for number in 0..all_shapes().count() {
        let mut swarm = Swarm::with_worst_cases(number);
        let graph = swarm.pick_graph_shape(&mut c).name;
        if swarm.has_chosen_weights() {
            assert_eq!(swarm.pick_weight_shape(&mut c).name, graph);
            seen.insert((ShapeFamily::Weights, graph));
        }
        seen.insert((ShapeFamily::Graphs, graph));
        seen.insert((ShapeFamily::Numbers, swarm.pick_number_shape(&mut c).name));
        seen.insert((ShapeFamily::Texts, swarm.pick_text_shape(&mut c).name));
    }
    let is_worst_case = |shape: &rebut_generators::ShapeInfo| shape.name.starts_with("anti-");
    let all: BTreeSet<_> = all_shapes().filter(is_worst_case).map(|shape| (shape.family, shape.name)).collect();
    assert_eq!(seen, all);
}

#[test]
fn shapes_of_several_families_are_joined() {
    let mut c = Choices::from_seed(0, 0);
    let mut swarm = Swarm::new().with_forced_shape(Some("graphs/grid+weights/equal"));
    assert_eq!((swarm.pick_graph_shape(&mut c).name, swarm.pick_weight_shape(&mut c).name), ("grid", "equal"));
    assert!(swarm.has_chosen_weights());
    assert!(
        are_shapes_known("graphs/grid+equal") && !are_shapes_known("graphs/grid+") && !are_shapes_known("grid+cube")
    );
}
