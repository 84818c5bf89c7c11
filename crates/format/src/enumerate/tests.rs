#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
use super::*;
use crate::language::{BlockId, Field, FieldId, FieldKind, Format, InstanceCount, LayoutItem, LineToken};
use crate::print::print_value;
use crate::read::read_input;
use crate::validate::find_violation;
use crate::value::{InstanceList, InstanceSlots, Measure, ValueScope, dimension_size};
use rebut_diagnostics::SourceText;
use std::collections::HashSet;

/// Small formats with every feature of the language, and the number of elements up to which all inputs are
/// compared.
const FORMATS: &[(&str, usize)] = &[
    ("n where -3 <= n <= 5", 1),
    ("n; a[n] where 1 <= n <= 3; -1 <= a <= 2", 4),
    ("n; a[n] where 0 <= n <= 3; 1 <= a <= n", 4),
    ("n m; a[n]; b[m] where 0 <= n, m <= 2; 1 <= a, b <= 3", 5),
    ("n; a[n]; b[n] where 1 <= n <= 2; 1 <= a <= 3; a <= b <= 4", 5),
    ("n k; s[n] where 1 <= k <= n <= 4; s over \"ab\"", 6),
    ("word; other where word, other over \"abc\"; 1 <= len(word) <= 3; 0 <= len(other) <= 2", 4),
    ("word other where word, other over \"ab\"; 0 <= len(word) <= 2; len(other) <= len(word)", 4),
    ("n; words[n][] where 1 <= n <= 3; words over \"ab\"; 1 <= len(words) <= 2", 6),
    ("R C; board[R][C] where 1 <= R, C <= 2; board over \".#S\"; count(board, 'S') = 1", 6),
    ("n; s[n] where 0 <= n <= 4; s over \"()x\"; balanced(s)", 5),
    ("n; repeat n: s where 1 <= n <= 2; s over \"()[]\"; 0 <= len(s) <= 4; balanced(s)", 6),
    ("R C; board[R][C] where 1 <= R, C <= 3; board over \".#\"; connected(board, \".\")", 8),
    ("R C; board[R][C] where 1 <= R, C <= 2; board over \".#S\"; connected(board, \"S#\")", 6),
    ("n; repeat n: x y where 3 <= n <= 4; 0 <= x, y <= 1; polygon (x, y)", 9),
    ("n; repeat n: x y where 3 <= n <= 4; 0 <= x <= 2; 0 <= y <= 1; polygon (x, y): strictly convex, clockwise", 7),
    ("n; p[n] where 1 <= n <= 4; p permutation of 1..n", 5),
    ("n; p[n] where 1 <= n <= 4; p permutation of 1..n; cycles(p) = 2; inversions(p) <= 3", 5),
    ("n; a[n] where 1 <= n <= 3; 0 <= a <= 2; distinct(a) = 2; inversions(a) >= 1", 4),
    (
        "n; V[n][n] where 1 <= n <= 2; 1 <= V <= 3; forall i in 1..n: distinct(V[i]); forall j in 1..n: distinct(V[1..n][j])",
        5,
    ),
    ("n m; a[n]; b[m] where 1 <= n, m <= 2; 1 <= a, b <= 3; disjoint(a, b)", 6),
    ("l r where l, r over \"ab\"; 1 <= len(l), len(r) <= 2; disjoint(l, r)", 4),
    ("n; repeat n-1: u v where 2 <= n <= 4; edges (u, v) on 1..n: tree, depth 2..2", 7),
    ("n; p[n-1] where 2 <= n <= 4; parents p of 2..n on 1..n: tree, depth <= 2", 4),
    ("s; repeat count(s, '?'): x where s over \"a?\"; 1 <= len(s) <= 2; 0 <= x <= 1", 4),
    ("n; a[n] where 1 <= n <= 3; -2 <= a <= 2; distinct(a)", 4),
    ("n; a[n]; k b where 0 <= n <= 3; 2 <= a <= 5; distinct(a); -1 <= k <= 1; 0 <= b <= 3", 6),
    ("n; a[n] where 1 <= n <= 3; -2 <= a <= 2; sum(a) = 0", 4),
    ("n; a[n] where 0 <= n <= 3; 0 <= a <= 3; max(a) >= 2", 4),
    ("n S; a[n] where 1 <= n <= 2; 0 <= S <= 4; 0 <= a <= 3; sum(a) <= S", 4),
    ("n; a[2*n]; b[n+1] where 0 <= n <= 1; 1 <= a, b <= 2", 5),
    ("T; cases T: n; a[n] where 1 <= T <= 3; 0 <= n <= 2; 0 <= a <= 1; sum(n) <= 3", 6),
    ("T; cases T: n; repeat n: x where 1 <= T <= 2; 0 <= n <= 2; 0 <= x <= 1; sum(sum(x)) <= 2; sum(n) <= 3", 6),
    ("T; cases T: x where 1 <= T <= 3; 0 <= x <= 3; 2 * x <= sum(x) + 2", 4),
    ("repeat 2:\n    x\nk\nwhere:\n    0 <= x <= 3\n    x <= k <= 3\n", 3),
    ("n x; a[n]; l m r where 1 <= n <= 2; 1 <= l <= m; m < r; r <= n + 1; 0 <= a <= 3; x = r; 0 <= x", 7),
    ("n; repeat n: { a b c; k } where 1 <= n <= 2; -3 <= a <= b; b <= c; c <= n; 0 <= k <= 2; b > -2", 8),
    ("n; l[n] m; r where 1 <= n <= 2; 1 <= l <= m <= r; r <= n + 1", 5),
    ("a b c d where 1 <= a, b, c, d <= 3; distinct(a, b, c); a + b = c + d", 4),
    ("n; repeat n: l r where 1 <= n <= 2; 0 <= l < r <= 4; increasing(l)", 5),
    ("n; a[n] where 1 <= n <= 4; 0 <= a <= 3; sorted(a)", 5),
    ("n; a[n] where 1 <= n <= 3; 0 <= a <= 4; decreasing(a); distinct(a)", 4),
    (
        "n q; repeat q: either: 1 l r; 2 i x where 1 <= n <= 3; 1 <= q <= 2; 1 <= l <= r <= n; 1 <= i <= n; 0 <= x <= 2",
        6,
    ),
    ("q; repeat q: either: { \"push\" x; \"pop\"; \"set\" y z } where 1 <= q <= 3; 1 <= x, y, z <= 2", 5),
    (
        "n q; repeat q: either: { 1 l r x; 2 l r } where 1 <= n, q <= 2; 1 <= l <= r <= n; 0 <= x <= 1; distinct((l, r))",
        6,
    ),
    (
        "q; repeat q: either: { 1 l x; 2 l; \"z\" } where 1 <= q <= 3; 1 <= l <= 3; 1 <= x <= 2; distinct(l); sum(l) <= 5; sorted(l); \
         x <= l; max(l) >= 2; forall i in 1..q-1: l[i] != l[i+1] - 1",
        8,
    ),
    (
        "k; repeat k: u where 1 <= k <= 2; u over \"ab\"; 1 <= len(u) <= 2; forall i in 1..k: forall j in i+1..k: u[i] != u[j]; \
         forall i in 1..k: len(u[i]) <= i",
        5,
    ),
    ("k; w[k][] where 1 <= k <= 2; w over \"ab\"; 1 <= len(w) <= 2; forall i in 1..k-1: len(w[i]) < len(w[i+1])", 5),
    ("either: x; y where 1 <= x <= 3; 2 <= y <= 5", 1),
    ("type n; if type = 1: { x y; repeat n: z } where 0 <= type <= 1; 0 <= n <= 2; 0 <= x, y, z <= 2", 6),
    ("repeat 0..2 until 0 0: a b where 0 <= a, b <= 2", 4),
    ("T; cases T separated by \"\": x where 1 <= T <= 3; 0 <= x <= 2", 4),
    ("repeat 0..2 until 0 0 separated by \"-\" 1: a b where 0 <= a, b <= 2", 4),
    ("repeat 1..3 until eof separated by \"\": s where s over \"ab\"; 1 <= len(s) <= 2", 5),
    ("repeat 1..2 until eof: { n; s[n] } where 1 <= n <= 2; s over \"ab\"", 6),
    ("repeat 1..3 until eof: s where s over \"ab\"; 1 <= len(s) <= 3", 4),
    ("name\"-\"x where name over \"ab\"; 1 <= len(name) <= 3; -2 <= x <= 2", 4),
    ("n; repeat n-1: u v where 1 <= n <= 4; edges (u, v) on 1..n: tree", 7),
    ("repeat 3: u v where 1 <= u, v <= 3; edges (u[1..2], v[1..2]) on 1..3: tree", 6),
    ("m; repeat m: c u v where 1 <= m <= 2; 0 <= c <= 1; 1 <= u, v <= 2; edges (u, v) on 1..2 if c = 1: tree", 7),
    ("n; repeat n-1: u v where 1 <= n <= 4; edges (u, v) on 0..n-1: path", 7),
    ("n; repeat n-1: u v where 1 <= n <= 4; edges (u, v) on 1..n: star", 7),
    ("n m; repeat m: u v where 1 <= n <= 3; 0 <= m <= 3; edges (u, v) on 1..n: simple, connected", 8),
    ("n m; repeat m: u v where 1 <= n <= 3; 0 <= m <= 2; edges (u, v) on 1..n: dag", 6),
    ("n m; repeat m: u v where 1 <= n <= 3; 0 <= m <= 2; edges (u, v) on 1..n: bipartite", 6),
    ("n m; repeat m: u v where 2 <= n <= 3; 0 <= m <= 2; 1 <= u < v <= n; distinct((u, v))", 6),
    ("T; cases T: n m; a[n][m] where 1 <= T <= 2; 1 <= n, m <= 2; sum(n*m) <= 3; 0 <= a <= 1", 8),
    ("n; g[n][n] where 0 <= n <= 2; 0 <= g <= 1; sum(g) <= 2", 5),
    ("x y where x, y real, 1 decimal; -0.2 <= x <= 0.3; 0 <= y <= 0.2; x <= y", 2),
    ("q; repeat q: op where 1 <= q <= 3; op one of \"a\", \"b\", \"ab\"; count(op, \"ab\") <= 1", 4),
    ("n m; V[n][m] where 1 <= n, m <= 2; 0 <= V <= 2; forall i in 1..n: sum(V[i]) = 2 and max(V[i]) < 3 - n", 6),
    ("n; b[n][2] where 1 <= n <= 2; b over \".#\"; forall i in 1..n: count(b[i], '#') = 1; whole(b[1]) != \".#\"", 6),
    ("s t where s, t over \"ab\"; 0 <= len(s), len(t) <= 2; s < t; t != \"bb\"", 4),
    ("n m; a[n] b[m] where 0 <= n, m <= 2; 0 <= a, b <= 1; whole(a) <= whole(b)", 6),
    ("n; w[n][] where 1 <= n <= 3; w over \"ab\"; 1 <= len(w) <= 2; forall i in 1..n-1: w[i] < w[i+1]", 7),
    ("T; cases T: s t where 1 <= T <= 2; s, t over \"ab\"; 1 <= len(s), len(t) <= 2; s = t", 8),
    ("n (x y)[n] z where 0 <= n <= 2; 0 <= x <= y <= 1; 0 <= z <= 1", 6),
    ("n (k (c)[k])[n] where 0 <= n, k <= 2; 0 <= c <= 1; sum(k) <= 2", 6),
    ("repeat 0..2 until 0: k (x w)[k] where 1 <= k <= 2; 0 <= x <= 1; w over \"ab\"; 1 <= len(w) <= 1", 6),
    ("either: 1 (a b)[2]; 1 c where 0 <= a, b, c <= 1", 4),
    ("op; if op = \"set\": x where op one of \"set\", \"get\"; 0 <= x <= 3", 2),
    ("w where w matches \"a(b|cc)*\"; len(w) <= 4", 4),
    ("n; w[n] where 1 <= n <= 3; w matches \"(ab|b)*\"", 4),
    ("k a[] where 0 <= k <= 1; 0 <= a <= 2; 0 <= len(a) <= 3", 4),
    ("n; a[n][] where 1 <= n <= 2; 0 <= a <= 1; 1 <= len(a) <= 2", 5),
    ("line where line over \"a \"; 1 <= len(line) <= 3", 3),
    ("n; (w[n][]) where 1 <= n <= 2; w over \"ab\"; 1 <= len(w) <= 2; distinct(w)", 5),
    ("n (w[n][2]) k; x where 0 <= n <= 2; w over \"ab\"; 0 <= k, x <= 1", 6),
    ("n; repeat n: { (V[2][n]); x } where 0 <= n <= 2; 0 <= V, x <= 1", 6),
    ("n; repeat n: w where 1 <= n <= 2; w over \"ab\"; 1 <= len(w) <= 2; distinct(w)", 5),
    ("n; a[n] where 1 <= n <= 3; 0 <= a <= 2; forall i in 1..n-1: a[i] != a[i+1]", 4),
    ("n; a[n] where 1 <= n <= 3; 0 <= a <= 2; exists i in 1..n: a[i] = i - 1 and a[1] = 0", 4),
    ("n m where 0 <= n, m <= 3; n > 1 => m >= 2; not (n = 0 and m = 0)", 2),
    ("n; V[n][n] where 1 <= n <= 2; 0 <= V <= 2; symmetric(V)", 5),
    ("n; p[n-1] where 1 <= n <= 4; parents p of 2..n on 1..n: tree", 4),
    ("n; repeat n: x where 1 <= n <= 3; 0 <= x <= 3; forall i in 1..n: x[i] < i", 4),
    ("a b where 0 <= a, b <= 3; max(a, b) <= 2; abs(a - b) = 1", 2),
    ("y z where -1 <= y <= 3; 0 <= z <= 3; z >= y % 2", 2),
    ("x z where -2 <= x <= 3; 0 <= z <= 9; z <= x^2", 2),
];

