use std::collections::BTreeSet;

use rebut_generators::{Choices, DegreeRule, GRAPH_SHAPES, GraphFaultKind, GraphRequirements, WORST_CASE_GRAPH_SHAPES};

type Edges = Vec<(usize, usize)>;

/// Returns every combination of the requirements.
fn all_requirements(vertices: usize) -> impl Iterator<Item = GraphRequirements> {
    (0..64).map(move |bits: u32| {
        let is = |bit: u32| bits >> bit & 1 == 1;
        let (directed, simple, loopless) = (is(0), is(1), is(2));
        let (connected, acyclic, bipartite) = (is(3), is(4), is(5));
        GraphRequirements {
            vertices,
            edges: 0,
            directed,
            simple,
            loopless,
            connected,
            acyclic,
            bipartite,
            ..GraphRequirements::default()
        }
    })
}

/// Returns the numbers of edges to try: all that are possible, up to a few more than those of a complete graph.
fn edge_counts(graph: &GraphRequirements) -> std::ops::RangeInclusive<usize> {
    let (fewest, most) = graph.edge_range();
    fewest..=most.min(graph.vertices * graph.vertices + 3)
}

fn check_made(name: &str, seed: u64, graph: &GraphRequirements, edges: &Edges) {
    assert_eq!(edges.len(), graph.edges, "{name} seed {seed} {graph:?}: {edges:?}");
    assert_eq!(graph.check_edges(edges), Ok(()), "{name} seed {seed} {graph:?}: {edges:?}");
}

#[test]
fn every_shape_meets_the_requirements() {
    for shape in GRAPH_SHAPES.iter().chain(WORST_CASE_GRAPH_SHAPES) {
        for graph in [0, 1, 2, 3, 4, 5, 7, 12].into_iter().flat_map(all_requirements) {
            let step = if graph.vertices > 5 { 5 } else { 1 };
            for edges in edge_counts(&graph).step_by(step).chain(edge_counts(&graph).last()) {
                let graph = GraphRequirements { edges, ..graph };
                for seed in 0..3 {
                    let made = shape.draw_edges(&mut Choices::from_seed(seed, edges as u64), &graph);
                    check_made(shape.name, seed, &graph, &made);
                }
            }
        }
    }
}

#[test]
fn large_graphs_meet_the_requirements() {
    for shape in GRAPH_SHAPES.iter().chain(WORST_CASE_GRAPH_SHAPES) {
        for graph in all_requirements(600) {
            let (fewest, most) = graph.edge_range();
            for edges in [fewest, fewest + 1, 900, 5000].map(|edges| edges.clamp(fewest, most)) {
                let graph = GraphRequirements { edges, ..graph };
                let made = shape.draw_edges(&mut Choices::from_seed(edges as u64, 0), &graph);
                check_made(shape.name, 0, &graph, &made);
            }
        }
    }
}

#[test]
fn few_edges_on_very_many_vertices_are_quick() {
    for shape in GRAPH_SHAPES.iter().chain(WORST_CASE_GRAPH_SHAPES) {
        for graph in all_requirements(1 << 60).filter(|graph| !graph.connected) {
            for edges in [0, 1, 50] {
                let graph = GraphRequirements { edges, ..graph };
                let made = shape.draw_edges(&mut Choices::from_seed(edges as u64, 0), &graph);
                check_made(shape.name, 0, &graph, &made);
            }
        }
    }
}

#[test]
fn extreme_choices_make_valid_graphs() {
    for shape in GRAPH_SHAPES.iter().chain(WORST_CASE_GRAPH_SHAPES) {
        for graph in [1, 2, 3, 6, 30].into_iter().flat_map(all_requirements) {
            let (fewest, most) = graph.edge_range();
            for edges in [fewest, (fewest + 9).min(most), most.min(60)].map(|edges| edges.max(fewest)) {
                let graph = GraphRequirements { edges, ..graph };
                for draws in [vec![], vec![u64::MAX; 1000], (0..500).collect()] {
                    let made = shape.draw_edges(&mut Choices::from_draws(draws), &graph);
                    check_made(shape.name, 0, &graph, &made);
                }
            }
        }
    }
}

