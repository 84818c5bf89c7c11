//! Pieces of C++ expressions.

use rebut_format::language::ComparisonOperator;

/// An expression, and when it has a value.
#[derive(Clone, Debug, Default)]
pub(super) struct Code {
    pub(super) text: String,
    pub(super) kind: ValueKind,
    /// How loosely the text holds together, which decides where it needs parentheses.
    pub(super) binding: Binding,
    /// Conditions without which it has no value, in the order in which they may be evaluated.
    pub(super) guards: Vec<String>,
    /// Conditions under which it is the minimum or maximum of nothing; a comparison with it holds then.
    pub(super) empty: Vec<String>,
    /// Conditions under which a part of it is absent; a comparison with it is void then.
    pub(super) absent: Vec<Absence>,
}

/// A condition under which an element is absent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Absence {
    pub(super) condition: String,
    /// The innermost quantifier variable in its indices.
    pub(super) variable: Option<usize>,
}

impl Absence {
    pub(super) fn operand(&self) -> String {
        if self.condition.contains(' ') { format!("({})", self.condition) } else { self.condition.clone() }
    }

    /// Returns the condition that the element is present.
    pub(super) fn negated(&self) -> String {
        match self.condition.strip_prefix('!') {
            Some(plain) if !plain.contains(' ') => plain.to_owned(),
            _ => format!("!{}", self.operand()),
        }
    }
}

/// How loosely an expression holds together, tightest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Binding {
    #[default]
    Atom,
    Product,
    Sum,
    Comparison,
    And,
    Or,
}

/// The type of an expression.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ValueKind {
    #[default]
    Number,
    Letter,
    Word,
}

impl Code {
    /// Creates an expression that needs no parentheses and always has a value.
    pub(super) fn from_text(text: impl Into<String>) -> Code {
        Code { text: text.into(), ..Code::default() }
    }

    /// Returns the text, in parentheses if it binds more loosely than `most`.
    pub(super) fn text_within(&self, most: Binding) -> String {
        if self.binding > most { format!("({})", self.text) } else { self.text.clone() }
    }

    /// Returns the text as an operand of any operator.
    pub(super) fn operand(&self) -> String {
        self.text_within(Binding::Atom)
    }

    /// Takes over the conditions of a part.
    pub(super) fn add_conditions(&mut self, part: &Code) {
        part.guards.iter().for_each(|condition| push_new(&mut self.guards, condition));
        part.empty.iter().for_each(|condition| push_new(&mut self.empty, condition));
        part.absent.iter().for_each(|absence| push_new(&mut self.absent, absence));
    }

    /// Returns the same conditions with another text.
    pub(super) fn with_text(mut self, text: impl Into<String>) -> Code {
        self.text = text.into();
        self.binding = Binding::Atom;
        self
    }

    /// Creates an operation on two expressions.
    pub(super) fn from_operation(left: &Code, sign: &str, right: &Code) -> Code {
        let (binding, on_the_right) = match sign {
            "*" | "/" | "%" => (Binding::Product, Binding::Atom),
            "+" => (Binding::Sum, Binding::Sum),
            "-" => (Binding::Sum, Binding::Product),
            _ => (Binding::Comparison, Binding::Sum),
        };
        let on_the_left = if binding == Binding::Comparison { Binding::Sum } else { binding };
        let text = format!("{} {sign} {}", left.text_within(on_the_left), right.text_within(on_the_right));
        let mut code = Code { text, binding, ..Code::default() };
        code.add_conditions(left);
        code.add_conditions(right);
        code
    }

    /// Creates a call of a function.
    pub(super) fn from_call(name: &str, arguments: &[&Code]) -> Code {
        let texts: Vec<&str> = arguments.iter().map(|argument| &*argument.text).collect();
        let mut code = Code::from_text(format!("{name}({})", texts.join(", ")));
        arguments.iter().for_each(|argument| code.add_conditions(argument));
        code
    }

    /// Returns the condition that a comparison with this text holds. Where a part is absent it is `void_is`, but false if
    /// the variable of the part is `skipped`.
    pub(super) fn to_condition(&self, void_is: bool, skipped: Option<usize>) -> Code {
        let mut code = Code { text: self.text.clone(), binding: self.binding, ..Code::default() };
        let join = |parts: Vec<String>, code: &Code, binding: Binding, sign: &str| {
            let own = code.text_within(if binding == Binding::And { Binding::And } else { Binding::Comparison });
            let text = parts.into_iter().chain([own]).collect::<Vec<_>>().join(sign);
            Code { text, binding, ..Code::default() }
        };
        if !self.empty.is_empty() {
            code = join(self.empty.clone(), &code, Binding::Or, " || ");
        }
        if !self.guards.is_empty() {
            code = join(self.guards.clone(), &code, Binding::And, " && ");
        }
        let is_skipped = |absence: &&Absence| !void_is || skipped.is_some() && absence.variable == skipped;
        let (skipped, others): (Vec<&Absence>, Vec<&Absence>) = self.absent.iter().partition(is_skipped);
        if !skipped.is_empty() {
            let parts = skipped.iter().map(|absence| absence.negated()).collect();
            code = join(parts, &code, Binding::And, " && ");
        }
        if !others.is_empty() {
            let parts = others.iter().map(|absence| absence.operand()).collect();
            code = join(parts, &code, Binding::Or, " || ");
        }
        code
    }
}

/// Adds a condition that is not among the known ones.
pub(super) fn push_new<T: Clone + PartialEq>(conditions: &mut Vec<T>, condition: &T) {
    if !conditions.contains(condition) {
        conditions.push(condition.clone());
    }
}

pub(super) fn cpp_sign(sign: ComparisonOperator) -> &'static str {
    match sign {
        ComparisonOperator::Equal => "==",
        other => other.as_str(),
    }
}

/// Returns the function object of the library for an operator.
pub(super) fn cpp_functor(sign: ComparisonOperator) -> &'static str {
    match sign {
        ComparisonOperator::Less => "less<>()",
        ComparisonOperator::LessEqual => "less_equal<>()",
        ComparisonOperator::Greater => "greater<>()",
        ComparisonOperator::GreaterEqual => "greater_equal<>()",
        ComparisonOperator::Equal => "equal_to<>()",
        ComparisonOperator::NotEqual => "not_equal_to<>()",
    }
}

pub(super) fn number_literal(number: i128) -> String {
    match i64::try_from(number) {
        Ok(i64::MIN) => "LLONG_MIN".to_owned(),
        Ok(small) if i32::try_from(small).is_ok() => small.to_string(),
        Ok(long) => format!("{long}LL"),
        Err(_) => format!("parseBig(\"{number}\")"),
    }
}

/// Returns the literal of a number as a `long long`, or more.
pub(super) fn long_literal(number: i128) -> String {
    let literal = number_literal(number);
    if i32::try_from(number).is_ok() { literal + "LL" } else { literal }
}

pub(super) fn text_literal(text: &[u8]) -> String {
    let escaped: String = text.iter().map(|byte| escape_byte(*byte, '"')).collect();
    format!("\"{escaped}\"")
}

pub(super) fn letter_literal(letter: u8) -> String {
    format!("'{}'", escape_byte(letter, '\''))
}

fn escape_byte(byte: u8, quote: char) -> String {
    match char::from(byte) {
        c @ ('\\' | '?') => format!("\\{c}"),
        c if c == quote => format!("\\{c}"),
        c if c == ' ' || c.is_ascii_graphic() => c.to_string(),
        // Octal, because more digits may follow a hexadecimal escape.
        _ => format!("\\{byte:03o}"),
    }
}