fn parse_format(text: &str) -> Format {
    let source = SourceText::new("format", text);
    Format::parse(&source).unwrap_or_else(|p| panic!("{}", p[0].render_text(&source))).0
}

const NEVER: StopPredicate<'static> = &|| false;

fn enumerate_texts(text: &str, max_elements: usize) -> Vec<String> {
    let format = parse_format(text);
    let plan = GenerationPlan::new(&format);
    let values = Enumerator::new(&plan, max_elements, NEVER);
    values.map(|value| String::from_utf8(print_value(&format, &value)).unwrap()).collect()
}

/// Enumerates every tree of a bounded number of elements by ranges and sizes alone, ignoring constraints.
struct Naive<'f> {
    format: &'f Format,
    most: usize,
}

impl Naive<'_> {
    /// Returns all ways to fill the slots of an instance from an item on.
    fn all_slots(
        &self,
        block: BlockId,
        item: usize,
        slots: Vec<Value>,
        outer: Option<&ValueScope<'_>>,
    ) -> Vec<Vec<Value>> {
        if slots.iter().map(Value::element_count).sum::<usize>() > self.most {
            return Vec::new();
        }
        let format = self.format;
        let Some(item_there) = format.block(block).items.get(item) else { return vec![slots] };
        let mut ways = vec![slots];
        let fields: Vec<FieldId> = match item_there {
            LayoutItem::Line(parts) => {
                parts.iter().filter_map(|p| if let LineToken::Field(f) = p.token { Some(f) } else { None }).collect()
            }
            LayoutItem::Rows(field) => vec![*field],
            LayoutItem::Block(_) | LayoutItem::Either(_) => Vec::new(),
        };
        let grow = |ways: Vec<Vec<Value>>, of: &dyn Fn(&ValueScope<'_>) -> Vec<Vec<Value>>| -> Vec<Vec<Value>> {
            let longer = |slots: Vec<Value>| {
                let scope = ValueScope::new(format, block, InstanceSlots::Known(&slots), outer);
                of(&scope).into_iter().map(|more| slots.iter().cloned().chain(more).collect()).collect::<Vec<_>>()
            };
            ways.into_iter().flat_map(longer).collect()
        };
        for field in fields {
            ways = grow(ways, &|scope| self.all_field_values(field, 0, scope).into_iter().map(|v| vec![v]).collect());
        }
        match item_there {
            LayoutItem::Block(child) => {
                let list = |l| vec![Value::Instances(InstanceList::from_instances(format.block(*child).slots, l))];
                ways = grow(ways, &|scope| self.all_lists(*child, scope).into_iter().map(list).collect());
            }
            LayoutItem::Either(children) => {
                ways = grow(ways, &|scope| {
                    let one = |i: usize| {
                        let instances = self.all_slots(children[i], 0, Vec::new(), Some(scope)).into_iter();
                        instances.map(move |slots| {
                            let list = |j: usize| {
                                let chosen = (i == j).then(|| slots.clone());
                                Value::Instances(InstanceList::from_instances(format.block(children[j]).slots, chosen))
                            };
                            (0..children.len()).map(list).collect()
                        })
                    };
                    (0..children.len()).flat_map(one).collect()
                });
            }
            LayoutItem::Line(_) | LayoutItem::Rows(_) => {}
        }
        ways.into_iter().flat_map(|slots| self.all_slots(block, item + 1, slots, outer)).collect()
    }

    fn all_lists(&self, child: BlockId, scope: &ValueScope<'_>) -> Vec<Vec<Vec<Value>>> {
        let counts = match &self.format.block(child).count {
            InstanceCount::Times(count) => {
                let n = crate::value::evaluate_number(count, scope).unwrap();
                n..=n
            }
            InstanceCount::Conditional(_) | InstanceCount::Alternative => 0..=1,
            InstanceCount::Until { range, .. } => range.lo..=range.hi,
        };
        let mut found = Vec::new();
        for count in counts.filter(|n| *n >= 0) {
            let mut lists: Vec<Vec<Vec<Value>>> = vec![Vec::new()];
            for _ in 0..count {
                let instances = self.all_slots(child, 0, Vec::new(), Some(scope));
                lists = lists
                    .iter()
                    .flat_map(|l| instances.iter().map(move |i| l.iter().cloned().chain([i.clone()]).collect()))
                    .collect();
                lists.retain(|l| l.iter().flatten().map(Value::element_count).sum::<usize>() <= self.most);
            }
            found.extend(lists);
        }
        found
    }

    fn all_field_values(&self, field: FieldId, dimension: usize, scope: &ValueScope<'_>) -> Vec<Value> {
        let info = self.format.field(field);
        if info.is_scalar() {
            return (info.range.lo..=info.range.hi).map(Value::Int).collect();
        }
        let sizes = match dimension_size(field, dimension, scope) {
            Ok(Some(size)) => size..=size,
            Ok(None) => 0..=usize::try_from(info.length.hi).unwrap(),
            Err(_) => return Vec::new(),
        };
        let sizes = sizes.filter(|size| *size <= self.most);
        if dimension + 1 < info.dimensions.len() {
            let rows = self.all_field_values(field, dimension + 1, scope);
            return sizes.flat_map(|size| cartesian_products(&rows, size, self.most)).map(Value::List).collect();
        }
        sizes.flat_map(|size| self.all_rows(info, size)).collect()
    }

    fn all_rows(&self, info: &Field, size: usize) -> Vec<Value> {
        match &info.kind {
            FieldKind::Text(letters) => {
                cartesian_products(letters, size, usize::MAX).into_iter().map(|text| Value::Text(text.into())).collect()
            }
            _ => {
                let numbers: Vec<i128> = (info.range.lo..=info.range.hi).collect();
                cartesian_products(&numbers, size, usize::MAX).into_iter().map(Value::Ints).collect()
            }
        }
    }
}