#[test]
fn impossible_requirements_sacrifice_connectivity_or_edges() {
    for shape in GRAPH_SHAPES.iter().chain(WORST_CASE_GRAPH_SHAPES) {
        for graph in (0..6).flat_map(all_requirements) {
            for edges in 0..40 {
                let graph = GraphRequirements { edges, ..graph };
                let made = shape.draw_edges(&mut Choices::from_seed(edges as u64, 0), &graph);
                let (_, most) = graph.edge_range();
                assert_eq!(made.len(), edges.min(most), "{} {graph:?}", shape.name);
                let apart = GraphRequirements { connected: false, ..graph };
                assert_eq!(apart.check_edges(&made), Ok(()), "{} {graph:?}", shape.name);
            }
        }
    }
}

/// Returns the key by which edges are compared for repeats.
fn key(graph: &GraphRequirements, (u, v): (usize, usize)) -> (usize, usize) {
    if graph.directed { (u, v) } else { (u.min(v), u.max(v)) }
}

/// Returns which vertices are reachable from which over at least one edge, as a transitive closure.
fn reach(vertices: usize, edges: &[(usize, usize)]) -> Vec<Vec<bool>> {
    let mut reach = vec![vec![false; vertices]; vertices];
    edges.iter().for_each(|(u, v)| reach[*u][*v] = true);
    for via in 0..vertices {
        for from in 0..vertices {
            for to in 0..vertices {
                reach[from][to] |= reach[from][via] && reach[via][to];
            }
        }
    }
    reach
}

fn both_ways(edges: &[(usize, usize)]) -> Edges {
    edges.iter().flat_map(|(u, v)| [(*u, *v), (*v, *u)]).collect()
}

fn is_connected(vertices: usize, edges: &[(usize, usize)]) -> bool {
    let reach = reach(vertices, &both_ways(edges));
    (0..vertices).all(|u| (0..u).all(|v| reach[u][v]))
}

fn is_acyclic(graph: &GraphRequirements, edges: &[(usize, usize)]) -> bool {
    if graph.directed {
        let reach = reach(graph.vertices, edges);
        return (0..graph.vertices).all(|v| !reach[v][v]);
    }
    // In a forest, the two ends of an edge are not connected otherwise.
    (0..edges.len()).all(|at| {
        let mut others = edges.to_vec();
        let (u, v) = others.remove(at);
        u != v && !reach(graph.vertices, &both_ways(&others))[u][v]
    })
}

fn is_bipartite(vertices: usize, edges: &[(usize, usize)]) -> bool {
    (0..1_usize << vertices).any(|side| edges.iter().all(|(u, v)| (side >> u ^ side >> v) & 1 == 1))
}

/// Checks the requirements by their definitions.
fn meets_requirements(graph: &GraphRequirements, edges: &[(usize, usize)]) -> bool {
    let distinct = BTreeSet::from_iter(edges.iter().map(|edge| key(graph, *edge))).len() == edges.len();
    let without_loops = edges.iter().all(|(u, v)| u != v);
    (!graph.simple || distinct)
        && (!(graph.simple || graph.loopless) || without_loops)
        && (!graph.connected || is_connected(graph.vertices, edges))
        && (!graph.acyclic || is_acyclic(graph, edges))
        && (!graph.bipartite || is_bipartite(graph.vertices, edges))
}

