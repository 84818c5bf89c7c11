//! The names that are known while a format is resolved, and the format so far.

use crate::language::syntax::{SyntaxTerm, SyntaxTermKind};
use crate::model::{BlockId, BlockKind, FieldId, Format};
use rebut_diagnostics::{Diagnostic, Span, suggestion_for};
use std::cell::{Cell, RefCell};

/// The names that are known while a format is resolved, and the format so far.
pub(super) struct NameScope {
    /// The format so far.
    pub(super) format: Format,
    pub(super) constants: Vec<NamedConstant>,
    /// Variables of the enclosing quantifiers, outermost first.
    pub(super) variables: Vec<String>,
    /// For each variable, the repeated text that determines, by its length, the end of the range, if any.
    pub(super) counted_letters: Vec<Option<FieldId>>,
    /// The currently chosen alternatives, for names shared by several.
    pub(super) chosen_alternatives: RefCell<Vec<BlockId>>,
}

pub(super) struct NamedConstant {
    pub(super) name: String,
    pub(super) value: i128,
    pub(super) decimals: u32,
    pub(super) span: Span,
    pub(super) is_used: Cell<bool>,
}

impl NameScope {
    /// Creates the scope of a format of which nothing is resolved yet.
    pub(super) fn new(format: Format) -> Self {
        NameScope {
            format,
            constants: Vec::new(),
            variables: Vec::new(),
            counted_letters: Vec::new(),
            chosen_alternatives: RefCell::new(Vec::new()),
        }
    }
}

/// Returns the fields of a name; there are several if alternatives share the name.
pub(super) fn fields_named(scope: &NameScope, name: &str) -> Vec<FieldId> {
    let named = |id: &FieldId| scope.format.field(*id).name == name;
    scope.format.field_ids().filter(named).collect()
}

/// Returns the field of a name; if alternatives share the name, the field of the chosen one.
pub(super) fn lookup_field(scope: &NameScope, name: &str) -> Option<FieldId> {
    let copies = fields_named(scope, name);
    let chosen = scope.chosen_alternatives.borrow();
    let is_chosen = |id: &&FieldId| chosen.contains(&scope.format.field(**id).block);
    copies.iter().find(is_chosen).or_else(|| copies.first()).copied()
}

pub(super) fn are_alternatives_of_one(scope: &NameScope, one: BlockId, other: BlockId) -> bool {
    let (a, b) = (scope.format.block(one), scope.format.block(other));
    let forms = a.kind == BlockKind::Alternative && b.kind == BlockKind::Alternative;
    one != other && forms && a.parent == b.parent && a.span == b.span
}

/// Returns the alternatives that contain all of the names, as far as these are declared in that `either`, or
/// `None` if no name is shared by alternatives of which none is chosen yet.
pub(super) fn unchosen_alternatives(scope: &NameScope, names: &[String]) -> Option<Vec<BlockId>> {
    let blocks = |name: &String| -> Vec<BlockId> {
        fields_named(scope, name).iter().map(|id| scope.format.field(*id).block).collect()
    };
    let chosen = scope.chosen_alternatives.borrow();
    let is_open = |blocks: &Vec<BlockId>| blocks.len() > 1 && !blocks.iter().any(|block| chosen.contains(block));
    let open = names.iter().map(blocks).find(is_open)?;
    let stands = |name: &String, form: BlockId| {
        let blocks = blocks(name);
        let beside = |block: &BlockId| {
            scope.format.blocks_around(*block).any(|around| are_alternatives_of_one(scope, around, form))
        };
        blocks.iter().any(|block| scope.format.is_within(*block, form)) || !blocks.iter().any(beside)
    };
    Some(open.into_iter().filter(|form| names.iter().all(|name| stands(name, *form))).collect())
}

/// Collects the names in a term that stand for a single field: not indexed, and not folded.
pub(super) fn collect_direct_names(scope: &NameScope, term: &SyntaxTerm, found: &mut Vec<String>) {
    match &term.kind {
        SyntaxTermKind::Name(name) => found.push(name.clone()),
        SyntaxTermKind::Element(name, indices) => {
            let by_number = lookup_field(scope, name).is_some_and(|field| {
                let rank = scope.format.field(field).dimensions.len();
                indices.len() > rank || scope.format.is_repeated_text(field)
            });
            if !by_number {
                found.push(name.clone());
            }
            indices.iter().for_each(|index| collect_direct_names(scope, index, found));
        }
        SyntaxTermKind::Slice(name, before, _, after) => {
            if is_slice_of_elements(scope, name, before.len() + after.len()) {
                found.push(name.clone());
            }
            term.parts().into_iter().for_each(|index| collect_direct_names(scope, index, found));
        }
        SyntaxTermKind::Call(name, arguments) => {
            let folds = match name.as_str() {
                "sum" | "count" => true,
                "min" | "max" | "gcd" | "xor" => arguments.len() == 1,
                _ => false,
            };
            let is_array =
                |term: &SyntaxTerm| matches!(term.kind, SyntaxTermKind::Slice(..)) || is_array_term(scope, term);
            let skipped = usize::from(folds && !arguments.first().is_some_and(is_array));
            arguments.iter().skip(skipped).for_each(|argument| collect_direct_names(scope, argument, found));
        }
        _ => term.parts().into_iter().for_each(|part| collect_direct_names(scope, part, found)),
    }
}

/// Returns true if the range of a slice counts the elements of a row, not the repetitions around a field.
fn is_slice_of_elements(scope: &NameScope, name: &str, other_indices: usize) -> bool {
    lookup_field(scope, name).is_some_and(|field| {
        let rank = scope.format.field(field).dimensions.len();
        other_indices < rank && !scope.format.is_repeated_text(field)
    })
}

/// Returns true if a term stands for several numbers or texts.
pub(super) fn is_array_term(scope: &NameScope, term: &SyntaxTerm) -> bool {
    match &term.kind {
        SyntaxTermKind::Name(name) => lookup_field(scope, name).is_some_and(|field| {
            let info = scope.format.field(field);
            info.dimensions.len() > usize::from(info.alphabet().is_some())
        }),
        SyntaxTermKind::Element(name, indices) => {
            lookup_field(scope, name).is_some_and(|field| indices.len() < scope.format.field(field).dimensions.len())
        }
        SyntaxTermKind::Call(name, _) if name != "abs" => false,
        SyntaxTermKind::Call(..) | SyntaxTermKind::Negate(_) | SyntaxTermKind::Binary(..) => {
            term.parts().into_iter().any(|part| is_array_term(scope, part))
        }
        _ => false,
    }
}

pub(super) fn unknown_name_error(scope: &NameScope, name: &str, span: Span) -> Diagnostic {
    let problem = Diagnostic::error("unknown-name", span, format!("there is no `{name}` in the layout"));
    let fields = scope.format.fields.iter().map(|f| f.name.as_str());
    let known = fields.chain(scope.constants.iter().map(|c| c.name.as_str()));
    let problem = problem.with_caret("not a field");
    let array = name.split_once('_').filter(|(array, _)| scope.format.field_named(array).is_some());
    match (array, suggestion_for(name, known)) {
        (Some((array, _)), _) => {
            problem.with_help(format!("a constraint on an array applies to each element: write `{array}`"))
        }
        (None, Some(help)) => problem.with_help(help),
        (None, None) => problem,
    }
}
