//! The random stream is pinned: the same seed generates the same values in every release, on every platform.
//!
//! A difference here means that recorded seeds are no longer reproducible. If that is intended, increase the stream
//! version and run the tests with `REBUT_UPDATE_GOLDEN=1`.

use std::fmt::{Debug, Write};

use rebut_generators::{
    BOARD_SHAPES, BUDGET_SHAPES, Choices, FACTOR_SHAPES, FORM_SHAPES, FactorRequirements, GRAPH_SHAPES,
    GraphRequirements, INTERVAL_SHAPES, NUMBER_SHAPES, STREAM_VERSION, SequenceRequirements, Swarm, TEXT_SHAPES,
    WEIGHT_SHAPES, draw_scalar, draw_size, split_total,
};

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden.txt");
const SEEDS: u64 = 12;

/// FNV-1a, folded to 32 bits.
fn hash(text: &str) -> u32 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325, step);
    (hash ^ (hash >> 32)) as u32
}

/// Appends a line with the name, and a hash of the value for each seed.
fn pin<T: Debug>(lines: &mut String, name: &str, make: impl Fn(&mut Choices) -> T) {
    write!(lines, "{name}").unwrap();
    for seed in 0..SEEDS {
        let made = make(&mut Choices::from_seed(seed, seed % 3));
        write!(lines, " {:08x}", hash(&format!("{made:?}"))).unwrap();
    }
    lines.push('\n');
}

fn sequences(c: &mut Choices, make: impl Fn(&mut Choices, &SequenceRequirements<'_>) -> Vec<i128>) -> [Vec<i128>; 3] {
    let small = SequenceRequirements { len: 50, lo: -20, hi: 100, hints: &[7], distinct: false };
    let large =
        SequenceRequirements { len: 30, lo: 1, hi: 1_000_000_000_000_000_000, hints: &[1 << 20], distinct: true };
    let wide = SequenceRequirements { len: 9, lo: i128::MIN, hi: i128::MAX, hints: &[], distinct: false };
    [make(c, &small), make(c, &large), make(c, &wide)]
}

fn graphs(
    c: &mut Choices,
    make: impl Fn(&mut Choices, &GraphRequirements) -> Vec<(usize, usize)>,
) -> [Vec<(usize, usize)>; 4] {
    let tree = GraphRequirements {
        vertices: 20,
        edges: 19,
        simple: true,
        connected: true,
        acyclic: true,
        ..GraphRequirements::default()
    };
    let simple =
        GraphRequirements { vertices: 25, edges: 60, simple: true, connected: true, ..GraphRequirements::default() };
    let dag =
        GraphRequirements { vertices: 15, edges: 30, directed: true, acyclic: true, ..GraphRequirements::default() };
    let any = GraphRequirements { vertices: 12, edges: 40, directed: true, ..GraphRequirements::default() };
    [tree, simple, dag, any].map(|graph| make(c, &graph))
}

fn current() -> String {
    let mut lines = format!("stream version {STREAM_VERSION}\n");
    pin(&mut lines, "choices/draws", |c| (0..100).map(|i| c.draw_below(1 << (i % 64))).collect::<Vec<_>>());
    pin(&mut lines, "choices/shuffle", |c| {
        let mut order: Vec<u32> = (0..100).collect();
        c.shuffle(&mut order);
        order
    });
    pin(&mut lines, "choices/distinct", |c| {
        [c.draw_distinct(20, 0, 50), c.draw_distinct(20, -9, 5000), c.draw_distinct(20, 0, i128::MAX)]
    });
    pin(&mut lines, "sizes/size", |c| (0..=100).map(|growth| draw_size(c, 1, 200_000, growth)).collect::<Vec<_>>());
    pin(&mut lines, "sizes/scalar", |c| (0..100).map(|_| draw_scalar(c, -5, 1 << 40, &[99])).collect::<Vec<_>>());
    pin(&mut lines, "swarm", |c| Swarm::new().pick_number_shape(c).name);
    for shape in NUMBER_SHAPES {
        pin(&mut lines, &format!("numbers/{}", shape.name), |c| {
            sequences(c, |c, sequence| shape.draw_sequence(c, sequence))
        });
    }
    for shape in TEXT_SHAPES {
        pin(&mut lines, &format!("texts/{}", shape.name), |c| [shape.draw_text(c, 60, 26), shape.draw_text(c, 33, 2)]);
    }
    for shape in BOARD_SHAPES {
        pin(&mut lines, &format!("boards/{}", shape.name), |c| {
            [shape.draw_board(c, 9, 12, 4), shape.draw_board(c, 20, 7, 2)]
        });
    }
    for shape in BUDGET_SHAPES {
        pin(&mut lines, &format!("budgets/{}", shape.name), |c| split_total(c, shape, 60, 1000, 2, 300));
    }
    for shape in GRAPH_SHAPES {
        pin(&mut lines, &format!("graphs/{}", shape.name), |c| graphs(c, |c, graph| shape.draw_edges(c, graph)));
    }
    for shape in FACTOR_SHAPES {
        let factors = FactorRequirements { max_product: 1_000_000, first: (1, 100_000), second: (2, 5000) };
        pin(&mut lines, &format!("factors/{}", shape.name), |c| shape.draw_factors(c, &factors));
    }
    for shape in WEIGHT_SHAPES {
        let edges: Vec<_> = (1..30).flat_map(|v| [(v - 1, v), (v / 3, v)]).collect();
        pin(&mut lines, &format!("weights/{}", shape.name), |c| {
            [shape.draw_weights(c, 30, &edges, 1, 1_000_000_000), shape.draw_weights(c, 30, &edges, -20, 20)]
        });
    }
    for shape in INTERVAL_SHAPES {
        pin(&mut lines, &format!("intervals/{}", shape.name), |c| shape.draw_intervals(c, 30, -50, 1000));
    }
    for shape in FORM_SHAPES {
        pin(&mut lines, &format!("forms/{}", shape.name), |c| [shape.draw_forms(c, 40, 3), shape.draw_forms(c, 1, 2)]);
    }
    lines
}

#[test]
#[allow(clippy::disallowed_methods, reason = "the pinned hashes live in a file, and a variable asks for new ones")]
fn the_stream_is_pinned() {
    let current = current();
    if std::env::var_os("REBUT_UPDATE_GOLDEN").is_some() {
        std::fs::write(PATH, &current).unwrap();
    }
    let pinned = std::fs::read_to_string(PATH).unwrap();
    let differs = |(now, then): &(&str, &str)| now != then;
    let changed: Vec<&str> = current.lines().zip(pinned.lines()).filter(differs).map(|(now, _)| now).collect();
    assert!(changed.is_empty(), "the stream has changed:\n{}", changed.join("\n"));
    assert_eq!(current.lines().count(), pinned.lines().count(), "shapes were added or removed");
}
