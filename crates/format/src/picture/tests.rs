//! Tests of figures, their layout and their characters.

use super::*;
use crate::model::Format;
use crate::read::read_input;

fn figures(format: &str, input: &str) -> Vec<Figure> {
    let format = Format::from_text(format).unwrap();
    let value = read_input(&format, input.as_bytes()).unwrap();
    figures_of_input(&format, &value)
}

/// One format and input of each kind, and the names of what is drawn.
const EXAMPLES: [(&str, &str, &str); 8] = [
    ("R C\nboard[R][C]\nwhere:\n    1 <= R, C <= 9\n    board over \".X\"\n", "2 3\n.X.\nXX.\n", "board Board"),
    ("n; a[n][n] where 1 <= n <= 9; 0 <= a <= 9", "2\n0 9\n3 4\n", "a Board"),
    ("n; p[n] where 1 <= n <= 9; 1 <= p <= n; distinct(p)", "3\n2 3 1\n", "p Bars"),
    (
        "n\nrepeat n - 1:\n    u v w\nwhere:\n    1 <= n <= 9\n    1 <= w <= 99\n    edges (u, v) on 1..n: tree\n",
        "4\n1 2 7\n1 3 5\n3 4 1\n",
        "tree Graph",
    ),
    (
        "n m\nrepeat m:\n    u v\nwhere:\n    1 <= n, m <= 9\n    edges (u, v) on 1..n: directed\n",
        "3 4\n1 2\n2 3\n3 1\n2 3\n",
        "graph Graph",
    ),
    ("n\nrepeat n:\n    x y\nwhere:\n    1 <= n <= 9\n    -9 <= x, y <= 9\n", "3\n0 0\n-5 9\n3 -2\n", "(x, y) Points"),
    ("n\nrepeat n:\n    l r\nwhere:\n    1 <= n <= 9\n    1 <= l <= r <= 50\n", "2\n1 50\n7 7\n", "(l, r) Bars"),
    (
        "t\ncases t:\n    n\n    a[n]\nwhere:\n    1 <= t, n <= 9\n    1 <= a <= 9\n",
        "2\n2\n5 6\n3\n1 1 1\n",
        "case 1, a Bars; case 2, a Bars",
    ),
];

#[test]
fn each_kind_of_input_has_its_figure() {
    for (format, input, expected) in EXAMPLES {
        let found = figures(format, input);
        let kind =
            |figure: &Figure| format!("{:?}", figure.content).split(['(', '{']).next().unwrap().trim().to_owned();
        let names: Vec<String> = found.iter().map(|figure| format!("{} {}", figure.title, kind(figure))).collect();
        assert_eq!(names.join("; "), expected, "{format}");
    }
}

/// Returns the drawing of the only figure of an input.
fn drawing(format: &str, input: &str) -> Drawing {
    draw_figure(&figures(format, input)[0])
}

#[test]
fn shapes_lie_inside_the_drawing() {
    let long = "1234567890123456789";
    let large = [
        ("n; a[n] where 1 <= n <= 9; -10^18 <= a <= 2*10^18".to_owned(), format!("2\n{long} -100000000000000000\n")),
        (
            "n\nrepeat n:\n    x y\nwhere:\n    1 <= n <= 9\n    0 <= x, y <= 2*10^18\n".to_owned(),
            format!("2\n0 {long}\n{long} 0\n"),
        ),
        ("n; a[n][n] where 1 <= n <= 9; 0 <= a <= 2*10^18".to_owned(), format!("2\n0 {long}\n{long} 0\n")),
    ];
    let examples = EXAMPLES.iter().map(|(format, input, _)| ((*format).to_owned(), (*input).to_owned()));
    for (format, input) in examples.chain(large) {
        for figure in figures(&format, &input) {
            let drawing = draw_figure(&figure);
            assert!(!drawing.shapes.is_empty() && drawing == draw_figure(&figure));
            for shape in &drawing.shapes {
                let [left, top, right, bottom] = shape.bounds();
                let is_inside = left >= 0 && top >= 0 && right <= drawing.width && bottom <= drawing.height;
                assert!(is_inside, "{shape:?} in {} x {}", drawing.width, drawing.height);
            }
        }
    }
}

