//! A layout in the making, and how far each sample was read by it.
//!
//! All samples are read at the same time. In a block that is still open, a sample is in its first repetition; when the
//! block is closed, the body so far reads the other repetitions.

use crate::cost::{Observation, least_observation_cost};
use crate::layout::{Count, FieldIndex, Node, Part, Size, TagForm};
use crate::sample::{Sample, parse_integer};

/// How far a sample was read.
#[derive(Clone, Debug)]
pub(crate) struct Reader {
    /// The line that is read next.
    pub(crate) line: usize,
    /// The numbers of the current repetitions, by field.
    pub(crate) values: Vec<Option<i128>>,
    /// The numbers of repetitions of the open blocks; `None` if the input ends them.
    counts: Vec<Option<i128>>,
    /// The depth of the outermost open block that this sample has no repetition of.
    skipped_from: Option<usize>,
}

#[derive(Clone, Debug)]
pub(crate) struct OpenBlock {
    pub(crate) count: Count,
    /// True if there is an empty line between two repetitions.
    pub(crate) is_separated: bool,
    pub(crate) body: Vec<Node>,
    /// The first field of the body.
    first_field: FieldIndex,
}

/// A layout in the making.
#[derive(Clone, Debug)]
pub(crate) struct SearchState {
    /// Complete nodes outside of blocks.
    pub(crate) nodes: Vec<Node>,
    /// The open blocks, the outermost first.
    pub(crate) open: Vec<OpenBlock>,
    pub(crate) readers: Vec<Reader>,
    pub(crate) fields: Vec<Observation>,
    /// The fields that sizes can use, in the order of the input.
    pub(crate) in_scope: Vec<FieldIndex>,
    /// The fields that sizes use.
    pub(crate) used: Vec<FieldIndex>,
    /// Description length so far, in tenths of bits.
    pub(crate) cost: u32,
    /// Least description length of the tokens that were read so far.
    pub(crate) observed_cost: u32,
}

impl SearchState {
    /// Returns the empty layout.
    pub(crate) fn new(samples: &[Sample]) -> SearchState {
        let reader = Reader { line: 0, values: Vec::new(), counts: Vec::new(), skipped_from: None };
        SearchState {
            nodes: Vec::new(),
            open: Vec::new(),
            readers: vec![reader; samples.len()],
            fields: Vec::new(),
            in_scope: Vec::new(),
            used: Vec::new(),
            cost: 0,
            observed_cost: 0,
        }
    }