fn cartesian_products<T: Clone>(of: &[T], count: usize, _most: usize) -> Vec<Vec<T>> {
    (0..count).fold(vec![Vec::new()], |all, _| {
        all.iter()
            .flat_map(|some| of.iter().map(move |one| some.iter().cloned().chain([one.clone()]).collect()))
            .collect()
    })
}

/// Compares the enumerated inputs with the trees that `validate` accepts. Returns the number of inputs.
fn check_all(text: &str, format: &Format, most: usize) -> usize {
    let plan = GenerationPlan::new(format);
    let naive = Naive { format, most };
    let mut wanted: Vec<Value> =
        naive.all_slots(BlockId(0), 0, Vec::new(), None).into_iter().map(Value::Block).collect();
    wanted.retain(|v| {
        v.element_count() <= most
            && find_violation(format, v).is_none()
            && read_input(format, &print_value(format, v)).as_ref() == Ok(v)
    });
    wanted.sort_by_key(|v| Measure::of_value(format, v));
    let found: Vec<Value> = Enumerator::new(&plan, most, NEVER).collect();
    let show = |values: &[Value]| {
        values
            .iter()
            .take(40)
            .map(|v| String::from_utf8_lossy(&print_value(format, v)).replace('\n', "|"))
            .collect::<Vec<_>>()
    };
    assert!(
        found == wanted,
        "{text}\n{} found, {} wanted\n{:?}\n{:?}",
        found.len(),
        wanted.len(),
        show(&found),
        show(&wanted)
    );
    let different: HashSet<&Value> = found.iter().collect();
    assert_eq!(different.len(), found.len(), "{text}");
    for pair in found.windows(2) {
        assert!(Measure::of_value(format, &pair[0]) < Measure::of_value(format, &pair[1]), "{text}: {:?}", show(pair));
    }
    assert_eq!(count_inputs(&plan, most, NEVER), Some(found.len() as u128), "{text}");
    found.len()
}

