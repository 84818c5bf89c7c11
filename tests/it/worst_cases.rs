//! The shapes that are worst cases, proved by counts: an algorithm does at least ten times as much work on them as on
//! ordinary inputs of the same size.

use crate::environment::installed;
use rebut_generators::{Choices, GraphRequirements, SequenceRequirements, Swarm};
use rebut_sandbox::{CancelToken, HostEnvironment, RunLimits};
use rebut_toolchain::{CountedProgram, ProgramBuilder, SourceOptions, WorkUnit};
use std::fmt::Write as _;

/// Runs the algorithm that is the first number of the input on the other numbers.
const ALGORITHMS: &str = include_str!("../../testdata/growth/worst_cases.cpp");

/// Maximum number of draws of a shape: some need a certain choice, such as the size of a hash table.
const SEEDS: u64 = 32;

/// Counts the work of an algorithm on numbers.
struct Algorithms {
    program: CountedProgram,
}

impl Algorithms {
    fn compile() -> Algorithms {
        let folder = tempfile::tempdir().unwrap();
        let environment = HostEnvironment::from_process().unwrap().with_spawner(env!("CARGO_BIN_EXE_rebut"));
        let builder = ProgramBuilder::new(environment).unwrap();
        let source = folder.path().join("worst_cases.cpp");
        std::fs::write(&source, ALGORITHMS).unwrap();
        let program = CountedProgram::compile(&builder, &source, &SourceOptions::default(), &CancelToken::new());
        Algorithms { program: program.unwrap_or_else(|error| panic!("{error}")) }
    }

    fn count(&self, algorithm: usize, numbers: &[i128]) -> u64 {
        let mut input = format!("{algorithm} {}", numbers.len());
        numbers.iter().for_each(|number| write!(input, " {number}").unwrap());
        let limits = RunLimits::with_cpu_time_ms(5_000);
        let (outcome, work) = self.program.run(input.as_bytes(), &limits, &CancelToken::new()).unwrap();
        assert!(outcome.is_success() && work.unit == WorkUnit::Branches, "{outcome:?}");
        work.total
    }

    /// Asserts that the algorithm does ten times as much work on one of the inputs of a shape as on an ordinary one.
    #[track_caller]
    fn check(&self, algorithm: usize, shape: &str, make: impl Fn(&mut Swarm, &mut Choices) -> Vec<i128>) {
        self.check_factor(10, algorithm, shape, make);
    }

    #[track_caller]
    fn check_factor(
        &self,
        factor: u64,
        algorithm: usize,
        shape: &str,
        make: impl Fn(&mut Swarm, &mut Choices) -> Vec<i128>,
    ) {
        let ordinary_names = "numbers/uniform+texts/uniform+graphs/uniform+weights/uniform";
        let count = |names: &str, seed| {
            let mut swarm = Swarm::new().with_forced_shape(Some(ordinary_names)).with_forced_shape(Some(names));
            self.count(algorithm, &make(&mut swarm, &mut Choices::from_seed(seed, 0)))
        };
        let ordinary = count(ordinary_names, 0);
        let is_worst = |seed| count(shape, seed) > factor * ordinary;
        assert!((0..SEEDS).any(is_worst), "algorithm {algorithm} on {shape}: {} and {ordinary}", count(shape, 0));
    }

    #[track_caller]
    fn check_numbers(&self, algorithm: usize, shape: &str, len: usize, hi: i128) {
        let sequence = SequenceRequirements { len, lo: 1, hi, hints: &[], distinct: false };
        self.check(algorithm, shape, |swarm, c| swarm.pick_number_shape(c).draw_sequence(c, &sequence));
    }

    /// Two columns, one after the other.
    #[track_caller]
    fn check_columns(&self, algorithm: usize, shape: &str, len: usize, hi: i128) {
        let sequence = SequenceRequirements { len, lo: 0, hi, hints: &[], distinct: false };
        self.check(algorithm, shape, |swarm, c| {
            let mut columns = swarm.pick_number_shape(c).draw_sequence(c, &sequence);
            columns.extend(swarm.pick_number_shape(c).draw_sequence(c, &sequence));
            columns
        });
    }

    /// Texts of one length, one after the other.
    #[track_caller]
    fn check_texts(&self, algorithm: usize, shape: &str, texts: usize, len: usize) {
        self.check(algorithm, shape, |swarm, c| {
            let texts = (0..texts).map(|_| swarm.pick_text_shape(c).draw_text(c, len, 26));
            texts.flatten().map(i128::from).collect()
        });
    }