    /// Returns the indices of the samples that take part in the innermost open block.
    pub(crate) fn active(&self) -> impl Iterator<Item = usize> + '_ {
        self.readers.iter().enumerate().filter(|(_, reader)| reader.skipped_from.is_none()).map(|(i, _)| i)
    }

    /// Returns the values of a size in the active samples, or `None` if it has none somewhere or is negative.
    pub(crate) fn values_of(&self, size: &Size) -> Option<Vec<i128>> {
        self.active().map(|i| size.evaluate_size(&self.readers[i].values).filter(|value| *value >= 0)).collect()
    }

    /// Returns what the tokens that were read so far add to the description length at least.
    pub(crate) fn least_observed_cost(&self) -> u32 {
        let bodies = self.open.iter().map(|block| &block.body);
        bodies.chain([&self.nodes]).map(|nodes| least_observation_cost(nodes, &self.fields)).sum()
    }

    /// Returns true if everything was read.
    pub(crate) fn is_complete(&self, samples: &[Sample]) -> bool {
        self.open.is_empty()
            && self.readers.iter().zip(samples).all(|(reader, sample)| reader.line == sample.lines.len())
    }

    /// Returns true if the last node is an empty line.
    pub(crate) fn ends_with_empty_line(&self) -> bool {
        let nodes = self.open.last().map_or(&self.nodes, |block| &block.body);
        nodes.last().is_some_and(Node::is_empty_line)
    }

    /// Adds fields, and returns the index of the first.
    pub(crate) fn add_fields(&mut self, number: usize) -> FieldIndex {
        let first = self.fields.len();
        self.fields.resize_with(first + number, Observation::default);
        first
    }

    /// Adds a node and reads it in all active samples. Returns false if one does not fit.
    pub(crate) fn push_node(&mut self, mut node: Node, samples: &[Sample]) -> bool {
        for (reader, sample) in self.readers.iter_mut().zip(samples) {
            if reader.skipped_from.is_none() && !read_node(&mut node, reader, sample, &mut self.fields) {
                return false;
            }
        }
        node.visit_sizes(&mut |size, _| self.used.extend(size.fields()));
        if let Node::Line(parts) = &node {
            self.in_scope.extend(parts.iter().filter_map(|part| match part {
                Part::Token(field) => Some(*field),
                _ => None,
            }));
        }
        self.body_mut().push(node);
        true
    }

    /// Returns the nodes of the innermost open block.
    fn body_mut(&mut self) -> &mut Vec<Node> {
        self.open.last_mut().map_or(&mut self.nodes, |block| &mut block.body)
    }

    /// Opens a block. Returns false if no sample has a repetition, or if one cannot have as many lines.
    pub(crate) fn open_block(&mut self, count: Count, is_separated: bool, samples: &[Sample]) -> bool {
        let depth = self.open.len();
        let mut has_repetition = false;
        for (reader, sample) in self.readers.iter_mut().zip(samples) {
            if reader.skipped_from.is_some() {
                reader.counts.push(Some(0));
                continue;
            }
            let left = sample.lines.len().saturating_sub(reader.line);
            let times = match &count {
                Count::Times(size) => {
                    let Some(times) = size.evaluate_size(&reader.values) else { return false };
                    if times < 0 || usize::try_from(times).map_or(true, |times| times > left) {
                        return false;
                    }
                    Some(times)
                }
                Count::UntilEof => None,
                Count::UntilLine(_) => None,
            };
            let is_over = match &count {
                Count::Times(_) => times == Some(0),
                Count::UntilEof => left == 0,
                Count::UntilLine(line) => sample.lines.get(reader.line) == Some(line),
            };
            has_repetition |= !is_over;
            reader.counts.push(times);
            if is_over {
                reader.skipped_from = Some(depth);
            }
        }
        if let Count::Times(size) = &count {
            self.used.extend(size.fields());
        }
        self.open.push(OpenBlock { count, is_separated, body: Vec::new(), first_field: self.fields.len() });
        has_repetition
    }

    /// Closes the innermost open block: its other repetitions are read. Returns false if they do not fit.
    pub(crate) fn close_block(&mut self, samples: &[Sample]) -> bool {
        let Some(mut block) = self.open.pop() else { return false };
        let depth = self.open.len();
        for (reader, sample) in self.readers.iter_mut().zip(samples) {
            let times = reader.counts.pop().flatten();
            if reader.skipped_from.is_none() {
                let rest = RemainingRepetitions {
                    count: &block.count,
                    times: times.map(|times| times - 1),
                    is_separated: block.is_separated,
                    has_first: true,
                };
                if !read_repetitions(&mut block.body, rest, reader, sample, &mut self.fields) {
                    return false;
                }
            } else if reader.skipped_from == Some(depth) {
                reader.skipped_from = None;
                if !read_end(&block.count, reader, sample) {
                    return false;
                }
            }
        }
        self.in_scope.retain(|field| *field < block.first_field);
        let node = Node::Block { count: block.count, is_separated: block.is_separated, body: block.body };
        self.body_mut().push(node);
        true
    }
}

/// Reads all lines of some nodes.
fn read_nodes(nodes: &mut [Node], reader: &mut Reader, sample: &Sample, fields: &mut Vec<Observation>) -> bool {
    nodes.iter_mut().all(|node| read_node(node, reader, sample, fields))
}

fn read_node(node: &mut Node, reader: &mut Reader, sample: &Sample, fields: &mut Vec<Observation>) -> bool {
    match node {
        Node::Line(parts) => {
            let Some(line) = sample.lines.get(reader.line) else { return false };
            reader.line += 1;
            read_line(parts, line, &mut reader.values, fields)
        }
        Node::Block { count, is_separated, body } => {
            let times = match count {
                Count::Times(size) => {
                    let Some(times) = size.evaluate_size(&reader.values).filter(|times| *times >= 0) else {
                        return false;
                    };
                    Some(times)
                }
                _ => None,
            };
            let all = RemainingRepetitions { count, times, is_separated: *is_separated, has_first: false };
            read_repetitions(body, all, reader, sample, fields)
        }
        Node::Tagged { count, forms } => {
            let left = sample.lines.len().saturating_sub(reader.line);
            let times = count.evaluate_size(&reader.values).and_then(|times| usize::try_from(times).ok());
            let Some(times) = times.filter(|times| *times <= left) else { return false };
            (0..times).all(|_| {
                let Some(line) = sample.lines.get(reader.line) else { return false };
                reader.line += 1;
                read_tagged_line(forms, line, fields)
            })
        }
    }
}