#[test]
fn all_valid_inputs_are_found_once_and_in_order() {
    for (text, most) in FORMATS {
        assert!(check_all(text, &parse_format(text), *most) > 0, "{text}");
    }
}

/// Layouts with their bounds, the number of elements up to which all inputs are compared, and constraints of
/// which some are added. `#` is a small number, `@` a range of them.
const RANDOM: &[(&str, usize, &[&str])] = &[
    ("n; a[n] where 0 <= n <= 3; a in @", 4, ARRAY),
    (
        "n S; a[n] where 1 <= n <= 3; S in @; a in @",
        5,
        &[
            "sum(a) = S",
            "sum(a) <= S",
            "max(a) = S",
            "min(a) = S",
            "S <= sum(a)",
            "n <= S",
            "forall i in 1..n: a[i] <= S",
            "forall i in 1..n: a[i] + S = #",
            "exists i in 1..n: a[i] = S",
            "count(a, #) = S",
            "a <= S",
            "sum(a) = n * S",
        ],
    ),
    (
        "n; a[n] S where 1 <= n <= 2; S in @; a in @",
        4,
        &["sum(a) = S", "sum(a) < S", "max(a) = S", "S <= n", "forall i in 1..n: a[i] = S", "a != S", "S = n + #"],
    ),
    (
        "n; a[n]; b[n] where 0 <= n <= 2; a in @; b in @",
        5,
        &[
            "a <= b",
            "sum(a) = sum(b)",
            "max(a) < max(b)",
            "forall i in 1..n: a[i] = b[i]",
            "forall i in 1..n: a[i] = b[n+1-i]",
            "forall i in 1..n: a[i] + b[i] = #",
            "sum(b) = #",
            "max(b) <= sum(a)",
        ],
    ),
    (
        "n; V[n][n] where 1 <= n <= 2; V in @",
        5,
        &[
            "symmetric(V)",
            "forall i in 1..n: V[i][i] = #",
            "forall i in 1..n: forall j in 1..n: V[i][j] = V[j][i]",
            "forall i in 1..n: forall j in 1..n: i < j => V[i][j] = V[j][i]",
            "forall i in 1..n: sum(V[i]) = #",
            "forall i in 1..n: sum(V[i]) <= #",
            "sum(V) = #",
            "max(V) = #",
            "forall i in 1..n: V[i][1] = #",
            "forall i in 1..n: forall j in 1..n: V[i][j] <= V[i][1] + V[1][j]",
            "forall i in 1..n: V[i][i] = 0 and (forall j in 1..n: V[i][j] = V[j][i])",
            "count(V, #) = #",
            "forall i in 1..n: max(V[i]) >= #",
        ],
    ),
    (
        "n; s[n] where 1 <= n <= 4; s over \"bac\"",
        5,
        &[
            "count(s, 'a') = #",
            "count(s, 'b') = #",
            "count(s, 'c') <= #",
            "forall i in 1..n: s[i] = s[n+1-i]",
            "s[1] = 'a'",
            "forall i in 1..n-1: s[i] != s[i+1]",
            "forall i in 1..n: i < # => s[i] = 'c'",
            "forall i in 1..n-1: s[i] <= s[i+1]",
            "count(s, 'a') = count(s, 'b')",
            "n <= #",
        ],
    ),
    (
        "n; s where 0 <= n <= 2; s over \"()\"; 0 <= len(s) <= 4",
        5,
        &["len(s) = 2 * n", "count(s, '(') = n", "len(s) <= n", "len(s) = n + #", "count(s, ')') >= #", "n < len(s)"],
    ),
    (
        "n m; repeat m: u v where 1 <= n <= 3; 0 <= m <= 2; 1 <= u, v <= n",
        6,
        &[
            "edges (u, v) on 1..n: connected",
            "edges (u, v) on 1..n: simple",
            "edges (u, v) on 1..n: acyclic",
            "edges (u, v) on 1..n: bipartite",
            "u < v",
            "distinct((u, v))",
            "m <= n",
            "sum(u) = #",
            "max(v) <= #",
            "increasing(u)",
        ],
    ),
    (
        "n; repeat n-1: u v w where 1 <= n <= 3; w in @; edges (u, v) on 1..n: tree",
        7,
        &["u < v", "w <= n", "sum(w) = #", "w != #", "increasing(w)", "max(w) <= #", "u + w <= #"],
    ),
    (
        "n q; a[n]; repeat q: l r where 1 <= n <= 2; 0 <= q <= 2; a in @; 1 <= l, r <= 3",
        7,
        &[
            "l <= r",
            "r <= n",
            "l < r",
            "sum(a) = #",
            "q <= n",
            "max(r) <= n",
            "sum(l) = #",
            "r = l + #",
            "max(a) >= r",
            "l <= sum(a)",
        ],
    ),
    (
        "T; cases T: n k; a[n] where 1 <= T <= 2; 0 <= n <= 2; 0 <= k <= 2; a in @",
        6,
        &[
            "sum(n) <= #",
            "sum(n) = #",
            "k <= n",
            "sum(a) = k",
            "max(a) <= k",
            "sum(k) = #",
            "sum(sum(a)) = #",
            "sum(sum(a)) <= #",
            "forall i in 1..n-1: a[i] <= a[i+1]",
            "k = n + #",
            "increasing(n)",
        ],
    ),
    (
        "a b c where a in @; b in @; c in @",
        3,
        &[
            "a + b = c",
            "a < b",
            "b <= c",
            "a * b = c",
            "c = 2 * a",
            "a + b + c = #",
            "a % 2 = 1",
            "a != b",
            "a <= #",
            "c >= a - #",
            "a = # => b = #",
            "max(a, b) = c",
            "distinct(a, b, c)",
        ],
    ),
    (
        "q; repeat q: either: 1 l r; 2 x where 0 <= q <= 2; 1 <= l, r <= 3; x in @",
        6,
        &["l <= r", "r <= q", "x <= q", "l != #", "x = #"],
    ),
    (
        "t n; if t = 1: { x y; repeat n: z } where 0 <= t <= 1; 0 <= n <= 2; 0 <= x, y <= 2; z in @",
        6,
        &["x <= y", "n <= #", "y <= n", "sum(z) = #", "max(z) <= n", "x = y + #", "z >= t"],
    ),
    (
        "n; (k (c)[k])[n] where 0 <= n, k <= 2; c in @",
        5,
        &["sum(k) = #", "k <= n", "c <= n", "c <= k", "sum(k) <= n", "increasing(k)"],
    ),
    (
        "n; w[n][] where 0 <= n <= 2; w over \"ab\"; 0 <= len(w) <= 2",
        5,
        &[
            "distinct(w)",
            "len(w) <= n",
            "count(w, 'a') = #",
            "forall i in 1..n-1: w[i] < w[i+1]",
            "forall i in 1..n: count(w[i], 'b') = #",
            "n >= #",
        ],
    ),
];

