use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use rebut_generators::{Choices, GRAPH_SHAPES, Graph, WEIGHT_SHAPES, WeightShape};

type Edges = Vec<(usize, usize)>;

fn shape(name: &str) -> &'static WeightShape {
    WEIGHT_SHAPES.iter().find(|shape| shape.name == name).unwrap()
}

/// A connected simple graph of one of the shapes.
fn some_graph(seed: u64, vertices: usize, edges: usize) -> Edges {
    let graph = Graph { vertices, edges, simple: true, connected: true, ..Graph::default() };
    GRAPH_SHAPES[seed as usize % GRAPH_SHAPES.len()].make(&mut Choices::fresh(seed, 1), &graph)
}

#[test]
fn every_weight_keeps_its_range_on_every_graph() {
    let ranges = [(0, 0), (0, 1), (1, 1_000_000_000), (-50, 50), (-9, -3), (i128::MIN, i128::MAX)];
    let tangled = vec![(0, 0), (1, 0), (0, 1), (4, 4), (2, 3), (3, 2)];
    let graphs = [(0, vec![]), (5, tangled), (1 << 60, vec![(3, 1 << 59), (7, 3)]), (30, some_graph(0, 30, 60))];
    for shape in WEIGHT_SHAPES {
        for (vertices, edges) in &graphs {
            for (lo, hi) in ranges {
                for draws in [None, Some(vec![]), Some(vec![u64::MAX; 300])] {
                    let mut c = draws.map_or_else(|| Choices::fresh(5, 0), Choices::replay);
                    let made = shape.make(&mut c, *vertices, edges, lo, hi);
                    let fits = made.len() == edges.len() && made.iter().all(|weight| (lo..=hi).contains(weight));
                    assert!(fits, "{} on {lo}..={hi} {edges:?}: {made:?}", shape.name);
                }
            }
        }
    }
}

/// Weighs many connected graphs of 20 vertices and checks the weights.
fn check(name: &str, extra: usize, has_habit: impl Fn(&Edges, &[i128]) -> bool) {
    for seed in 0..60 {
        let edges = some_graph(seed, 20, 19 + extra);
        let made = shape(name).make(&mut Choices::fresh(seed, 0), 20, &edges, 1, 1_000_000_000);
        assert!(has_habit(&edges, &made), "{name} seed {seed} {edges:?}: {made:?}");
    }
}

/// Whether the ends of an edge have no other way between them.
fn is_bridge(edges: &Edges, at: usize) -> bool {
    let mut met = BTreeSet::from([edges[at].0]);
    for _ in 0..edges.len() {
        for (_, (u, v)) in edges.iter().enumerate().filter(|(other, _)| *other != at) {
            if met.contains(u) || met.contains(v) {
                met.extend([*u, *v]);
            }
        }
    }
    !met.contains(&edges[at].1)
}

#[test]
fn weights_have_their_habits() {
    check("equal", 9, |_, made| made.iter().all(|weight| *weight == made[0]));
    check("extremes", 9, |_, made| made.iter().all(|weight| [1, 1_000_000_000].contains(weight)));
    check("heaviest", 9, |_, made| made.iter().all(|weight| *weight >= 999_999_998));
    check("powers-of-two", 9, |_, made| {
        let turned: Vec<i128> = made.iter().rev().copied().collect();
        let outweighs = |made: &[i128]| (0..made.len()).all(|at| made[at] > made[..at].iter().sum());
        outweighs(made) || outweighs(&turned)
    });
    check("heavy-bridge", 3, |edges, made| {
        let heavy = (0..made.len()).max_by_key(|at| made[*at]).unwrap();
        let bridges = (0..edges.len()).filter(|at| is_bridge(edges, *at)).count();
        made.iter().filter(|weight| **weight > 2_000_000).count() == 1 && (bridges == 0 || is_bridge(edges, heavy))
    });
}

/// The edges of a path with a shortcut over each two of its steps.
fn path_with_shortcuts(vertices: usize) -> Edges {
    let steps = (1..vertices).map(|v| (v - 1, v));
    let shortcuts = (2..vertices).map(|v| (v - 2, v));
    steps.chain(shortcuts).collect()
}

#[test]
fn weights_on_a_path_rise_or_fall() {
    let path: Edges = (1..50).map(|v| (v - 1, v)).collect();
    for seed in 0..20 {
        let mut c = Choices::fresh(seed, 0);
        let (rising, falling) = (shape("increasing"), shape("decreasing"));
        assert!(rising.make(&mut c, 50, &path, 1, 1000).is_sorted_by(|one, next| one < next));
        assert!(falling.make(&mut c, 50, &path, 1, 1000).is_sorted_by(|one, next| one > next));
    }
}