    /// A graph with weights, as the number of vertices and the numbers of each edge.
    #[track_caller]
    fn check_graph(&self, algorithm: usize, shape: &str, graph: GraphRequirements) {
        let vertices = graph.vertices;
        self.check(algorithm, shape, |swarm, c| {
            let pairs = swarm.pick_graph_shape(c).draw_edges(c, &graph);
            let weights = swarm.pick_weight_shape(c).draw_weights(c, vertices, &pairs, 1, 1_000_000_000);
            let edges = pairs.iter().zip(weights).flat_map(|((u, v), weight)| [*u as i128, *v as i128, weight]);
            [vertices as i128].into_iter().chain(edges).collect()
        });
    }
}

#[test]
fn worst_cases_take_ten_times_the_work_of_ordinary_inputs() {
    if !installed(&["g++"]) {
        return;
    }
    let algorithms = Algorithms::compile();
    algorithms.check_numbers(0, "anti-quicksort-middle", 2000, 1_000_000_000);
    algorithms.check_numbers(1, "anti-quicksort-median", 4000, 1_000_000_000);
    algorithms.check_numbers(2, "anti-unordered-map", 4000, 1_000_000_000);
    algorithms.check_numbers(3, "anti-python-dict", 4000, 1_000_000_000);
    algorithms.check_numbers(4, "anti-linear-probing", 2000, 1_000_000_000);
    algorithms.check_numbers(5, "anti-trial-division", 20, 1_000_000_000);
    // The number of steps is at most logarithmic, and it is so on average as well.
    let pairs = SequenceRequirements { len: 1000, lo: 1, hi: 1_000_000_000_000, hints: &[], distinct: false };
    algorithms.check_factor(2, 6, "anti-gcd", |swarm, c| swarm.pick_number_shape(c).draw_sequence(c, &pairs));
    algorithms.check(7, "anti-string-search", |swarm, c| {
        let mut draw = |len| swarm.pick_text_shape(c).draw_text(c, len, 26);
        let (text, pattern) = (draw(2000), draw(500));
        text.iter().chain(&pattern).map(|letter| i128::from(*letter)).collect()
    });
    let connected = GraphRequirements { connected: true, simple: true, ..GraphRequirements::default() };
    let graph = |vertices, edges| GraphRequirements { vertices, edges, ..connected };
    algorithms.check_graph(8, "anti-union-find", graph(2000, 1999));
    algorithms.check_graph(9, "graphs/anti-spfa+weights/anti-spfa", graph(1000, 1997));
    algorithms.check_graph(9, "graphs/anti-spfa-grid+weights/anti-spfa-grid", graph(4000, 7000));
    algorithms.check_graph(10, "graphs/anti-dijkstra+weights/anti-dijkstra", graph(4000, 5997));
    let ways = GraphRequirements { connected: false, directed: true, ..graph(8000, 8000) };
    algorithms.check_graph(10, "graphs/anti-dijkstra+weights/anti-dijkstra", ways);
    algorithms.check_graph(11, "anti-recursion", graph(4000, 3999));
    algorithms.check_numbers(12, "numbers/sorted", 2000, 1_000_000_000);
    algorithms.check_numbers(13, "anti-java-hashmap", 2000, 1_000_000_000);
    algorithms.check_numbers(13, "anti-java-hashmap", 2000, 1_000_000_000_000_000_000);
    // A tree instead of a list is only slower by the logarithm of its size.
    let keys = SequenceRequirements { len: 2000, lo: 1, hi: 1_000_000_000, hints: &[], distinct: false };
    let draw_keys = |swarm: &mut Swarm, c: &mut Choices| swarm.pick_number_shape(c).draw_sequence(c, &keys);
    algorithms.check_factor(3, 14, "anti-java-hashmap", draw_keys);
    algorithms.check_columns(15, "anti-java-pairs", 1000, 1_000_000);
    algorithms.check_texts(16, "anti-java-strings", 1500, 10);
    algorithms.check_numbers(17, "anti-subtraction", 20, 1_000_000);
    algorithms.check_texts(18, "anti-backtracking", 1, 50);
    algorithms.check_texts(19, "anti-string-search", 1, 500);
    let directed = |graph| GraphRequirements { directed: true, ..graph };
    let dinic = "graphs/anti-dinic+weights/anti-dinic";
    algorithms.check_graph(20, dinic, directed(graph(1000, 1997)));
    algorithms.check_graph(20, dinic, directed(graph(300, 3000)));
    let bipartite = GraphRequirements { bipartite: true, ..graph(3000, 3500) };
    algorithms.check_graph(21, "graphs/anti-matching", bipartite);
    algorithms.check_columns(22, "numbers/anti-matching", 1500, 999);
    algorithms.check_columns(23, "anti-convex-hull", 2000, 1_000_000);
    // Every place where the pattern occurs is printed, and flushed.
    algorithms.check_texts(24, "anti-string-search", 1, 4000);
}