/// The repetitions of a block that are read next.
struct RemainingRepetitions<'b> {
    count: &'b Count,
    /// Their number; `None` if the input ends them.
    times: Option<i128>,
    is_separated: bool,
    /// True if one was read before.
    has_first: bool,
}

/// Reads the repetitions of a block: a number of them, or all up to its end.
fn read_repetitions(
    body: &mut [Node],
    rest: RemainingRepetitions<'_>,
    reader: &mut Reader,
    sample: &Sample,
    fields: &mut Vec<Observation>,
) -> bool {
    let RemainingRepetitions { count, times, is_separated, mut has_first } = rest;
    let mut read_next = |reader: &mut Reader| {
        let separated = !(is_separated && has_first) || read_empty_line(reader, sample);
        has_first = true;
        separated && read_nodes(body, reader, sample, fields)
    };
    if let Some(times) = times {
        let left = sample.lines.len().saturating_sub(reader.line);
        let is_possible = usize::try_from(times).is_ok_and(|times| times <= left);
        return is_possible && (0..times).all(|_| read_next(reader));
    }
    while reader.line < sample.lines.len() {
        let before = reader.line;
        if matches!(count, Count::UntilLine(end) if sample.lines[reader.line] == *end) {
            break;
        }
        // A repetition without a line would be repeated for ever.
        if !read_next(reader) || reader.line == before {
            return false;
        }
    }
    read_end(count, reader, sample)
}

fn read_empty_line(reader: &mut Reader, sample: &Sample) -> bool {
    reader.line += 1;
    sample.lines.get(reader.line - 1).is_some_and(Vec::is_empty)
}

/// Reads the line that ends a block, if it has one.
fn read_end(count: &Count, reader: &mut Reader, sample: &Sample) -> bool {
    match count {
        Count::Times(_) => true,
        Count::UntilEof => reader.line == sample.lines.len(),
        Count::UntilLine(end) => {
            let is_end = sample.lines.get(reader.line) == Some(end);
            reader.line += 1;
            is_end
        }
    }
}

fn read_line(parts: &[Part], line: &[String], values: &mut Vec<Option<i128>>, fields: &mut [Observation]) -> bool {
    let mut at = 0;
    for part in parts {
        let rest = &line[at..];
        let length = |size: &Size, values: &[Option<i128>]| {
            let number = size.evaluate_size(values).and_then(|number| usize::try_from(number).ok());
            number.filter(|number| *number <= 1 << 24)
        };
        match part {
            Part::Token(field) | Part::Text(field, _) => {
                let Some(token) = rest.first() else { return false };
                if let Part::Text(_, size) = part
                    && length(size, values) != Some(token.chars().count())
                {
                    return false;
                }
                fields[*field].add_token(token);
                values.resize(values.len().max(field + 1), None);
                values[*field] = parse_integer(token);
                at += 1;
            }
            Part::Array(field, size) => {
                let Some(tokens) = length(size, values).and_then(|number| rest.get(..number)) else { return false };
                tokens.iter().for_each(|token| fields[*field].add_token(token));
                at += tokens.len();
            }
            Part::List(field) => {
                rest.iter().for_each(|token| fields[*field].add_token(token));
                fields[*field].add_list_length(rest.len());
                at = line.len();
            }
            Part::Phrase(field) => {
                fields[*field].add_token(&rest.join(" "));
                at = line.len();
            }
        }
    }
    at == line.len()
}

/// Reads a line that begins with a tag, and adds a form for a new tag.
fn read_tagged_line(forms: &mut Vec<TagForm>, line: &[String], fields: &mut Vec<Observation>) -> bool {
    /// Maximum number of forms.
    const MAX_FORMS: usize = 10;
    let Some((tag, tokens)) = line.split_first() else { return false };
    if forms.iter().all(|form| form.tag != *tag) {
        if forms.len() == MAX_FORMS {
            return false;
        }
        let first = fields.len();
        fields.resize_with(first + tokens.len(), Observation::default);
        forms.push(TagForm { tag: tag.clone(), fields: (first..first + tokens.len()).collect() });
    }
    let Some(form) = forms.iter().find(|form| form.tag == *tag) else { return false };
    if form.fields.len() != tokens.len() {
        return false;
    }
    form.fields.iter().zip(tokens).for_each(|(field, token)| fields[*field].add_token(token));
    true
}