const ARRAY: &[&str] = &[
    "sum(a) = #",
    "sum(a) <= #",
    "sum(a) >= #",
    "sum(a) = n",
    "sum(a) % 2 = 0",
    "2 * sum(a) = 3 * n",
    "max(a) = #",
    "max(a) >= #",
    "min(a) = #",
    "min(a) <= #",
    "max(a) - min(a) <= 1",
    "count(a, #) = #",
    "count(a, #) >= n - 1",
    "forall i in 1..n: a[i] <= i",
    "forall i in 1..n-1: a[i] <= a[i+1]",
    "forall i in 1..n-1: a[i] != a[i+1]",
    "forall i in 1..n-1: a[i] + a[i+1] = #",
    "forall i in 1..n: a[i] = a[n+1-i]",
    "forall i in 1..n: i < 2 => a[i] = #",
    "exists i in 1..n: a[i] = #",
    "distinct(a)",
    "sorted(a)",
    "n >= 2 => sum(a) = #",
    "forall i in 1..n-1: 2 * a[i] = a[i+1] + #",
    "forall i in 1..n: a[i] = # or a[i] = #",
    "n != #",
    "a != #",
    "forall i in 1..n: sum(a) >= a[i]",
];

/// Returns a text with its `#` and `@` replaced.
fn fill_template(text: &str, c: &mut rebut_generators::Choices) -> String {
    let mut out = String::new();
    // `a in @` means `lo <= a <= hi`.
    for word in text.split_inclusive(';') {
        match word.split_once(" in @") {
            Some((name, rest)) => {
                let (lo, width) = (c.draw_range(-2, 1), c.draw_range(0, 3));
                let (before, name) = name.rsplit_once([' ']).unwrap_or(("", name));
                out += &format!("{before} {lo} <= {name} <= {}{rest}", lo + width);
            }
            None => out += word,
        }
    }
    while let Some(at) = out.find('#') {
        out.replace_range(at..=at, &c.draw_range(-1, 4).to_string());
    }
    out
}