/// Distances from the first vertex, and how often any got nearer on the way.
fn dijkstra(vertices: usize, edges: &Edges, weights: &[i128]) -> (Vec<i128>, usize) {
    let (mut far, mut nearer) = (vec![i128::MAX; vertices], 0);
    let mut queue = BinaryHeap::from([Reverse((0, 0))]);
    far[0] = 0;
    while let Some(Reverse((distance, u))) = queue.pop() {
        for ((a, b), weight) in edges.iter().zip(weights).filter(|((a, b), _)| *a == u || *b == u) {
            let (v, there) = (a ^ b ^ u, distance + weight);
            if distance == far[u] && there < far[v] {
                nearer += usize::from(far[v] < i128::MAX);
                far[v] = there;
                queue.push(Reverse((there, v)));
            }
        }
    }
    (far, nearer)
}

/// How many distances a search with a stack tries.
fn with_a_stack(vertices: usize, edges: &Edges, weights: &[i128]) -> usize {
    let (mut far, mut tries) = (vec![i128::MAX; vertices], 0);
    let mut stack = vec![0];
    far[0] = 0;
    while let Some(u) = stack.pop() {
        tries += 1;
        for ((a, b), weight) in edges.iter().zip(weights).filter(|((a, _), _)| *a == u) {
            if far[*a] + weight < far[*b] {
                far[*b] = far[*a] + weight;
                stack.push(*b);
            }
        }
    }
    tries
}

#[test]
fn all_ways_down_a_path_with_shortcuts_are_equally_long() {
    let edges = path_with_shortcuts(30);
    let made = shape("equal-ways").make(&mut Choices::fresh(0, 0), 30, &edges, 1, 1_000_000);
    assert!(edges.iter().zip(&made).all(|((u, v), weight)| *weight == made[0] * (v - u) as i128));
}

#[test]
fn each_vertex_brings_all_later_ones_nearer() {
    let complete: Edges = (0..30).flat_map(|v| (0..v).map(move |u| (u, v))).rev().collect();
    let made = shape("ever-nearer").make(&mut Choices::fresh(0, 0), 30, &complete, 1, 1_000_000);
    let (_, nearer) = dijkstra(30, &complete, &made);
    assert_eq!(nearer, 28 * 29 / 2);
}

#[test]
fn a_search_with_a_stack_tries_a_power_of_two_of_ways() {
    // Pairs of ways: two steps of the path, or one edge that skips both, which the stack takes first.
    let pair = |at: usize| [(at, at + 1), (at + 1, at + 2), (at, at + 2)];
    let edges: Edges = (0..20).step_by(2).flat_map(pair).collect();
    for seed in 0..10 {
        let made = shape("doubling-ways").make(&mut Choices::fresh(seed, 0), 21, &edges, 0, 1_000_000_000);
        let tries = with_a_stack(21, &edges, &made);
        assert!(tries > 2000, "{tries} with {made:?}");
    }
}

#[test]
fn heavy_chains_hold_together_and_light_edges_lead_across() {
    let edges = path_with_shortcuts(30);
    let made = shape("heavy-chains").make(&mut Choices::fresh(0, 0), 30, &edges, 1, 1_000_000);
    assert_eq!(made.iter().filter(|weight| **weight > 1000).count(), 29);
    assert!(made.iter().all(|weight| *weight > 1000 || *weight <= 4));
}

#[test]
fn safely_negative_cycles_are_not_negative() {
    for seed in 0..30 {
        let graph = Graph { vertices: 12, edges: 40, directed: true, ..Graph::default() };
        let edges = GRAPH_SHAPES[seed as usize].make(&mut Choices::fresh(seed, 0), &graph);
        let made = shape("safely-negative").make(&mut Choices::fresh(seed, 0), 12, &edges, -100, 100);
        let mut far = [[10_000; 12]; 12];
        edges.iter().zip(&made).for_each(|((u, v), weight)| far[*u][*v] = far[*u][*v].min(*weight));
        for via in 0..12 {
            for from in 0..12 {
                for to in 0..12 {
                    far[from][to] = far[from][to].min(far[from][via] + far[via][to]);
                }
            }
        }
        assert!((0..12).all(|v| far[v][v] >= 0), "seed {seed} {edges:?} {made:?}");
    }
}
