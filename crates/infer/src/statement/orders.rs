//! Reads how elements compare with each other: `x_1 < x_2 < ... < x_n`, `a_i <= a_{i+1}`, `(u_i, v_i) != (u_j, v_j)`.

use super::chains::field_name;
use super::tokens::Token;

/// The order that a statement gives the elements of a sequence, or that they differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StatedOrder {
    /// The name of the sequence, or those of several that have their elements side by side.
    pub(crate) names: Vec<String>,
    /// The predicate of a format for it, such as `increasing`.
    pub(crate) predicate: &'static str,
}

/// Returns the orders of elements, and the tokens with one element in place of each order: `1 <= x_1 < ... < x_n <= 9` has
/// the bounds of all elements.
pub(super) fn join_orders(tokens: &[Token]) -> (Vec<Token>, Vec<StatedOrder>) {
    let mut joined = Vec::with_capacity(tokens.len());
    let mut orders: Vec<StatedOrder> = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if let Some((mut elements, mut length)) = distinct_at(&tokens[at..]) {
            // Of `a_i != a_j or b_i != b_j`, the pairs are distinct.
            while let Some([Token::Word(word), rest @ ..]) = tokens.get(at + length..)
                && matches!(word.as_str(), "or" | "または" | "或")
                && let Some((others, more)) = distinct_at(rest)
            {
                elements.extend(others);
                length += 1 + more;
            }
            let names = elements.iter().map(|(name, subscript)| field_name(name, Some(subscript), tokens).0).collect();
            orders.push(StatedOrder { names, predicate: "distinct" });
            at += length;
            continue;
        }
        let (Some((predicate, length)), Token::Name { name, subscript }) = (order_at(&tokens[at..]), token) else {
            joined.push(token.clone());
            at += 1;
            continue;
        };
        let (field, _) = field_name(name, subscript.as_deref(), tokens);
        orders.push(StatedOrder { names: vec![field], predicate });
        joined.push(Token::Name { name: name.clone(), subscript: Some("i".to_owned()) });
        at += length;
    }
    orders.dedup();
    (joined, orders)
}

/// Returns the order that some tokens begin with, as a predicate, and its length.
fn order_at(tokens: &[Token]) -> Option<(&'static str, usize)> {
    let [token, Token::Comparison(sign), rest @ ..] = tokens else { return None };
    let (name, first) = token.element()?;
    let predicate = match *sign {
        "<" => "increasing",
        "<=" => "nondecreasing",
        ">" => "decreasing",
        ">=" => "nonincreasing",
        _ => return None,
    };
    let is_element = |token: &Token| token.element().is_some_and(|(other, _)| other == name);
    let is_next = |token: &Token| {
        is_element(token) && token.element().is_some_and(|(_, next)| next.replace(' ', "") == format!("{first}+1"))
    };
    if rest.first().is_some_and(is_next) {
        return Some((predicate, 3));
    }
    // Each element after the first has the same sign before it.
    let mut length = 1;
    let mut has_dots = false;
    while let [Token::Comparison(other), next, ..] = &tokens[length..] {
        if other != sign || !(is_element(next) || *next == Token::Dots) {
            break;
        }
        has_dots |= *next == Token::Dots;
        length += 2;
    }
    let ends_with_element = tokens.get(length - 1).is_some_and(is_element);
    (has_dots && ends_with_element).then_some((predicate, length))
}

/// Returns the elements that differ at different places, with the number of their tokens: `a_i != a_j`, `(u_i, v_i) != (u_j,
/// v_j)`.
fn distinct_at(tokens: &[Token]) -> Option<(Vec<(&str, &str)>, usize)> {
    let (elements, after) = elements_at(tokens)?;
    let (others, length) = elements_at(tokens.get(after + 1..)?)?;
    let is_other = |((name, subscript), (other, other_subscript)): (&(&str, &str), &(&str, &str))| {
        name == other && subscript != other_subscript && !subscript.bytes().any(|byte| byte.is_ascii_digit())
    };
    let are_same = elements.len() == others.len() && elements.iter().zip(&others).all(is_other);
    (tokens[after] == Token::Comparison("!=") && are_same).then_some((elements, after + 1 + length))
}

/// Returns an element, or several in parentheses, with the number of their tokens.
fn elements_at(tokens: &[Token]) -> Option<(Vec<(&str, &str)>, usize)> {
    /// Maximum number of elements in parentheses.
    const MAX_ELEMENTS: usize = 4;
    let first = tokens.first()?;
    if *first != Token::Sign('(') {
        return Some((vec![first.element()?], 1));
    }
    let mut elements = Vec::new();
    let mut at = 1;
    while elements.len() < MAX_ELEMENTS {
        elements.push(tokens.get(at)?.element()?);
        match tokens.get(at + 1)? {
            Token::Sign(',') => at += 2,
            Token::Sign(')') => return Some((elements, at + 2)),
            _ => return None,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::Statement;
    use super::super::tests::spelled_chains;

    #[test]
    fn orders_are_read_with_their_bounds() {
        let cases = [
            ("$1 \\le x_1 < x_2 < \\dots < x_n \\le 9$", "increasing(x)", "1 <= x <= 9"),
            ("$a_1 \\ge a_2 \\ge \\ldots \\ge a_n$", "nonincreasing(a)", ""),
            ("$0 \\le t_i \\le t_{i+1} \\le 7$", "nondecreasing(t)", "0 <= t <= 7"),
            ("$1 \\le l_i < r_i \\le n$", "", "1 <= l < r <= n"),
            ("$1 \\le a_i \\le 9$, $a_i \\ne a_j$ if $i \\ne j$", "distinct(a)", "1 <= a <= 9; i != j"),
            ("$(u_i, v_i) \\neq (u_j, v_j)$", "distinct(u, v)", ""),
            ("$u_i \\ne v_i$", "", "u != v"),
            ("$x_1 < x_2 \\le 5$", "", "x1 < x2 <= 5"),
        ];
        for (text, order, chain) in cases {
            let statement = Statement::parse(text);
            let orders =
                statement.orders.iter().map(|order| format!("{}({})", order.predicate, order.names.join(", ")));
            assert_eq!(orders.collect::<Vec<_>>().join(", "), order, "{text}");
            assert_eq!(spelled_chains(statement.chains).join("; "), chain, "{text}");
        }
    }
}