/// Returns all lists of at most `most` of the possible edges in ascending order, with repeats if `repeats`.
fn lists(places: &[(usize, usize)], most: usize, repeats: bool) -> Vec<Edges> {
    let mut lists = vec![(0, Edges::new())];
    let mut done = 0;
    while done < lists.len() {
        let (from, list) = lists[done].clone();
        done += 1;
        for (at, place) in places.iter().enumerate().skip(from).filter(|_| list.len() < most) {
            let longer = [list.as_slice(), &[*place]].concat();
            lists.push((at + usize::from(!repeats), longer));
        }
    }
    lists.into_iter().map(|(_, list)| list).collect()
}

/// Compares the check with the definitions, and the range with the numbers of edges that occur.
fn compare(vertices: usize, most: usize, repeats: bool, directed: bool) {
    let places: Edges = (0..vertices).flat_map(|u| (0..vertices).map(move |v| (u, v))).collect();
    let places: Edges = places.into_iter().filter(|(u, v)| directed || u <= v).collect();
    let lists = lists(&places, most, repeats);
    for graph in all_requirements(vertices).filter(|graph| graph.directed == directed) {
        let mut counts = BTreeSet::new();
        for edges in &lists {
            let expected = meets_requirements(&graph, edges);
            assert_eq!(graph.check_edges(edges).is_ok(), expected, "{graph:?} {edges:?}");
            counts.extend(expected.then_some(edges.len()));
        }
        let (fewest, largest) = graph.edge_range();
        if repeats || graph.simple {
            let expected: BTreeSet<usize> = (fewest..=largest.min(most)).collect();
            assert_eq!(counts, expected, "{graph:?}");
        }
    }
}

#[test]
fn the_check_agrees_with_the_definitions_on_all_small_graphs() {
    for vertices in 0..=3 {
        compare(vertices, 5, true, false);
        compare(vertices, 4, true, true);
        compare(vertices, 9, false, true);
    }
    compare(4, 10, false, false);
    compare(4, 4, true, false);
    compare(4, 4, false, true);
}

#[test]
fn reported_edge_is_the_first_that_proves_the_fault() {
    let fault = |graph: GraphRequirements, edges: &[(usize, usize)]| {
        let fault = graph.check_edges(edges).unwrap_err();
        assert!(!fault.message.is_empty() && fault.to_string() == fault.message);
        (fault.kind, fault.edge)
    };
    let plain = GraphRequirements { vertices: 5, ..GraphRequirements::default() };
    let directed = GraphRequirements { directed: true, ..plain };
    assert_eq!(fault(plain, &[(0, 1), (1, 5), (5, 5)]), (GraphFaultKind::NotAVertex, Some(1)));
    let loopless = GraphRequirements { loopless: true, ..plain };
    assert_eq!(fault(loopless, &[(0, 1), (0, 1), (2, 2), (3, 3)]), (GraphFaultKind::Loop, Some(2)));
    let simple = GraphRequirements { simple: true, ..plain };
    assert_eq!(fault(simple, &[(0, 1), (3, 2), (2, 3), (1, 0)]), (GraphFaultKind::Repeated, Some(2)));
    assert_eq!(fault(GraphRequirements { simple: true, ..directed }, &[(2, 3), (3, 2), (2, 3)]).1, Some(2));
    let forest = GraphRequirements { acyclic: true, ..plain };
    assert_eq!(fault(forest, &[(0, 1), (1, 2), (3, 4), (2, 0), (4, 3)]), (GraphFaultKind::Cycle, Some(3)));
    let dag = GraphRequirements { acyclic: true, ..directed };
    assert_eq!(fault(dag, &[(0, 1), (1, 2), (2, 2), (2, 3)]), (GraphFaultKind::Cycle, Some(2)));
    let two_sided = GraphRequirements { bipartite: true, ..plain };
    let edges = [(0, 1), (1, 2), (2, 3), (3, 0), (1, 3), (0, 2)];
    assert_eq!(fault(two_sided, &edges), (GraphFaultKind::OddCycle, Some(4)));
    let connected = GraphRequirements { connected: true, ..plain };
    assert_eq!(fault(connected, &[(0, 1), (2, 3), (1, 0)]), (GraphFaultKind::Disconnected, None));
    assert!(connected.check_edges(&[(0, 1), (2, 3), (1, 0)]).unwrap_err().message.contains("3 parts"));
}

