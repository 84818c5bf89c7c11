//! Reads the order of elements: `x_1 < x_2 < ... < x_n`, `a_i <= a_{i+1}`.

use super::chains::field_name;
use super::tokens::Token;

/// The order that a statement gives the elements of a sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StatedOrder {
    pub(crate) name: String,
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
        let (Some((predicate, length)), Token::Name { name, subscript }) = (order_at(&tokens[at..]), token) else {
            joined.push(token.clone());
            at += 1;
            continue;
        };
        let (field, _) = field_name(name, subscript.as_deref(), tokens);
        orders.push(StatedOrder { name: field, predicate });
        joined.push(Token::Name { name: name.clone(), subscript: Some("i".to_owned()) });
        at += length;
    }
    orders.dedup();
    (joined, orders)
}

/// Returns the order that some tokens begin with, as a predicate, and its length.
fn order_at(tokens: &[Token]) -> Option<(&'static str, usize)> {
    let [Token::Name { name, subscript: Some(first) }, Token::Comparison(sign), rest @ ..] = tokens else {
        return None;
    };
    let predicate = match *sign {
        "<" => "increasing",
        "<=" => "nondecreasing",
        ">" => "decreasing",
        ">=" => "nonincreasing",
        _ => return None,
    };
    let is_element = |token: &Token| matches!(token, Token::Name { name: other, subscript: Some(_) } if other == name);
    let is_next = |token: &Token| match token {
        Token::Name { subscript: Some(next), .. } => is_element(token) && next.replace(' ', "") == format!("{first}+1"),
        _ => false,
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

#[cfg(test)]
mod tests {
    use super::super::Statement;

    #[test]
    fn orders_are_read_with_their_bounds() {
        let cases = [
            ("$1 \\le x_1 < x_2 < \\dots < x_n \\le 9$", "increasing(x)", "1 <= x <= 9"),
            ("$a_1 \\ge a_2 \\ge \\ldots \\ge a_n$", "nonincreasing(a)", ""),
            ("$0 \\le t_i \\le t_{i+1} \\le 7$", "nondecreasing(t)", "0 <= t <= 7"),
            ("$1 \\le l_i < r_i \\le n$", "", "1 <= l < r <= n"),
            ("$x_1 < x_2 \\le 5$", "", "x1 < x2 <= 5"),
        ];
        for (text, order, chain) in cases {
            let statement = Statement::parse(text);
            let orders = statement.orders.iter().map(|order| format!("{}({})", order.predicate, order.name));
            assert_eq!(orders.collect::<Vec<_>>().join(", "), order, "{text}");
            let rules = statement.chains.into_iter().map(rebut_format::syntax::SyntaxRule::Chain).collect();
            let tree = rebut_format::syntax::SyntaxTree { layout: Vec::new(), rules };
            let chains: Vec<String> = tree.to_string().lines().skip(1).map(|line| line.trim().to_owned()).collect();
            assert_eq!(chains.join("; "), chain, "{text}");
        }
    }
}
