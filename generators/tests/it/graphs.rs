use std::collections::BTreeSet;

use rebut_generators::{Choices, GRAPH_SHAPES, Graph, GraphFaultKind};

type Edges = Vec<(usize, usize)>;

/// Every combination of the adjectives.
fn wishes(vertices: usize) -> impl Iterator<Item = Graph> {
    (0..64).map(move |bits: u32| {
        let is = |bit: u32| bits >> bit & 1 == 1;
        let (directed, simple, loopless) = (is(0), is(1), is(2));
        let (connected, acyclic, bipartite) = (is(3), is(4), is(5));
        Graph { vertices, edges: 0, directed, simple, loopless, connected, acyclic, bipartite }
    })
}

/// The numbers of edges to try: all that are possible, up to some more than a complete graph has.
fn edge_counts(graph: &Graph) -> std::ops::RangeInclusive<usize> {
    let (fewest, most) = graph.edge_range();
    fewest..=most.min(graph.vertices * graph.vertices + 3)
}

fn check_made(name: &str, seed: u64, graph: &Graph, edges: &Edges) {
    assert_eq!(edges.len(), graph.edges, "{name} seed {seed} {graph:?}: {edges:?}");
    assert_eq!(graph.check(edges), Ok(()), "{name} seed {seed} {graph:?}: {edges:?}");
}

#[test]
fn every_shape_is_as_it_must_be() {
    for shape in GRAPH_SHAPES {
        for graph in [0, 1, 2, 3, 4, 5, 7, 12].into_iter().flat_map(wishes) {
            let step = if graph.vertices > 5 { 5 } else { 1 };
            for edges in edge_counts(&graph).step_by(step).chain(edge_counts(&graph).last()) {
                let graph = Graph { edges, ..graph };
                for seed in 0..3 {
                    let made = shape.make(&mut Choices::fresh(seed, edges as u64), &graph);
                    check_made(shape.name, seed, &graph, &made);
                }
            }
        }
    }
}

#[test]
fn large_graphs_are_as_they_must_be() {
    for shape in GRAPH_SHAPES {
        for graph in wishes(600) {
            let (fewest, most) = graph.edge_range();
            for edges in [fewest, fewest + 1, 900, 5000].map(|edges| edges.clamp(fewest, most)) {
                let graph = Graph { edges, ..graph };
                let made = shape.make(&mut Choices::fresh(edges as u64, 0), &graph);
                check_made(shape.name, 0, &graph, &made);
            }
        }
    }
}

#[test]
fn few_edges_on_very_many_vertices_are_quick() {
    for shape in GRAPH_SHAPES {
        for graph in wishes(1 << 60).filter(|graph| !graph.connected) {
            for edges in [0, 1, 50] {
                let graph = Graph { edges, ..graph };
                let made = shape.make(&mut Choices::fresh(edges as u64, 0), &graph);
                check_made(shape.name, 0, &graph, &made);
            }
        }
    }
}

#[test]
fn the_simplest_choices_and_the_most_extravagant_make_graphs_too() {
    for shape in GRAPH_SHAPES {
        for graph in [1, 2, 3, 6, 30].into_iter().flat_map(wishes) {
            let (fewest, most) = graph.edge_range();
            for edges in [fewest, (fewest + 9).min(most), most.min(60)].map(|edges| edges.max(fewest)) {
                let graph = Graph { edges, ..graph };
                for draws in [vec![], vec![u64::MAX; 1000], (0..500).collect()] {
                    let made = shape.make(&mut Choices::replay(draws), &graph);
                    check_made(shape.name, 0, &graph, &made);
                }
            }
        }
    }
}

#[test]
fn an_impossible_wish_keeps_all_but_connection_and_number() {
    for shape in GRAPH_SHAPES {
        for graph in (0..6).flat_map(wishes) {
            for edges in 0..40 {
                let graph = Graph { edges, ..graph };
                let made = shape.make(&mut Choices::fresh(edges as u64, 0), &graph);
                let (_, most) = graph.edge_range();
                assert_eq!(made.len(), edges.min(most), "{} {graph:?}", shape.name);
                let apart = Graph { connected: false, ..graph };
                assert_eq!(apart.check(&made), Ok(()), "{} {graph:?}", shape.name);
            }
        }
    }
}

/// What an edge is, as far as repeats go.
fn key(graph: &Graph, (u, v): (usize, usize)) -> (usize, usize) {
    if graph.directed { (u, v) } else { (u.min(v), u.max(v)) }
}

/// Which vertices can be reached from which over at least one edge, by closing the relation step by step.
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