#[test]
fn the_edge_of_a_directed_cycle_is_on_it() {
    let dag = GraphRequirements { vertices: 9, directed: true, acyclic: true, ..GraphRequirements::default() };
    for seed in 0..500 {
        let any = GraphRequirements { acyclic: false, edges: 9, ..dag };
        let edges = GRAPH_SHAPES[0].draw_edges(&mut Choices::from_seed(seed, 0), &any);
        if let Err(fault) = dag.check_edges(&edges) {
            let (u, v) = edges[fault.edge.unwrap()];
            assert!(u == v || reach(9, &edges)[v][u], "{edges:?} {u} {v}");
        }
    }
}

#[test]
fn edge_range_does_not_overflow() {
    for graph in all_requirements(usize::MAX) {
        let (fewest, most) = graph.edge_range();
        assert!(fewest <= most, "{graph:?}");
    }
}

/// Returns the degree of each vertex.
fn degrees(graph: &GraphRequirements, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut degrees = vec![0; graph.vertices];
    both_ways(edges).into_iter().for_each(|(u, _)| degrees[u] += 1);
    degrees
}

/// Returns the largest distance between two vertices of one component.
fn diameter(graph: &GraphRequirements, edges: &[(usize, usize)]) -> usize {
    let mut steps = vec![vec![None; graph.vertices]; graph.vertices];
    for (from, steps) in steps.iter_mut().enumerate() {
        steps[from] = Some(0);
        for round in 0..graph.vertices {
            for (u, v) in both_ways(edges) {
                if steps[u] == Some(round) && steps[v].is_none() {
                    steps[v] = Some(round + 1);
                }
            }
        }
    }
    steps.into_iter().flatten().flatten().max().unwrap_or(0)
}

fn parts(graph: &GraphRequirements, edges: &[(usize, usize)]) -> usize {
    let reach = reach(graph.vertices, &both_ways(edges));
    (0..graph.vertices).filter(|v| !(0..*v).any(|u| reach[u][*v])).count()
}

/// Returns the number of bridges.
fn bridges(graph: &GraphRequirements, edges: &[(usize, usize)]) -> usize {
    let before = parts(graph, edges);
    let without = |at: usize| [&edges[..at], &edges[at + 1..]].concat();
    (0..edges.len()).filter(|at| parts(graph, &without(*at)) > before).count()
}

/// Draws many graphs of the shape and checks that each has the property.
fn check_property(name: &str, graph: &GraphRequirements, has_property: impl Fn(&[(usize, usize)]) -> bool) {
    let shape = GRAPH_SHAPES.iter().find(|shape| shape.name == name).unwrap();
    for seed in 0..40 {
        let edges = shape.draw_edges(&mut Choices::from_seed(seed, 1), graph);
        assert!(has_property(&edges), "{name} seed {seed}: {edges:?}");
    }
}

#[test]
fn trees_have_their_properties() {
    let tree = GraphRequirements {
        vertices: 15,
        edges: 14,
        simple: true,
        connected: true,
        acyclic: true,
        ..GraphRequirements::default()
    };
    let check = |name: &str, has_property: &dyn Fn(&[usize], usize) -> bool| {
        check_property(name, &tree, |edges| has_property(&degrees(&tree, edges), diameter(&tree, edges)));
    };
    let with = |degrees: &[usize], wanted: usize| degrees.iter().filter(|degree| **degree == wanted).count();
    let inner = |degrees: &[usize]| degrees.iter().filter(|degree| **degree > 1).count();
    check("path", &|_, diameter| diameter == 14);
    check("star", &|_, diameter| diameter == 2);
    check("two-stars", &|degrees, diameter| diameter <= 3 && inner(degrees) <= 2);
    // The vertices of a caterpillar that are not leaves form one path.
    check("caterpillar", &|degrees, diameter| diameter == inner(degrees) + 1);
    check("broom", &|degrees, diameter| diameter == inner(degrees) + 1);
    check("double-broom", &|degrees, diameter| diameter == inner(degrees) + 1);
    check("centipede", &|degrees, diameter| with(degrees, 1) == 8 && diameter == 8);
    check("spider", &|degrees, _| degrees.iter().filter(|degree| **degree > 2).count() <= 1);
    check("binary", &|degrees, _| (with(degrees, 1), with(degrees, 2), with(degrees, 3)) == (8, 1, 6));
    check("binomial", &|degrees, _| degrees.iter().max() == Some(&4));
    check("comb", &|degrees, _| degrees.iter().max() <= Some(&3));
}

