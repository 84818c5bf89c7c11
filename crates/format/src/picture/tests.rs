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
const EXAMPLES: [(&str, &str, &str); 11] = [
    ("R C\nboard[R][C]\nwhere:\n    1 <= R, C <= 9\n    board over \".X\"\n", "2 3\n.X.\nXX.\n", "board Board"),
    ("n; a[n][n] where 1 <= n <= 9; 0 <= a <= 9", "2\n0 9\n3 4\n", "a HeatMap"),
    ("n; p[n] where 1 <= n <= 9; 1 <= p <= n; distinct(p)", "3\n2 3 1\n", "p Bars"),
    ("s where 1 <= len(s) <= 20; s over \"a-z\"", "abracadabra\n", "s Text"),
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
    ("n\nrepeat n:\n    l r\nwhere:\n    1 <= n <= 9\n    1 <= l <= r <= 50\n", "2\n1 50\n7 7\n", "(l, r) Intervals"),
    (
        "n\nrepeat n:\n    x1 y1 x2 y2\nwhere:\n    1 <= n <= 9\n    0 <= x1, y1, x2, y2 <= 50\n",
        "2\n1 50 3 4\n7 7 8 9\n",
        "(x1, y1, x2, y2) Segments",
    ),
    (
        "t\ncases t:\n    n\n    a[n]\nwhere:\n    1 <= t, n <= 9\n    1 <= a <= 9\n",
        "2\n2\n5 6\n3\n1 1 1\n",
        "case 1, a Bars; case 2, a Bars",
    ),
    (
        "n\nrepeat n:\n    corner_x corner_y\nwhere:\n    1 <= n <= 9\n    -9 <= corner_x, corner_y <= 9\n",
        "3\n0 0\n-5 9\n3 -2\n",
        "(corner_x, corner_y) Polygon",
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

#[test]
fn shapes_lie_inside_the_drawing() {
    for (format, input, _) in EXAMPLES {
        for figure in figures(format, input) {
            let drawing = draw_figure(&figure);
            assert!(!drawing.shapes.is_empty() && drawing == draw_figure(&figure));
            for shape in &drawing.shapes {
                let points: Vec<[i32; 2]> = match shape {
                    Shape::Rectangle([x, y, width, height], _) => vec![[*x, *y], [x + width, y + height]],
                    Shape::Line(ends, _) => ends.chunks(2).map(|end| [end[0], end[1]]).collect(),
                    Shape::Circle([x, y, radius], _) => vec![[x - radius, y - radius], [x + radius, y + radius]],
                    Shape::Triangle(ends, _) => ends.chunks(2).map(|end| [end[0], end[1]]).collect(),
                    Shape::Area(corners, _) => corners.clone(),
                    Shape::Label(place, ..) => vec![*place],
                    Shape::Letters([x, y, width], text) => vec![[*x, *y], [x + width * text.len() as i32, *y]],
                };
                let is_inside = |[x, y]: &[i32; 2]| (0..=drawing.width).contains(x) && (0..=drawing.height).contains(y);
                assert!(points.iter().all(is_inside), "{shape:?} in {} x {}", drawing.width, drawing.height);
            }
        }
    }
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
    let (format, input, _) = EXAMPLES[4];
    let mut all = figures(format, input);
    mark_kept(&mut all, &figures(format, "3\n1 3 5\n3 2 1\n"));
    // Vertices 1, 3 and 4, and the second and the third edge.
    assert_eq!(all[0].kept, [true, false, true, true, false, true, true]);
    let is_kept = |shape: &&Shape| matches!(shape, Shape::Line(_, Tone::Kept) | Shape::Circle(_, Tone::Kept));
    assert_eq!(draw_figure(&all[0]).shapes.iter().filter(is_kept).count(), 5);
}

#[test]
fn sides_of_a_polygon_have_the_same_scale() {
    let (format, _, _) = EXAMPLES[10];
    let square = draw_figure(&figures(format, "4\n0 0\n2 0\n2 1\n0 1\n")[0]);
    let area = |shape: &Shape| if let Shape::Area(corners, _) = shape { Some(corners.clone()) } else { None };
    let corners = square.shapes.iter().find_map(area).unwrap();
    assert_eq!(corners[1][0] - corners[0][0], 2 * (corners[1][1] - corners[2][1]));
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
        lines(4),
        "tree\n  4 vertices, 3 edges\n  1 - 2 (7), 3 (5)\n  2 - 1 (7)\n  3 - 1 (5), 4 (1)\n  4 - 3 (1)"
    );
    assert!(lines(5).contains("2 -> 3, 3"), "{}", lines(5));
    assert!(lines(7).contains("[-") && lines(7).ends_with("7..7"), "{}", lines(7));
}

#[test]
fn large_inputs_have_no_figures() {
    let numbers = vec!["7"; 300].join(" ");
    assert!(figures("n; a[n] where 1 <= n <= 500; 1 <= a <= 9", &format!("300\n{numbers}\n")).is_empty());
}