/// Number of random formats. `REBUT_RANDOM_FORMATS=20000` is worth a run after each change here.
const RANDOM_FORMATS: u64 = 250;

#[test]
#[allow(clippy::disallowed_methods, reason = "a longer run is asked for by the environment")]
fn all_valid_inputs_of_random_formats_are_found_once_and_in_order() {
    let formats = std::env::var("REBUT_RANDOM_FORMATS").map_or(RANDOM_FORMATS, |n| n.parse().unwrap());
    let mut compared = 0;
    for seed in 0..formats {
        let mut c = rebut_generators::Choices::from_seed(seed, 0);
        let (layout, most, constraints) = RANDOM[c.draw_range(0, RANDOM.len() as i128 - 1) as usize];
        let mut text = fill_template(layout, &mut c);
        for _ in 0..c.draw_range(1, 3) {
            let constraint = constraints[c.draw_range(0, constraints.len() as i128 - 1) as usize];
            text += &format!("; {}", fill_template(constraint, &mut c));
        }
        // Contradictions and invalid combinations are refused.
        if let Ok((format, _)) = Format::parse(&SourceText::new("format", text.as_str())) {
            compared += usize::from(check_all(&text, &format, most) > 0);
        }
    }
    assert!(compared as u64 > formats / 3, "only {compared} formats had inputs");
}