/// Returns true if no two labels overlap, nor a label of an edge and a vertex.
fn have_labels_room(drawing: &Drawing) -> bool {
    let is_text = |shape: &&Shape| matches!(shape, Shape::Label(..));
    let texts: Vec<[i32; 4]> = drawing.shapes.iter().filter(is_text).map(Shape::bounds).collect();
    let overlap = |a: &[i32; 4], b: &[i32; 4]| a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
    texts.iter().enumerate().all(|(i, a)| texts[..i].iter().all(|b| !overlap(a, b)))
}

#[test]
fn labels_of_ten_digits_have_room() {
    let weighted = |kind: &str, pairs: &[(usize, usize)]| {
        let n = pairs.iter().map(|(a, b)| *a.max(b)).max().unwrap();
        let lines: String = pairs.iter().map(|(a, b)| format!("{a} {b} {}\n", 1_000_000_000 + 37 * a + b)).collect();
        let format = format!(
            "n m\nrepeat m:\n    u v w\nwhere:\n    1 <= n, m <= 50\n    1 <= w <= 10^10\n    edges (u, v) on 1..n: {kind}\n"
        );
        drawing(&format, &format!("{n} {}\n{lines}", pairs.len()))
    };
    let star: Vec<(usize, usize)> = (2..=8).map(|leaf| (1, leaf)).collect();
    let path: Vec<(usize, usize)> = (1..=9).map(|vertex| (vertex, vertex + 1)).collect();
    let tree = [(1, 2), (1, 3), (2, 4), (2, 5), (3, 6), (3, 7), (7, 8)];
    let cycle = [(1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 1)];
    let dense = [(1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];
    for (kind, pairs) in [
        ("loopless", &star[..]),
        ("loopless", &path),
        ("loopless", &tree),
        ("loopless", &cycle),
        ("loopless", &dense),
        ("directed", &cycle),
        ("directed, acyclic", &dense),
    ] {
        let drawing = weighted(kind, pairs);
        assert!(have_labels_room(&drawing), "{kind} {pairs:?}");
        assert!(drawing.width < 1500 && drawing.height < 900, "{} x {}", drawing.width, drawing.height);
    }
    let bars = drawing("n; a[n] where 1 <= n <= 9; 1 <= a <= 10^10", "3\n1234567890 9876543210 5\n");
    let has_label = |shape: &Shape| matches!(shape, Shape::Label(_, text, _) if text == "9876543210");
    assert!(have_labels_room(&bars) && bars.shapes.iter().any(has_label), "{bars:?}");
}

#[test]
fn vertices_are_apart_from_each_other() {
    let edges = |text: &str| {
        text.split(' ')
            .map(|edge| {
                let mut ends = edge.split('-').map(|end| end.parse().unwrap());
                (ends.next().unwrap(), ends.next().unwrap(), String::new())
            })
            .collect()
    };
    for (vertices, text, is_directed) in [
        (7, "0-1 0-2 1-3 1-4 2-5 2-6", false),
        (6, "0-1 1-2 2-0 3-4 4-5 5-3", false),
        (5, "0-1 0-2 1-3 2-3 3-4 0-4", true),
        (5, "0-1 1-2 2-3 3-4 4-0 0-2 0-3 1-3 1-4 2-4", false),
    ] {
        let graph = GraphFigure { first: 1, vertices, edges: edges(text), is_directed };
        let places = graph_layout::place_vertices(&graph);
        for (i, a) in places.iter().enumerate() {
            for b in &places[..i] {
                let distance = ((a.0 - b.0) * (a.0 - b.0) + (a.1 - b.1) * (a.1 - b.1)).sqrt();
                assert!(distance > 0.4, "{text}: {places:?}");
            }
        }
        // In layers, an edge of a graph without cycles leads downwards.
        if is_directed {
            assert!(graph.edges.iter().all(|(from, to, _)| places[*from].1 < places[*to].1), "{places:?}");
        }
    }
}

#[test]
fn no_edge_is_behind_a_vertex() {
    let edge = |from: usize, to: usize| (from, to, String::new());
    let edges = vec![edge(0, 1), edge(0, 2), edge(1, 2), edge(2, 3), edge(0, 3)];
    let graph = GraphFigure { first: 1, vertices: 4, edges, is_directed: true };
    let places = graph_layout::place_vertices(&graph);
    for (from, to, _) in &graph.edges {
        let ((x, y), (to_x, to_y)) = (places[*from], places[*to]);
        for (vertex, (column, layer)) in places.iter().enumerate().filter(|(vertex, _)| vertex != from && vertex != to)
        {
            let at = x + (to_x - x) * (layer - y) / (to_y - y);
            assert!(*layer <= y || *layer >= to_y || (at - column).abs() > 0.3, "{vertex}: {places:?}");
        }
    }
}

#[test]
fn vertex_without_neighbours_is_not_far_from_the_others() {
    let edge = |from: usize, to: usize| (from, to, String::new());
    let edges = vec![edge(0, 0), edge(0, 1), edge(1, 2), edge(2, 0), edge(4, 5), edge(5, 6), edge(6, 4)];
    let graph = GraphFigure { first: 1, vertices: 8, edges, is_directed: true };
    let drawing = draw_figure(&Figure { title: String::new(), content: FigureContent::Graph(graph), kept: Vec::new() });
    assert!(drawing.width < 420 && drawing.height < 420, "{} x {}", drawing.width, drawing.height);
}

#[test]
fn kept_elements_are_marked() {
    let format = "n; a[n] where 1 <= n <= 9; 1 <= a <= 9";
    let mut all = figures(format, "6\n5 1 4 1 9 2\n");
    mark_kept(&mut all, &figures(format, "3\n1 1 2\n"));
    assert_eq!(all[0].kept, [false, true, false, true, false, true]);
    let drawing = draw_figure(&all[0]);
    assert_eq!(drawing.shapes.iter().filter(|shape| matches!(shape, Shape::Rectangle(_, Tone::Kept))).count(), 3);
    let format = "R C\nboard[R][C]\nwhere:\n    1 <= R, C <= 9\n    board over \".X\"\n";
    let mut all = figures(format, "2 3\n.X.\nXX.\n");
    mark_kept(&mut all, &figures(format, "2 2\nX.\nX.\n"));
    assert_eq!(all[0].kept, [false, true, true, false, true, true]);
}

#[test]
fn kept_part_of_a_graph_is_marked_in_its_picture() {
    let (format, input, _) = EXAMPLES[3];
    let mut all = figures(format, input);
    mark_kept(&mut all, &figures(format, "3\n1 3 5\n3 2 1\n"));
    // Vertices 1, 3 and 4, and the second and the third edge.
    assert_eq!(all[0].kept, [true, false, true, true, false, true, true]);
    let is_kept = |shape: &&Shape| matches!(shape, Shape::Line(_, Tone::Kept) | Shape::Circle(_, Tone::Kept));
    assert_eq!(draw_figure(&all[0]).shapes.iter().filter(is_kept).count(), 5);
}

#[test]
fn characters_show_the_same() {
    let lines = |index: usize| {
        let (format, input, _) = EXAMPLES[index];
        figure_lines(&figures(format, input)[0]).join("\n")
    };
    assert_eq!(lines(0), "board\n     1 2 3\n  1  . X .\n  2  X X .");
    assert!(lines(2).ends_with("2 3 1"), "{}", lines(2));
    assert_eq!(
        lines(3),
        "tree\n  4 vertices, 3 edges\n  1 - 2 (7), 3 (5)\n  2 - 1 (7)\n  3 - 1 (5), 4 (1)\n  4 - 3 (1)"
    );
    assert!(lines(4).contains("2 -> 3, 3"), "{}", lines(4));
    assert!(lines(6).ends_with("1..50  7..7"), "{}", lines(6));
}

#[test]
fn large_inputs_have_no_figures() {
    let numbers = vec!["7"; 300].join(" ");
    assert!(figures("n; a[n] where 1 <= n <= 500; 1 <= a <= 9", &format!("300\n{numbers}\n")).is_empty());
}
