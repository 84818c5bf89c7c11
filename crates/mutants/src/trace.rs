//! Copies of a source in C or C++ that record which numbers their comparisons, divisions and sums see.
//!
//! A program fails where its values meet a condition that random inputs hardly ever meet: `n == 7 * k + 3`,
//! `x % 166080 == 0`, a sum beyond 2^31. [`trace_source`] wraps each operand in a call that records it and returns it
//! unchanged, so the program does what it did, and prints what it recorded after its output; [`read_trace`] reads that:
//!
//! ```
//! use rebut_mutants::{SourceLanguage, TraceKind, read_trace, trace_source};
//!
//! let source = "bool odd(int n) { return n % 2 == 1; }\n";
//! let traced = trace_source(source, SourceLanguage::Cpp, &Default::default()).expect("a source in C++");
//! assert!(traced.source.contains("rebut_wrap(0,2,(rebut_wrap(1,2,(n)) % 2)) == 1"));
//! assert_eq!(traced.sites[0].kind, TraceKind::Equality);
//! let trace = read_trace(&traced.sites, b"odd\n\x01rebut-trace\n1 5 0\n0 1 0\n\x01end 2\n").expect("a trace");
//! assert_eq!((trace.records[0].site, trace.records[0].left, trace.records[0].right), (1, 5, 2));
//! ```

use super::SourceLanguage;
use super::expressions::is_loop_condition;
use super::schema::prelude_offset;
use super::source_tree::{SourceTree, parse_source};
use super::startup::FUNCTION_BODIES;
use std::collections::BTreeSet;
use std::ops::Range;
use tree_sitter::Node;

/// Maximum number of places that are traced: programs of contests have some dozens.
const MAX_SITES: usize = 400;
/// Number of pairs of operands that the program keeps of each place.
const KEPT_PAIRS: usize = 8;
/// Number of recorded operands after which the program ends: some hundredths of a second. Not a time, so that its trace does
/// not depend on the machine.
const MAX_RECORDED: usize = 4_000_000;

/// The operation at a traced place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceKind {
    /// `a == b` or `a != b`.
    Equality,
    /// `a < b` and the like.
    Order,
    /// `a / b` or `a % b`.
    Division,
    /// A sum, a difference or a product, of which only the largest absolute value is recorded.
    Size,
}

/// A place in a source whose operands are recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceSite {
    /// The operation there.
    pub kind: TraceKind,
    /// The operand that is a literal, if one is, and whether it is the left one: it is not recorded.
    literal: Option<(i128, bool)>,
}

/// A source that records operands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TracedSource {
    /// The source. Its lines are those of the original, for the messages of a compiler.
    pub source: String,
    /// The traced places.
    pub sites: Vec<TraceSite>,
}

/// The operands of one execution of a traced place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceRecord {
    /// Index of the place.
    pub site: usize,
    /// The left operand; of a size, its absolute value.
    pub left: i128,
    /// The right operand; of a size, 0.
    pub right: i128,
}

/// The code that records, which is added after the last `#include`.
const PRELUDE: &str = "struct rebut_site{long long kept[KEPT][2],now[2];unsigned count,sides;};\
static struct rebut_site rebut_sites[SITES];static long rebut_recorded,rebut_done;\
static void rebut_print(void){if(rebut_done++)return;__builtin_printf(\"\\n\\001rebut-trace\\n\");\
for(int i=0;i<SITES;++i)for(unsigned k=0;k<rebut_sites[i].count&&k<KEPT;++k)\
__builtin_printf(\"%d %lld %lld\\n\",i,rebut_sites[i].kept[k][0],rebut_sites[i].kept[k][1]);\
__builtin_printf(\"\\001end %ld\\n\",rebut_recorded);}\
__attribute__((destructor(101)))static void rebut_end(void){rebut_print();}\
static void rebut_note(int i,int side,long long value){struct rebut_site*s=rebut_sites+i;\
if(rebut_done)return;if(++rebut_recorded>LIMIT){rebut_print();__builtin_exit(0);}\
if(side==3){unsigned long long size=value<0?0ULL-(unsigned long long)value:(unsigned long long)value;\
if(size>>63)size=~0ULL>>1;s->count=1;if((long long)size>s->kept[0][0])s->kept[0][0]=(long long)size;return;}\
if(side==2){s->now[0]=value;s->sides=3;}else{s->now[side]=value;s->sides|=1u<<side;}\
if(s->sides==3){s->sides=0;unsigned at=s->count<KEPT?s->count:(s->count*2654435761u>>16)%KEPT;\
unsigned last=s->count?(s->count-1<KEPT?s->count-1:0):0;\
if(s->count&&s->kept[last][0]==s->now[0]&&s->kept[last][1]==s->now[1])return;\
s->kept[at][0]=s->now[0];s->kept[at][1]=s->now[1];++s->count;}}\n";