#[test]
fn the_first_are_the_simplest() {
    assert_eq!(enumerate_texts("n; a[n] where 1 <= n <= 2; -1 <= a <= 1", 2), ["1\n0\n", "1\n1\n", "1\n-1\n"]);
}

#[test]
fn inputs_of_one_size_are_a_slice_of_all_inputs() {
    for (text, most) in FORMATS {
        let format = parse_format(text);
        let plan = GenerationPlan::new(&format);
        let all: Vec<Value> = Enumerator::new(&plan, *most, NEVER).collect();
        for elements in 0..=*most {
            let found: Vec<Value> = Enumerator::with_elements(&plan, elements, NEVER).collect();
            let wanted: Vec<Value> = all.iter().filter(|v| v.element_count() == elements).cloned().collect();
            assert_eq!(found, wanted, "{text}, {elements} elements");
        }
    }
    let format = parse_format("n; a[n] where 1 <= n <= 2; 0 <= a <= 3");
    let plan = GenerationPlan::new(&format);
    assert_eq!(Enumerator::with_elements(&plan, 1, NEVER).count(), 0);
    assert_eq!(Enumerator::with_elements(&plan, 3, NEVER).count(), 16);
    assert_eq!(Enumerator::with_elements(&plan, 4, NEVER).count(), 0);
}

#[track_caller]
fn check_count(text: &str, max_elements: usize, wanted: u128) {
    let format = parse_format(text);
    assert_eq!(count_inputs(&GenerationPlan::new(&format), max_elements, NEVER), Some(wanted), "{text}");
}

#[test]
fn numbers_of_inputs_are_exact() {
    const ALL: usize = usize::MAX;
    check_count("n; a[n] where 1 <= n <= 2; 0 <= a <= 3", ALL, 4 + 16);
    check_count("n; p[n] where 1 <= n <= 4; p permutation of 1..n", ALL, 1 + 2 + 6 + 24);
    check_count("l r where 1 <= l <= r <= 10", ALL, 55);
    check_count("R C; board[R][C] where R = 2; C = 2; board over \"abc\"", ALL, 81);
    // Labelled trees, with their edges in every order and in both directions.
    let trees = 1 + 2 + 3 * 2 * 4 + 16 * 6 * 8;
    check_count("n; repeat n-1: u v where 1 <= n <= 4; edges (u, v) on 1..n: tree", ALL, trees);
    // A sum is split in order.
    check_count("T; cases T: n where 1 <= T <= 9; 1 <= n <= 9; sum(n) = 5", ALL, 16);
    check_count("n; a[n] where 1 <= n <= 5; 0 <= a <= 9; sorted(a)", ALL, 10 + 55 + 220 + 715 + 2002);
}

#[test]
fn independent_numbers_are_counted_without_visiting() {
    let powers: u128 = (1..=20).map(|n| 10_u128.pow(n)).sum();
    check_count("n; a[n] where 1 <= n <= 20; 0 <= a <= 9", usize::MAX, powers);
    // Each of the ten queries has 55 pairs, independently of the numbers before them.
    let queries = "n q; a[n]; repeat q: l r where n = 10; q = 10; 0 <= a <= 1; 1 <= l <= r <= n";
    check_count(queries, usize::MAX, 1024 * 55_u128.pow(10));
    let cases = "T; cases T: n; p[n] where T = 7; 1 <= n <= 4; p permutation of 1..n";
    check_count(cases, usize::MAX, 33_u128.pow(7));
    // Only the sizes of the cases matter: two of them, of at most 10 numbers together.
    let shared = "T; cases T: n; p[n] where T = 2; 4 <= n <= 6; p permutation of 1..n; sum(n) <= 10";
    check_count(shared, usize::MAX, 24 * 24 + 2 * 24 * 120 + 2 * 24 * 720 + 120 * 120);
    check_count("s where s over \"a-z\"; 1 <= len(s) <= 12", usize::MAX, (1..=12).map(|n| 26_u128.pow(n)).sum());
    let format = parse_format("n; a[n] where n = 100; 0 <= a <= 9");
    assert_eq!(
        count_inputs(&GenerationPlan::new(&format), usize::MAX, NEVER),
        None,
        "it is larger than any number here"
    );
}

#[test]
fn alternatives_and_sentinels_are_counted_exactly() {
    let either = "q; repeat q: either: { \"push\" x; \"pop\"; \"set\" y z } where q = 12; 1 <= x, y, z <= 9";
    check_count(either, usize::MAX, (9 + 1 + 81_u128).pow(12));
    let until = "repeat 0..9 until 0 0: a b where 0 <= a, b <= 9";
    check_count(until, usize::MAX, (0..=9).map(|n| 99_u128.pow(n)).sum());
    check_count("h\":\"m where 0 <= h <= 23; 0 <= m <= 59", usize::MAX, 24 * 60);
}