fn is_acyclic(graph: &Graph, edges: &[(usize, usize)]) -> bool {
    if graph.directed {
        let reach = reach(graph.vertices, edges);
        return (0..graph.vertices).all(|v| !reach[v][v]);
    }
    // In a forest, the two ends of an edge have no other way between them.
    (0..edges.len()).all(|at| {
        let mut others = edges.to_vec();
        let (u, v) = others.remove(at);
        u != v && !reach(graph.vertices, &both_ways(&others))[u][v]
    })
}

fn is_bipartite(vertices: usize, edges: &[(usize, usize)]) -> bool {
    (0..1_usize << vertices).any(|side| edges.iter().all(|(u, v)| (side >> u ^ side >> v) & 1 == 1))
}

/// The adjectives by definition.
fn is_as_it_must_be(graph: &Graph, edges: &[(usize, usize)]) -> bool {
    let distinct = BTreeSet::from_iter(edges.iter().map(|edge| key(graph, *edge))).len() == edges.len();
    let without_loops = edges.iter().all(|(u, v)| u != v);
    (!graph.simple || distinct)
        && (!(graph.simple || graph.loopless) || without_loops)
        && (!graph.connected || is_connected(graph.vertices, edges))
        && (!graph.acyclic || is_acyclic(graph, edges))
        && (!graph.bipartite || is_bipartite(graph.vertices, edges))
}