/// The wrapper in C: the type of a value is that of the expression.
const C_WRAPPER: &str = "#define rebut_wrap(i,side,v)({__auto_type rebut_v=v;\
rebut_note(i,side,(long long)rebut_v);rebut_v;})\n";

/// The wrapper in C++: references stay references.
const CPP_WRAPPER: &str = "template<class T>inline void rebut_see(int,int,const T&){}\n\
#define rebut_number(T) inline void rebut_see(int i,int side,const T&v){rebut_note(i,side,(long long)v);}\n\
rebut_number(char)rebut_number(signed char)rebut_number(unsigned char)rebut_number(short)rebut_number(unsigned short)\
rebut_number(int)rebut_number(unsigned)rebut_number(long)rebut_number(unsigned long)rebut_number(long long)\
rebut_number(unsigned long long)\n\
inline void rebut_see(int i,int side,const double&v){if(v>-9e15&&v<9e15)rebut_note(i,side,(long long)v);}\n\
template<class T>inline T&&rebut_wrap(int i,int side,T&&v){rebut_see(i,side,v);return static_cast<T&&>(v);}\n";

/// Returns a source in C or C++ that records the operands of its functions and prints them at its end. Returns `None` if it
/// cannot be parsed, if it is in another language, or if nothing in it can be traced. Places on the excluded lines, from
/// 1, are left out: those at which a compiler refused to trace.
pub fn trace_source(source: &str, language: SourceLanguage, excluded: &BTreeSet<usize>) -> Option<TracedSource> {
    if language != SourceLanguage::Cpp {
        return None;
    }
    let syntax = parse_source(source, language)?;
    let tree = SourceTree::new(source, language, &syntax);
    let mut writer = TraceWriter { tree: &tree, wraps: Vec::new(), sites: Vec::new() };
    let is_free = |node: &&Node<'_>| {
        let lines = node.start_position().row + 1..=node.end_position().row + 1;
        excluded.range(lines).next().is_none()
    };
    for node in tree.nodes().iter().filter(is_free).take_while(|_| !tree.is_exhausted()) {
        if writer.sites.len() < MAX_SITES && is_executed(&tree, *node) {
            writer.trace_node(*node);
        }
    }
    if writer.sites.is_empty() || tree.is_exhausted() {
        return None;
    }
    let (at, sites) = (prelude_offset(source), writer.sites);
    let line = source[..at].matches('\n').count() + 1;
    let [head, body] = [0..at, at..source.len()].map(|range| render_wraps(source, range, &writer.wraps));
    Some(TracedSource { source: format!("{head}{}#line {line}\n{body}", prelude(sites.len())), sites })
}

/// Returns the code that records operands, for this number of places.
fn prelude(sites: usize) -> String {
    let numbers = [("SITES", sites), ("KEPT", KEPT_PAIRS), ("LIMIT", MAX_RECORDED)];
    let code = numbers.iter().fold(PRELUDE.to_owned(), |code, (name, number)| code.replace(name, &number.to_string()));
    format!("{code}#ifdef __cplusplus\n{CPP_WRAPPER}#else\n{C_WRAPPER}#endif\n")
}

/// A call around a part of the source.
struct Wrap {
    range: Range<usize>,
    site: usize,
    side: Side,
}

/// The part of an operation that a call records; the numbers are those in the code that is added.
#[derive(Clone, Copy)]
enum Side {
    Left = 0,
    Right = 1,
    /// The operand beside a literal.
    Only = 2,
    Size = 3,
}

/// Returns a range of the source with the calls that begin in it, the outer ones of which come first.
fn render_wraps(source: &str, range: Range<usize>, wraps: &[Wrap]) -> String {
    let mut pieces = Vec::new();
    for (at, wrap) in wraps.iter().enumerate().filter(|(_, wrap)| range.contains(&wrap.range.start)) {
        let Wrap { range, site, side } = wrap;
        // At one place, calls end before others begin, the inner ones first, and the longest ones begin first.
        pieces.push(((range.start, 1, usize::MAX - range.end, at), format!("rebut_wrap({site},{},(", *side as u8)));
        pieces.push(((range.end, 0, usize::MAX - range.start, usize::MAX - at), "))".to_owned()));
    }
    pieces.sort();
    let (mut text, mut at) = (String::new(), range.start);
    for ((place, ..), piece) in &pieces {
        text.push_str(&source[at..*place]);
        text.push_str(piece);
        at = *place;
    }
    text + &source[at..range.end]
}

/// Collects the traced places.
struct TraceWriter<'t, 's> {
    tree: &'t SourceTree<'s>,
    wraps: Vec<Wrap>,
    sites: Vec<TraceSite>,
}

