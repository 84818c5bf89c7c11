//! A layout in the making, and how far each sample was read by it.
//!
//! All samples are read at the same time. In a block that is still open, a sample is in its first repetition; when the
//! block is closed, the body so far reads the other repetitions.

use crate::cost::{Observation, observation_cost};
use crate::layout::{Count, FieldIndex, Node, Part, Size, TagForm, size_fields};
use crate::sample::{Sample, parse_integer};

/// How far a sample was read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reader {
    /// The line that is read next.
    pub(crate) line: usize,
    /// The numbers of the current repetitions, by field.
    pub(crate) values: Vec<Option<i128>>,
    /// The numbers of repetitions of the open blocks; `None` if the input ends them.
    counts: Vec<Option<usize>>,
    /// The depth of the outermost open block that this sample has no repetition of.
    skipped_from: Option<usize>,
}

impl Reader {
    /// Returns the number of repetitions of a block, `Some(None)` if the input ends it, unless there cannot be as many.
    fn repetitions(&self, count: &Count, sample: &Sample) -> Option<Option<usize>> {
        match count {
            Count::Times(size) => {
                let number = size.evaluate_size(&self.values).and_then(|number| usize::try_from(number).ok())?;
                (number <= sample.lines.len().saturating_sub(self.line)).then_some(Some(number))
            }
            Count::UntilEof | Count::UntilLine(_) => Some(None),
        }
    }

    /// Returns true if no repetition of a block follows.
    fn is_at_end(&self, count: &Count, times: Option<usize>, sample: &Sample) -> bool {
        let next = sample.lines.get(self.line);
        match count {
            Count::Times(_) => times == Some(0),
            Count::UntilEof => next.is_none(),
            Count::UntilLine(end) => next.is_none_or(|line| line == end),
        }
    }

    /// Reads the line that ends a block, if it has one.
    fn read_end(&mut self, count: &Count, sample: &Sample) -> bool {
        match count {
            Count::Times(_) => true,
            Count::UntilEof => self.line == sample.lines.len(),
            Count::UntilLine(end) => {
                self.line += 1;
                sample.lines.get(self.line - 1) == Some(end)
            }
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct OpenBlock {
    pub(crate) count: Count,
    pub(crate) body: Vec<Node>,
    /// The first field of the body.
    first_field: FieldIndex,
}

/// A layout in the making.
#[derive(Clone, Debug, Default)]
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
        SearchState { readers: vec![Reader::default(); samples.len()], ..SearchState::default() }
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
        bodies.chain([&self.nodes]).map(|nodes| observation_cost(nodes, &self.fields, false)).sum()
    }

    /// Returns true if everything was read.
    pub(crate) fn is_complete(&self, samples: &[Sample]) -> bool {
        self.open.is_empty()
            && self.readers.iter().zip(samples).all(|(reader, sample)| reader.line == sample.lines.len())
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
            let mut nodes = NodeReader { reader, sample, fields: &mut self.fields };
            if nodes.reader.skipped_from.is_none() && !nodes.read_node(&mut node) {
                return false;
            }
        }
        self.used.extend(size_fields(std::slice::from_ref(&node)));
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
    pub(crate) fn open_block(&mut self, count: Count, samples: &[Sample]) -> bool {
        let depth = self.open.len();
        let mut has_repetition = false;
        for (reader, sample) in self.readers.iter_mut().zip(samples) {
            if reader.skipped_from.is_some() {
                reader.counts.push(Some(0));
                continue;
            }
            let Some(times) = reader.repetitions(&count, sample) else { return false };
            let is_over = reader.is_at_end(&count, times, sample);
            has_repetition |= !is_over;
            reader.counts.push(times);
            if is_over {
                reader.skipped_from = Some(depth);
            }
        }
        if let Count::Times(size) = &count {
            self.used.extend(size.field());
        }
        self.open.push(OpenBlock { count, body: Vec::new(), first_field: self.fields.len() });
        has_repetition
    }

    /// Closes the innermost open block: its other repetitions are read. Returns false if they do not fit.
    pub(crate) fn close_block(&mut self, samples: &[Sample]) -> bool {
        let Some(mut block) = self.open.pop() else { return false };
        let depth = self.open.len();
        for (reader, sample) in self.readers.iter_mut().zip(samples) {
            let times = reader.counts.pop().flatten();
            if reader.skipped_from.is_none() {
                let times = times.map(|times| times - 1);
                let mut nodes = NodeReader { reader, sample, fields: &mut self.fields };
                if !nodes.read_repetitions(&mut block.body, &block.count, times) {
                    return false;
                }
            } else if reader.skipped_from == Some(depth) {
                reader.skipped_from = None;
                if !reader.read_end(&block.count, sample) {
                    return false;
                }
            }
        }
        self.in_scope.retain(|field| *field < block.first_field);
        let node = Node::Block { count: block.count, body: block.body };
        self.body_mut().push(node);
        true
    }
}

/// Reads nodes in a sample.
struct NodeReader<'r> {
    reader: &'r mut Reader,
    sample: &'r Sample,
    fields: &'r mut Vec<Observation>,
}

