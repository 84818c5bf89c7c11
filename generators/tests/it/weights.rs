use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use rebut_generators::{
    Choices, GRAPH_SHAPES, GraphRequirements, WEIGHT_SHAPES, WORST_CASE_WEIGHT_SHAPES, WeightShape,
};

type Edges = Vec<(usize, usize)>;

fn shape(name: &str) -> &'static WeightShape {
    WEIGHT_SHAPES.iter().find(|shape| shape.name == name).unwrap()
}

/// Draws a connected simple graph of one of the shapes.
fn some_graph(seed: u64, vertices: usize, edges: usize) -> Edges {
    let graph = GraphRequirements { vertices, edges, simple: true, connected: true, ..GraphRequirements::default() };
    GRAPH_SHAPES[seed as usize % GRAPH_SHAPES.len()].draw_edges(&mut Choices::from_seed(seed, 1), &graph)
}

#[test]
fn every_weight_keeps_its_range_on_every_graph() {
    let ranges = [(0, 0), (0, 1), (1, 1_000_000_000), (-50, 50), (-9, -3), (i128::MIN, i128::MAX)];
    let tangled = vec![(0, 0), (1, 0), (0, 1), (4, 4), (2, 3), (3, 2)];
    let graphs = [(0, vec![]), (5, tangled), (1 << 60, vec![(3, 1 << 59), (7, 3)]), (30, some_graph(0, 30, 60))];
    for shape in WEIGHT_SHAPES.iter().chain(WORST_CASE_WEIGHT_SHAPES) {
        for (vertices, edges) in &graphs {
            for (lo, hi) in ranges {
                for draws in [None, Some(vec![]), Some(vec![u64::MAX; 300])] {
                    let mut c = draws.map_or_else(|| Choices::from_seed(5, 0), Choices::from_draws);
                    let made = shape.draw_weights(&mut c, *vertices, edges, lo, hi);
                    let fits = made.len() == edges.len() && made.iter().all(|weight| (lo..=hi).contains(weight));
                    assert!(fits, "{} on {lo}..={hi} {edges:?}: {made:?}", shape.name);
                }
            }
        }
    }
}

/// Draws weights of many connected graphs of 20 vertices and checks them.
fn check(name: &str, extra: usize, has_property: impl Fn(&Edges, &[i128]) -> bool) {
    for seed in 0..60 {
        let edges = some_graph(seed, 20, 19 + extra);
        let made = shape(name).draw_weights(&mut Choices::from_seed(seed, 0), 20, &edges, 1, 1_000_000_000);
        assert!(has_property(&edges, &made), "{name} seed {seed} {edges:?}: {made:?}");
    }
}

/// Returns true if an edge is a bridge.
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
fn weights_have_their_properties() {
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

/// Returns the edges of a path with a shortcut over every two of its steps.
fn path_with_shortcuts(vertices: usize) -> Edges {
    let steps = (1..vertices).map(|v| (v - 1, v));
    let shortcuts = (2..vertices).map(|v| (v - 2, v));
    steps.chain(shortcuts).collect()
}

#[test]
fn weights_on_a_path_rise_or_fall() {
    let path: Edges = (1..50).map(|v| (v - 1, v)).collect();
    for seed in 0..20 {
        let mut c = Choices::from_seed(seed, 0);
        let (rising, falling) = (shape("increasing"), shape("decreasing"));
        assert!(rising.draw_weights(&mut c, 50, &path, 1, 1000).is_sorted_by(|one, next| one < next));
        assert!(falling.draw_weights(&mut c, 50, &path, 1, 1000).is_sorted_by(|one, next| one > next));
    }
}

/// Returns the distances from the first vertex, and the number of times that a distance was improved.
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

/// Returns the number of distances that a search with a stack tries.
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
fn all_paths_with_shortcuts_are_equally_long() {
    let edges = path_with_shortcuts(30);
    let made = shape("equal-ways").draw_weights(&mut Choices::from_seed(0, 0), 30, &edges, 1, 1_000_000);
    assert!(edges.iter().zip(&made).all(|((u, v), weight)| *weight == made[0] * (v - u) as i128));
}

#[test]
fn each_vertex_improves_all_later_ones() {
    let complete: Edges = (0..30).flat_map(|v| (0..v).map(move |u| (u, v))).rev().collect();
    let made = shape("ever-nearer").draw_weights(&mut Choices::from_seed(0, 0), 30, &complete, 1, 1_000_000);
    let (_, nearer) = dijkstra(30, &complete, &made);
    assert_eq!(nearer, 28 * 29 / 2);
}

#[test]
fn stack_search_tries_exponentially_many_paths() {
    // Pairs of alternatives: two steps of the path, or one edge that skips both, which the stack takes first.
    let pair = |at: usize| [(at, at + 1), (at + 1, at + 2), (at, at + 2)];
    let edges: Edges = (0..20).step_by(2).flat_map(pair).collect();
    for seed in 0..10 {
        let made = shape("doubling-ways").draw_weights(&mut Choices::from_seed(seed, 0), 21, &edges, 0, 1_000_000_000);
        let tries = with_a_stack(21, &edges, &made);
        assert!(tries > 2000, "{tries} with {made:?}");
    }
}

#[test]
fn heavy_chains_are_connected_with_light_edges_across() {
    let edges = path_with_shortcuts(30);
    let made = shape("heavy-chains").draw_weights(&mut Choices::from_seed(0, 0), 30, &edges, 1, 1_000_000);
    assert_eq!(made.iter().filter(|weight| **weight > 1000).count(), 29);
    assert!(made.iter().all(|weight| *weight > 1000 || *weight <= 4));
}

#[test]
fn safely_negative_cycles_are_not_negative() {
    for seed in 0..30 {
        let graph = GraphRequirements { vertices: 12, edges: 40, directed: true, ..GraphRequirements::default() };
        let edges = GRAPH_SHAPES[seed as usize].draw_edges(&mut Choices::from_seed(seed, 0), &graph);
        let made = shape("safely-negative").draw_weights(&mut Choices::from_seed(seed, 0), 12, &edges, -100, 100);
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
