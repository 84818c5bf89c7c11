//! The grammars of the languages as the operators see them: the kinds of nodes of its grammar, and the words of a mutant.

use tree_sitter::Language;

/// A language of programs that can be mutated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceLanguage {
    /// C++.
    Cpp,
    /// Java.
    Java,
    /// Python.
    Python,
    /// Rust.
    Rust,
}

impl SourceLanguage {
    /// Returns the language with this name: `C++`, `Java`, `Python` or `Rust`.
    pub fn from_name(name: &str) -> Option<SourceLanguage> {
        Some(match name {
            "C++" => SourceLanguage::Cpp,
            "Java" => SourceLanguage::Java,
            "Python" => SourceLanguage::Python,
            "Rust" => SourceLanguage::Rust,
            _ => return None,
        })
    }

    /// Returns true if many mutants can share one program. In Python that saves nothing, since nothing is compiled, and
    /// every choice costs as much as a statement.
    pub fn has_schema(self) -> bool {
        self != SourceLanguage::Python
    }

    pub(super) fn grammar(self) -> Language {
        match self {
            SourceLanguage::Cpp => tree_sitter_cpp::LANGUAGE.into(),
            SourceLanguage::Java => tree_sitter_java::LANGUAGE.into(),
            SourceLanguage::Python => tree_sitter_python::LANGUAGE.into(),
            SourceLanguage::Rust => tree_sitter_rust::LANGUAGE.into(),
        }
    }

    /// Returns the names of the grammar.
    pub(super) fn dialect(self) -> &'static Dialect {
        match self {
            SourceLanguage::Cpp => &CPP,
            SourceLanguage::Java => &JAVA,
            SourceLanguage::Python => &PYTHON,
            SourceLanguage::Rust => &RUST,
        }
    }
}

/// The kinds of nodes of a grammar, by what the operators do with them, and words of the language.
pub(super) struct Dialect {
    /// Whole numbers.
    pub(super) integers: &'static [&'static str],
    /// Other numbers. In C++ they are of the same kind.
    pub(super) reals: &'static [&'static str],
    /// Expressions with the fields `left`, `operator` and `right`.
    pub(super) binary: &'static [&'static str],
    /// Assignments with the same fields.
    pub(super) assignments: &'static [&'static str],
    /// Statements with the field `condition` that are executed if it holds.
    pub(super) guards: &'static [&'static str],
    pub(super) loops: &'static [&'static str],
    /// Loops with the field `condition`, which compares an index with a bound.
    pub(super) counting_loops: &'static [&'static str],
    /// `break` and `continue`.
    pub(super) jumps: [&'static str; 2],
    pub(super) block: &'static str,
    pub(super) lists: &'static [&'static str],
    /// Calls with the fields that [`Dialect::callee`] and `arguments` name.
    pub(super) call: &'static str,
    /// The field with the name of a called function.
    pub(super) callee: &'static str,
    /// Functions without names.
    pub(super) lambda: &'static str,
    /// Nodes whose content the compiler has to know.
    pub(super) constants: &'static [&'static str],
    /// Nodes that are left out, with everything in them, by the beginnings of their kinds.
    pub(super) skipped: &'static [&'static str],
    /// Nodes at the end of which the names declared in them end.
    pub(super) scopes: &'static [&'static str],
    pub(super) truths: [&'static str; 2],
    /// The words for "and" and "or".
    pub(super) connectives: [&'static str; 2],
    /// A statement that does nothing.
    pub(super) empty_statement: &'static str,
    /// The beginning of a comment up to the end of the line.
    pub(super) line_comment: &'static str,
}

static CPP: Dialect = Dialect {
    integers: &["number_literal"],
    reals: &[],
    binary: &["binary_expression"],
    assignments: &["assignment_expression"],
    guards: &["if_statement"],
    loops: &["for_statement", "for_range_loop", "while_statement", "do_statement"],
    counting_loops: &["for_statement"],
    jumps: ["break_statement", "continue_statement"],
    block: "compound_statement",
    lists: &["initializer_list"],
    call: "call_expression",
    callee: "function",
    lambda: "lambda_expression",
    constants: &[
        "bitfield_clause",
        "enumerator",
        "field_declaration",
        "new_declarator",
        "static_assert_declaration",
        "template_argument_list",
        "template_parameter_list",
    ],
    skipped: &["preproc_"],
    scopes: &[
        "compound_statement",
        "for_statement",
        "for_range_loop",
        "function_definition",
        "lambda_expression",
        "translation_unit",
    ],
    truths: ["true", "false"],
    connectives: ["&&", "||"],
    empty_statement: "{}",
    line_comment: "//",
};

static JAVA: Dialect = Dialect {
    integers: &["decimal_integer_literal"],
    reals: &["decimal_floating_point_literal"],
    binary: &["binary_expression"],
    assignments: &["assignment_expression"],
    guards: &["if_statement"],
    loops: &["for_statement", "enhanced_for_statement", "while_statement", "do_statement"],
    counting_loops: &["for_statement"],
    jumps: ["break_statement", "continue_statement"],
    block: "block",
    lists: &["array_initializer"],
    call: "method_invocation",
    callee: "name",
    lambda: "lambda_expression",
    // Fields can be initialized before the arguments of the program are known.
    constants: &["switch_label", "enum_constant", "annotation", "field_declaration", "static_initializer"],
    skipped: &["annotation", "marker_annotation", "import_declaration", "package_declaration"],
    scopes: &[
        "block",
        "for_statement",
        "enhanced_for_statement",
        "method_declaration",
        "constructor_declaration",
        "lambda_expression",
        "class_body",
        "program",
    ],
    truths: ["true", "false"],
    connectives: ["&&", "||"],
    empty_statement: "{}",
    line_comment: "//",
};

static PYTHON: Dialect = Dialect {
    integers: &["integer"],
    reals: &["float"],
    binary: &["binary_operator", "boolean_operator"],
    assignments: &["augmented_assignment"],
    guards: &["if_statement", "elif_clause"],
    loops: &["for_statement", "while_statement"],
    counting_loops: &["while_statement"],
    jumps: ["break_statement", "continue_statement"],
    block: "block",
    lists: &["list", "tuple"],
    call: "call",
    callee: "function",
    lambda: "lambda",
    constants: &[],
    skipped: &["import_", "type", "string"],
    scopes: &["function_definition", "lambda", "list_comprehension", "generator_expression", "module"],
    truths: ["True", "False"],
    connectives: ["and", "or"],
    empty_statement: "pass",
    line_comment: "#",
};

static RUST: Dialect = Dialect {
    integers: &["integer_literal"],
    reals: &["float_literal"],
    binary: &["binary_expression"],
    assignments: &["compound_assignment_expr"],
    guards: &["if_expression"],
    loops: &["for_expression", "while_expression", "loop_expression"],
    counting_loops: &["while_expression"],
    jumps: ["break_expression", "continue_expression"],
    block: "block",
    lists: &["array_expression"],
    call: "call_expression",
    callee: "function",
    lambda: "closure_expression",
    constants: &["array_type", "const_item", "static_item", "enum_variant", "match_pattern", "type_arguments"],
    skipped: &["attribute_item", "inner_attribute_item", "use_declaration", "macro_definition"],
    scopes: &["block", "for_expression", "closure_expression", "function_item", "match_arm", "source_file"],
    truths: ["true", "false"],
    connectives: ["&&", "||"],
    empty_statement: "{}",
    line_comment: "//",
};