#[test]
fn graphs_have_their_properties() {
    let plain =
        GraphRequirements { vertices: 16, edges: 16, simple: true, connected: true, ..GraphRequirements::default() };
    let with = |edges| GraphRequirements { edges, ..plain };
    let apart = |edges| GraphRequirements { edges, connected: false, ..plain };
    let even =
        |graph: &GraphRequirements, edges: &[(usize, usize)]| BTreeSet::from_iter(degrees(graph, edges)).len() == 1;
    check_property("cycle", &plain, |edges| even(&plain, edges) && diameter(&plain, edges) == 8);
    check_property("trees-on-a-cycle", &plain, |edges| bridges(&plain, edges) < 14);
    check_property("regular", &with(48), |edges| even(&plain, edges));
    check_property("wheel", &with(30), |edges| diameter(&plain, edges) == 2 && degrees(&plain, edges).contains(&15));
    check_property("clique", &with(60), |edges| degrees(&plain, edges).iter().filter(|d| **d < 3).count() >= 4);
    check_property("two-cliques", &with(57), |edges| bridges(&plain, edges) == 1);
    check_property("complement", &with(115), |edges| degrees(&plain, edges).iter().all(|d| *d >= 10));
    check_property("complete-bipartite", &with(64), |edges| even(&plain, edges) && diameter(&plain, edges) == 2);
    check_property("hubs", &with(29), |edges| diameter(&plain, edges) <= 3);
    check_property("bridges", &with(24), |edges| bridges(&plain, edges) > 0);
    check_property("separate", &apart(20), |edges| parts(&plain, edges) > 1);
    check_property("matching", &apart(8), |edges| even(&plain, edges));
    check_property("several-cycles", &apart(12), |edges| degrees(&plain, edges).iter().all(|d| *d <= 2));
    check_property("cactus", &with(18), |edges| edges.len() - bridges(&plain, edges) >= 3 * 3 - 1);
}

#[test]
fn redundant_edges_occur_where_allowed() {
    let any =
        GraphRequirements { vertices: 10, edges: 30, directed: true, connected: true, ..GraphRequirements::default() };
    let distinct = |edges: &[(usize, usize)]| BTreeSet::from_iter(edges.to_vec()).len();
    check_property("repeated-edges", &any, |edges| distinct(edges) == 9);
    check_property("loops", &any, |edges| edges.iter().any(|(u, v)| u == v));
    check_property("there-and-back", &any, |edges| edges.iter().all(|(u, v)| edges.contains(&(*v, *u))));
}