impl TraceWriter<'_, '_> {
    fn trace_node(&mut self, node: Node<'_>) {
        let [left, right] = ["left", "right"].map(|field| node.child_by_field_name(field));
        let (Some(left), Some(right)) = (left, right) else { return };
        let kind = match (node.kind(), self.tree.field_text(node, "operator")) {
            ("binary_expression", "==" | "!=") => TraceKind::Equality,
            ("binary_expression", "<" | "<=" | ">" | ">=") if !is_loop_condition(self.tree, node) => TraceKind::Order,
            ("binary_expression", "/" | "%") => TraceKind::Division,
            ("binary_expression", "*") | ("assignment_expression", "+=" | "-=" | "*=") => TraceKind::Size,
            ("binary_expression", "+" | "-") if !self.tree.is_inside(node, &["subscript_expression"]) => {
                TraceKind::Size
            }
            _ => return,
        };
        let operands = [left, right].map(|operand| self.read_operand(operand));
        let site = self.sites.len();
        let mut add = |node: Node<'_>, side| self.wraps.push(Wrap { range: node.byte_range(), site, side });
        let literal = match (kind, operands) {
            (TraceKind::Size, [Operand::Traced, Operand::Traced]) => {
                add(node, Side::Size);
                None
            }
            (TraceKind::Size, _) => return,
            (_, [Operand::Traced, Operand::Traced]) => {
                add(left, Side::Left);
                add(right, Side::Right);
                None
            }
            (_, [Operand::Literal(number), Operand::Traced]) => {
                add(right, Side::Only);
                Some((number, true))
            }
            (_, [Operand::Traced, Operand::Literal(number)]) => {
                add(left, Side::Only);
                Some((number, false))
            }
            _ => return,
        };
        self.sites.push(TraceSite { kind, literal });
    }

    fn read_operand(&self, node: Node<'_>) -> Operand {
        let text = self.tree.node_text(node);
        match node.kind() {
            "number_literal" => {
                let digits = text.trim_end_matches(['u', 'U', 'l', 'L']).replace('\'', "");
                let hexadecimal = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
                let whole = hexadecimal.map_or_else(|| digits.parse(), |digits| i128::from_str_radix(digits, 16)).ok();
                let real = digits.parse::<f64>().ok().filter(|real| real.abs() < 1e18).map(|real| real as i128);
                whole.or(real).map_or(Operand::Other, Operand::Literal)
            }
            "char_literal" => match text.as_bytes() {
                [b'\'', letter, b'\''] => Operand::Literal(i128::from(*letter)),
                _ => Operand::Other,
            },
            "string_literal" | "concatenated_string" | "raw_string_literal" | "null" | "true" | "false" => {
                Operand::Other
            }
            // The only literal pointer that is a name.
            _ if text == "NULL" => Operand::Other,
            _ => Operand::Traced,
        }
    }
}

/// An operand as it is traced.
#[derive(Clone, Copy)]
enum Operand {
    Traced,
    Literal(i128),
    /// A literal that is not a number.
    Other,
}

/// Returns true if a node is executed when a function is, and the compiler does not have to know its value.
fn is_executed(tree: &SourceTree<'_>, node: Node<'_>) -> bool {
    matches!(node.kind(), "binary_expression" | "assignment_expression")
        && tree.is_inside(node, &FUNCTION_BODIES)
        && !tree.is_inside(node, &["template_argument_list"])
        && !tree.is_constant(node)
}

/// The records of one run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// Some executions of each place, in the order of the places.
    pub records: Vec<TraceRecord>,
    /// Number of operands that were recorded in all, a measure of the work of the run.
    pub recorded: u64,
}

/// Returns what a program has recorded, or `None` if it did not reach its end. `output` is what it printed.
pub fn read_trace(sites: &[TraceSite], output: &[u8]) -> Option<Trace> {
    let output = String::from_utf8_lossy(output);
    let (_, trace) = output.rsplit_once("\n\u{1}rebut-trace\n")?;
    let (trace, end) = trace.split_once("\u{1}end ")?;
    let record = |line: &str| {
        let mut words = line.split(' ').map(|word| word.parse::<i128>().ok());
        let (site, left, right) = (usize::try_from(words.next()??).ok()?, words.next()??, words.next()??);
        let (left, right) = match sites.get(site)?.literal {
            Some((number, true)) => (number, left),
            Some((number, false)) => (left, number),
            None => (left, right),
        };
        Some(TraceRecord { site, left, right })
    };
    let records = trace.lines().map(record).collect::<Option<_>>()?;
    Some(Trace { records, recorded: end.lines().next()?.parse().ok()? })
}