impl<'r> NodeReader<'r> {
    fn next_line(&mut self) -> Option<&'r [String]> {
        let line = self.sample.lines.get(self.reader.line)?;
        self.reader.line += 1;
        Some(line)
    }

    fn read_node(&mut self, node: &mut Node) -> bool {
        match node {
            Node::Line(parts) => self.next_line().is_some_and(|line| self.read_line(parts, line)),
            Node::Either(forms) => self.next_line().is_some_and(|line| self.read_tagged_line(forms, line)),
            Node::Block { count, body } => {
                let times = self.reader.repetitions(count, self.sample);
                times.is_some_and(|times| self.read_repetitions(body, count, times))
            }
        }
    }

    /// Reads the repetitions of a block: a number of them, or all up to its end.
    fn read_repetitions(&mut self, body: &mut [Node], count: &Count, mut times: Option<usize>) -> bool {
        while !self.reader.is_at_end(count, times, self.sample) {
            let before = self.reader.line;
            let is_read = body.iter_mut().all(|node| self.read_node(node));
            // A repetition without a line would be repeated for ever.
            if !is_read || times.is_none() && self.reader.line == before {
                return false;
            }
            times = times.map(|times| times - 1);
        }
        self.reader.read_end(count, self.sample)
    }

    fn read_line(&mut self, parts: &[Part], line: &[String]) -> bool {
        let values = &mut self.reader.values;
        let mut at = 0;
        for part in parts {
            let rest = &line[at..];
            let length = |size: &Size, values: &[Option<i128>]| {
                size.evaluate_size(values).and_then(|number| usize::try_from(number).ok())
            };
            let observed = &mut self.fields[part.field()];
            match part {
                Part::Token(_) | Part::Text(..) => {
                    let Some(token) = rest.first() else { return false };
                    if part.size().is_some_and(|size| length(size, values) != Some(token.chars().count())) {
                        return false;
                    }
                    observed.add_token(token);
                    values.resize(values.len().max(part.field() + 1), None);
                    values[part.field()] = parse_integer(token);
                    at += 1;
                }
                Part::Array(_, size) => {
                    let Some(tokens) = length(size, values).and_then(|number| rest.get(..number)) else { return false };
                    tokens.iter().for_each(|token| observed.add_token(token));
                    at += tokens.len();
                }
                Part::List(_) => {
                    rest.iter().for_each(|token| observed.add_token(token));
                    observed.add_list_length(rest.len());
                    at = line.len();
                }
                Part::Phrase(_) => {
                    observed.add_token(&rest.join(" "));
                    at = line.len();
                }
            }
        }
        at == line.len()
    }

    /// Reads a line that begins with a tag, and adds a form for a new tag.
    fn read_tagged_line(&mut self, forms: &mut Vec<TagForm>, line: &[String]) -> bool {
        /// Maximum number of forms.
        const MAX_FORMS: usize = 10;
        let Some((tag, tokens)) = line.split_first() else { return false };
        let place = forms.partition_point(|form| (form.tag.len(), &form.tag) < (tag.len(), tag));
        if forms.get(place).is_none_or(|form| form.tag != *tag) {
            let first = self.fields.len();
            self.fields.resize_with(first + tokens.len(), Observation::default);
            forms.insert(
                place,
                TagForm { tag: tag.clone(), parts: (first..self.fields.len()).map(Part::Token).collect() },
            );
        }
        let parts = &forms[place].parts;
        parts.iter().zip(tokens).for_each(|(part, token)| self.fields[part.field()].add_token(token));
        parts.len() == tokens.len() && forms.len() <= MAX_FORMS
    }
}