#[test]
fn wide_ranges_do_not_delay_small_inputs() {
    let format = parse_format("n m; a[n] where 1 <= n <= 10^5; 1 <= m <= 10^9; -10^9 <= a <= 10^9");
    let plan = GenerationPlan::new(&format);
    let first: Vec<Value> = Enumerator::new(&plan, usize::MAX, NEVER).take(1000).collect();
    assert!(first.iter().all(|v| v.element_count() == 3));
    // `a` takes up the distance that `l` and `r` cannot, and nothing else is tried.
    for bounds in ["1 <= l <= r <= n", "n >= r >= l >= 1", "1 <= l < r; r < n + 2"] {
        let format = parse_format(&format!("n; a[n]; l r where 1 <= n <= 1000; 0 <= a <= 10^9; l <= 1000; {bounds}"));
        let plan = GenerationPlan::new(&format);
        let first: Vec<Value> = Enumerator::new(&plan, usize::MAX, NEVER).take(3000).collect();
        assert!(
            first.iter().zip(0..).all(|(v, a)| print_value(&format, v).starts_with(format!("1\n{a}\n").as_bytes()))
        );
    }
    // No near value is valid: the search skips to where values are possible.
    let format = parse_format("a b where 0 <= a, b <= 10^9; b = 1000 * a + 5 * 10^8");
    let first = Enumerator::new(&GenerationPlan::new(&format), usize::MAX, NEVER).next().unwrap();
    assert_eq!(print_value(&format, &first), b"0 500000000\n");
}

/// Formats as in real problems, in which most prefixes of inputs lead nowhere.
const NARROW: &[&str] = &[
    "n; d[n][n] where 1 <= n <= 100; 0 <= d <= 10^6; symmetric(d); forall i in 1..n: d[i][i] = 0",
    "N; A[N][N] where 1 <= N <= 16; -10^9 <= A <= 10^9; symmetric(A); forall i in 1..N: A[i][i] = 0",
    "N; A[N][N] where 1 <= N <= 16; -10^9 <= A <= 10^9; forall i in 1..N: A[i][i] = 0; \
     forall i in 1..N: forall j in 1..N: A[i][j] = A[j][i]",
    "n m; V[n][m] where 1 <= n, m <= 50; 0 <= V <= 1000; forall i in 1..n: sum(V[i]) = 2",
    "n S; a[n] where 1 <= n <= 100; 1 <= S <= 10^6; 1 <= a <= 10^6; sum(a) = S",
    "n; a[n] where 1 <= n <= 100; -10^9 <= a <= 10^9; sum(a) = 0",
    "n; a[n] where 1 <= n <= 100; 0 <= a <= 10^6; sum(a) = 1000",
    "n; a[n] where 1 <= n <= 100; 0 <= a <= 10^9; max(a) = 10^9",
    "n; s where 1 <= n <= 10^5; s over \"()\"; len(s) = 2*n; count(s, '(') = n",
    "n; s[n] where 1 <= n <= 1000; s over \"a-z\"; forall i in 1..n: s[i] = s[n+1-i]",
    "n q; a[n]; repeat q: l r where 1 <= n, q <= 2*10^5; 0 <= a <= 10^9; 1 <= l <= r <= n",
    "n; repeat n-1: u v w where n = 6; 1 <= w <= 10^9; edges (u, v) on 1..n: tree",
    "n m; repeat m: u v w where 1 <= n <= 10^5; 0 <= m <= 2*10^5; 1 <= w <= 10^9; edges (u, v) on 1..n: simple, connected",
    "n m; repeat m: u v where 5 <= n <= 10^5; 1 <= m <= 2*10^5; edges (u, v) on 1..n: simple, connected",
    "n k; p[n] where 1 <= n <= 2*10^5; 1 <= k <= n; p permutation of 0..n-1",
];

#[test]
fn search_does_not_get_lost_in_dead_ends() {
    const INPUTS: usize = 1000;
    // Each input takes at least one step per leaf, and as many lead nowhere.
    const MAX_STEPS: u64 = 60 * INPUTS as u64;
    for text in NARROW {
        let format = parse_format(text);
        let plan = GenerationPlan::new(&format);
        let steps = std::sync::atomic::AtomicU64::new(0);
        let stop = || steps.fetch_add(1, std::sync::atomic::Ordering::Relaxed) > MAX_STEPS;
        let found: Vec<Value> = Enumerator::new(&plan, usize::MAX, &stop).take(INPUTS).collect();
        assert_eq!(found.len(), INPUTS, "{text}");
        assert!(found.iter().all(|value| find_violation(&format, value).is_none()), "{text}");
    }
}

#[test]
fn stopped_search_and_count_end_early() {
    let format = parse_format("n; a[n] where 1 <= n <= 10; 0 <= a <= 9; sum(a) >= 1");
    let plan = GenerationPlan::new(&format);
    assert_eq!(Enumerator::new(&plan, usize::MAX, &|| true).count(), 0);
    assert_eq!(count_inputs(&plan, usize::MAX, &|| true), None);
}