/// All lists of at most `most` of the possible edges, in ascending order, with repeats if `repeats`.
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
    for graph in wishes(vertices).filter(|graph| graph.directed == directed) {
        let mut counts = BTreeSet::new();
        for edges in &lists {
            let expected = is_as_it_must_be(&graph, edges);
            assert_eq!(graph.check(edges).is_ok(), expected, "{graph:?} {edges:?}");
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
fn the_edge_to_blame_is_the_first_that_makes_the_fault_certain() {
    let fault = |graph: Graph, edges: &[(usize, usize)]| {
        let fault = graph.check(edges).unwrap_err();
        assert!(!fault.words.is_empty() && fault.to_string() == fault.words);
        (fault.kind, fault.edge)
    };
    let plain = Graph { vertices: 5, ..Graph::default() };
    let directed = Graph { directed: true, ..plain };
    assert_eq!(fault(plain, &[(0, 1), (1, 5), (5, 5)]), (GraphFaultKind::NotAVertex, Some(1)));
    let loopless = Graph { loopless: true, ..plain };
    assert_eq!(fault(loopless, &[(0, 1), (0, 1), (2, 2), (3, 3)]), (GraphFaultKind::Loop, Some(2)));
    let simple = Graph { simple: true, ..plain };
    assert_eq!(fault(simple, &[(0, 1), (3, 2), (2, 3), (1, 0)]), (GraphFaultKind::Repeated, Some(2)));
    assert_eq!(fault(Graph { simple: true, ..directed }, &[(2, 3), (3, 2), (2, 3)]).1, Some(2));
    let forest = Graph { acyclic: true, ..plain };
    assert_eq!(fault(forest, &[(0, 1), (1, 2), (3, 4), (2, 0), (4, 3)]), (GraphFaultKind::Cycle, Some(3)));
    let dag = Graph { acyclic: true, ..directed };
    assert_eq!(fault(dag, &[(0, 1), (1, 2), (2, 2), (2, 3)]), (GraphFaultKind::Cycle, Some(2)));
    let two_sided = Graph { bipartite: true, ..plain };
    let edges = [(0, 1), (1, 2), (2, 3), (3, 0), (1, 3), (0, 2)];
    assert_eq!(fault(two_sided, &edges), (GraphFaultKind::OddCycle, Some(4)));
    let connected = Graph { connected: true, ..plain };
    assert_eq!(fault(connected, &[(0, 1), (2, 3), (1, 0)]), (GraphFaultKind::Disconnected, None));
    assert!(connected.check(&[(0, 1), (2, 3), (1, 0)]).unwrap_err().words.contains("3 parts"));
}

#[test]
fn the_edge_of_a_directed_cycle_is_on_it() {
    let dag = Graph { vertices: 9, directed: true, acyclic: true, ..Graph::default() };
    for seed in 0..500 {
        let any = Graph { acyclic: false, edges: 9, ..dag };
        let edges = GRAPH_SHAPES[0].make(&mut Choices::fresh(seed, 0), &any);
        if let Err(fault) = dag.check(&edges) {
            let (u, v) = edges[fault.edge.unwrap()];
            assert!(u == v || reach(9, &edges)[v][u], "{edges:?} {u} {v}");
        }
    }
}

#[test]
fn the_range_of_numbers_of_edges_does_not_overflow() {
    for graph in wishes(usize::MAX) {
        let (fewest, most) = graph.edge_range();
        assert!(fewest <= most, "{graph:?}");
    }
}

/// How many neighbours each vertex has.
fn degrees(graph: &Graph, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut degrees = vec![0; graph.vertices];
    both_ways(edges).into_iter().for_each(|(u, _)| degrees[u] += 1);
    degrees
}

/// The number of steps between the two vertices of one part that are furthest apart.
fn diameter(graph: &Graph, edges: &[(usize, usize)]) -> usize {
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

fn parts(graph: &Graph, edges: &[(usize, usize)]) -> usize {
    let reach = reach(graph.vertices, &both_ways(edges));
    (0..graph.vertices).filter(|v| !(0..*v).any(|u| reach[u][*v])).count()
}

/// How many edges are the only way between their ends.
fn bridges(graph: &Graph, edges: &[(usize, usize)]) -> usize {
    let before = parts(graph, edges);
    let without = |at: usize| [&edges[..at], &edges[at + 1..]].concat();
    (0..edges.len()).filter(|at| parts(graph, &without(*at)) > before).count()
}

/// Makes the shape many times and checks that each time it has its habit.
fn check_habit(name: &str, graph: &Graph, has_habit: impl Fn(&[(usize, usize)]) -> bool) {
    let shape = GRAPH_SHAPES.iter().find(|shape| shape.name == name).unwrap();
    for seed in 0..40 {
        let edges = shape.make(&mut Choices::fresh(seed, 1), graph);
        assert!(has_habit(&edges), "{name} seed {seed}: {edges:?}");
    }
}

#[test]
fn trees_have_their_habits() {
    let tree = Graph { vertices: 15, edges: 14, simple: true, connected: true, acyclic: true, ..Graph::default() };
    let check = |name: &str, has_habit: &dyn Fn(&[usize], usize) -> bool| {
        check_habit(name, &tree, |edges| has_habit(&degrees(&tree, edges), diameter(&tree, edges)));
    };
    let with = |degrees: &[usize], wanted: usize| degrees.iter().filter(|degree| **degree == wanted).count();
    let inner = |degrees: &[usize]| degrees.iter().filter(|degree| **degree > 1).count();
    check("path", &|_, diameter| diameter == 14);
    check("star", &|_, diameter| diameter == 2);
    check("two-stars", &|degrees, diameter| diameter <= 3 && inner(degrees) <= 2);
    // The vertices of a caterpillar that are no leaves lie on one path.
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
fn graphs_have_their_habits() {
    let plain = Graph { vertices: 16, edges: 16, simple: true, connected: true, ..Graph::default() };
    let with = |edges| Graph { edges, ..plain };
    let apart = |edges| Graph { edges, connected: false, ..plain };
    let even = |graph: &Graph, edges: &[(usize, usize)]| BTreeSet::from_iter(degrees(graph, edges)).len() == 1;
    check_habit("cycle", &plain, |edges| even(&plain, edges) && diameter(&plain, edges) == 8);
    check_habit("trees-on-a-cycle", &plain, |edges| bridges(&plain, edges) < 14);
    check_habit("regular", &with(48), |edges| even(&plain, edges));
    check_habit("wheel", &with(30), |edges| diameter(&plain, edges) == 2 && degrees(&plain, edges).contains(&15));
    check_habit("clique", &with(60), |edges| degrees(&plain, edges).iter().filter(|d| **d < 3).count() >= 4);
    check_habit("two-cliques", &with(57), |edges| bridges(&plain, edges) == 1);
    check_habit("complement", &with(115), |edges| degrees(&plain, edges).iter().all(|d| *d >= 10));
    check_habit("complete-bipartite", &with(64), |edges| even(&plain, edges) && diameter(&plain, edges) == 2);
    check_habit("hubs", &with(29), |edges| diameter(&plain, edges) <= 3);
    check_habit("bridges", &with(24), |edges| bridges(&plain, edges) > 0);
    check_habit("separate", &apart(20), |edges| parts(&plain, edges) > 1);
    check_habit("matching", &apart(8), |edges| even(&plain, edges));
    check_habit("several-cycles", &apart(12), |edges| degrees(&plain, edges).iter().all(|d| *d <= 2));
    check_habit("cactus", &with(18), |edges| edges.len() - bridges(&plain, edges) >= 3 * 3 - 1);
}

#[test]
fn edges_that_add_nothing_are_there_where_they_may_be() {
    let any = Graph { vertices: 10, edges: 30, directed: true, connected: true, ..Graph::default() };
    let distinct = |edges: &[(usize, usize)]| BTreeSet::from_iter(edges.to_vec()).len();
    check_habit("repeated-edges", &any, |edges| distinct(edges) == 9);
    check_habit("loops", &any, |edges| edges.iter().any(|(u, v)| u == v));
    check_habit("there-and-back", &any, |edges| edges.iter().all(|(u, v)| edges.contains(&(*v, *u))));
}