#[test]
fn degrees_are_limited() {
    let undirected = |graph: &GraphRequirements| !graph.directed;
    for shape in GRAPH_SHAPES.iter().chain(WORST_CASE_GRAPH_SHAPES) {
        for graph in [1, 2, 3, 5, 9, 60].into_iter().flat_map(all_requirements).filter(undirected) {
            for most in 2..=5 {
                let graph = GraphRequirements { max_degree: Some(most), ..graph };
                let (fewest, highest) = graph.edge_range();
                // The last places can be hard to fill.
                let tried = [fewest, fewest.midpoint(highest), fewest.max(highest * 3 / 4)];
                for edges in tried.into_iter().filter(|edges| *edges <= highest) {
                    let graph = GraphRequirements { edges, ..graph };
                    let made = shape.draw_edges(&mut Choices::from_seed(most as u64, edges as u64), &graph);
                    assert_eq!(graph.check_edges(&made), Ok(()), "{} {graph:?}: {made:?}", shape.name);
                    assert_eq!(made.len(), edges, "{} {graph:?}: {made:?}", shape.name);
                }
            }
        }
    }
}

#[test]
fn degrees_follow_their_rule() {
    for shape in GRAPH_SHAPES.iter().chain(WORST_CASE_GRAPH_SHAPES) {
        for (degrees, vertices, edges) in [
            (DegreeRule::Even, 3, 3),
            (DegreeRule::Even, 7, 12),
            (DegreeRule::Even, 40, 41),
            (DegreeRule::Even, 2000, 4000),
            (DegreeRule::Equal, 4, 6),
            (DegreeRule::Equal, 10, 15),
            (DegreeRule::Equal, 60, 120),
            (DegreeRule::Equal, 2000, 3000),
        ] {
            for (simple, connected) in [(true, false), (true, true), (false, false), (false, true)] {
                let graph =
                    GraphRequirements { vertices, edges, simple, connected, degrees, ..GraphRequirements::default() };
                for seed in 0..3 {
                    let made = shape.draw_edges(&mut Choices::from_seed(seed, edges as u64), &graph);
                    assert_eq!(graph.check_edges(&made), Ok(()), "{} {graph:?} {seed}", shape.name);
                    assert_eq!(made.len(), edges, "{} {graph:?}", shape.name);
                }
            }
        }
    }
}

#[test]
fn exceeded_degrees_are_found() {
    let graph = GraphRequirements { vertices: 4, edges: 3, max_degree: Some(2), ..GraphRequirements::default() };
    assert_eq!(graph.check_edges(&[(0, 1), (1, 2), (2, 3)]), Ok(()));
    let fault = graph.check_edges(&[(0, 1), (2, 0), (0, 3)]).unwrap_err();
    assert_eq!((fault.kind, fault.edge), (GraphFaultKind::DegreeExceeded, Some(2)));
}

#[test]
fn strongly_connected_graphs_are_drawn() {
    for shape in GRAPH_SHAPES.iter().chain(WORST_CASE_GRAPH_SHAPES) {
        for graph in [1, 2, 3, 4, 7, 40].into_iter().flat_map(all_requirements) {
            if !graph.directed || graph.acyclic || graph.bipartite {
                continue;
            }
            let graph = GraphRequirements { strongly_connected: true, connected: true, ..graph };
            let (fewest, most) = graph.edge_range();
            for edges in [fewest, fewest + 1, fewest + 9, most].map(|edges| edges.clamp(fewest, most.min(2000))) {
                let graph = GraphRequirements { edges, ..graph };
                let made = shape.draw_edges(&mut Choices::from_seed(edges as u64, 3), &graph);
                check_made(shape.name, 3, &graph, &made);
                let reach = reach(graph.vertices, &made);
                assert!((0..graph.vertices).all(|u| (0..graph.vertices).all(|v| u == v || reach[u][v])), "{made:?}");
            }
        }
    }
}

#[test]
fn one_way_streets_are_found() {
    let graph =
        GraphRequirements { vertices: 3, edges: 3, directed: true, strongly_connected: true, ..Default::default() };
    assert_eq!(graph.check_edges(&[(0, 1), (1, 2), (2, 0)]), Ok(()));
    for edges in [[(0, 1), (1, 0), (1, 2)], [(0, 1), (1, 2), (0, 2)]] {
        assert_eq!(graph.check_edges(&edges).unwrap_err().kind, GraphFaultKind::NotStronglyConnected);
    }
}
