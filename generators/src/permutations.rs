//! Inversions and cycles: how many a sequence has, and changes after which it has as many as wanted.

/// Returns the number of pairs of which the first number is greater than the second.
pub fn count_inversions(numbers: &[i128]) -> i128 {
    inversion_codes(numbers).1.iter().sum()
}

/// Reorders numbers such that they have a number of inversions, or the nearest possible one.
///
/// Different numbers keep their order as far as possible: the inversions that are missing or in excess are shared among
/// all of them. Equal ones are sorted, but for the first part of them, where the inversions are.
pub fn reorder_to_inversions(numbers: &mut [i128], wanted: i128) {
    let (sorted, mut codes) = inversion_codes(numbers);
    let count = codes.len() as i128;
    let mut missing = wanted.saturating_sub(codes.iter().sum());
    let are_different = sorted.windows(2).all(|pair| pair[0] < pair[1]);
    // Number of inversions that each number can have more, or fewer, with the numbers after it.
    let slack = |at: i128, code: i128| if missing > 0 { count - 1 - at - code } else { code };
    let slacks: Vec<i128> = (0..).zip(&codes).map(|(at, code)| slack(at, *code)).collect();
    let (whole, mut rest) = (missing, slacks.iter().sum::<i128>());
    for (code, slack) in codes.iter_mut().zip(slacks).filter(|_| are_different && whole != 0) {
        let share = if rest == 0 { 0 } else { (missing * slack / rest).clamp(-slack, slack) };
        *code += share;
        missing -= share;
        rest -= slack;
    }
    let mut left = PositionSet::full(sorted.len());
    let mut owed = if are_different { 0 } else { wanted.max(0) };
    for (number, code) in numbers.iter_mut().zip(codes) {
        owed += if are_different { code } else { 0 };
        // The number with as many smaller ones left as possible, but no more than are owed.
        let rank = usize::try_from(owed).unwrap_or(usize::MAX).min(left.count - 1);
        let at = left.position(rank);
        let first = sorted.partition_point(|other| *other < sorted[at]);
        owed -= left.rank(first) as i128;
        *number = sorted[at];
        left.remove(at);
    }
}

/// Returns the sorted numbers, and for each number how many after it are smaller.
fn inversion_codes(numbers: &[i128]) -> (Vec<i128>, Vec<i128>) {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    let mut left = PositionSet::full(sorted.len());
    let codes = numbers.iter().map(|number| {
        let first = sorted.partition_point(|other| other < number);
        let rank = left.rank(first);
        // Of equal numbers, any may go.
        left.remove(left.position(rank));
        rank as i128
    });
    let codes = codes.collect();
    (sorted, codes)
}

/// A set of positions from which some were removed: a binary indexed tree.
struct PositionSet {
    /// Number of positions in the set.
    count: usize,
    /// Number of positions that each node covers.
    nodes: Vec<usize>,
}

impl PositionSet {
    /// Returns the set of all positions below `count`.
    fn full(count: usize) -> Self {
        PositionSet { count, nodes: (0..=count).map(|node| node & node.wrapping_neg()).collect() }
    }

    fn remove(&mut self, position: usize) {
        self.count -= 1;
        let mut node = position + 1;
        while let Some(covered) = self.nodes.get_mut(node) {
            *covered -= 1;
            node += node & node.wrapping_neg();
        }
    }

    /// Returns the number of positions in the set below this one.
    fn rank(&self, position: usize) -> usize {
        let (mut node, mut found) = (position, 0);
        while node > 0 {
            found += self.nodes[node];
            node &= node - 1;
        }
        found
    }

    /// Returns the position in the set with this many others below it.
    fn position(&self, mut rank: usize) -> usize {
        let mut node = 0;
        let mut step = self.nodes.len().next_power_of_two() / 2;
        while step > 0 {
            if self.nodes.get(node + step).is_some_and(|covered| *covered <= rank) {
                node += step;
                rank -= self.nodes[node];
            }
            step /= 2;
        }
        node
    }
}

/// Returns the cycles of a permutation of consecutive numbers, each as its positions in the order in which they follow each
/// other, or `None` if the numbers are no such permutation.
pub fn find_cycles(numbers: &[i128]) -> Option<Vec<Vec<usize>>> {
    let Some(least) = numbers.iter().min() else { return Some(Vec::new()) };
    let next = |at: usize| usize::try_from(numbers[at].checked_sub(*least)?).ok().filter(|next| *next < numbers.len());
    let mut seen = vec![false; numbers.len()];
    let mut cycles = Vec::new();
    for first in 0..numbers.len() {
        let (mut cycle, mut at) = (Vec::new(), first);
        while !std::mem::replace(&mut seen[at], true) {
            cycle.push(at);
            at = next(at)?;
        }
        match cycle.is_empty() {
            true => {}
            false if at == first => cycles.push(cycle),
            false => return None,
        }
    }
    Some(cycles)
}

/// Changes a permutation of consecutive numbers into one with `wanted` cycles, from 1 to the number of its elements: cycles
/// are joined or split. `pick` returns an index below its argument. Returns false if the numbers are no permutation.
pub fn change_cycles(numbers: &mut [i128], wanted: usize, pick: &mut dyn FnMut(usize) -> usize) -> bool {
    let (Some(mut cycles), Some(least)) = (find_cycles(numbers), numbers.iter().min().copied()) else { return false };
    while cycles.len() > wanted.max(1) {
        let joined = cycles.swap_remove(pick(cycles.len()));
        let to = pick(cycles.len());
        cycles[to].extend(joined);
    }
    // The places where a cycle can be split, each once.
    let places = |(cycle, positions): (usize, &Vec<usize>)| (1..positions.len()).map(move |at| (cycle, at));
    let mut places: Vec<(usize, usize)> = cycles.iter().enumerate().flat_map(places).collect();
    let mut chosen: Vec<(usize, usize)> = Vec::new();
    while cycles.len() + chosen.len() < wanted && !places.is_empty() {
        chosen.push(places.swap_remove(pick(places.len())));
    }
    // The last places first, so that the positions before them stay.
    chosen.sort_unstable();
    for (cycle, at) in chosen.into_iter().rev() {
        let split = cycles[cycle].split_off(at);
        cycles.push(split);
    }
    for cycle in cycles {
        for (at, next) in cycle.iter().zip(cycle.iter().cycle().skip(1)) {
            numbers[*at] = least + *next as i128;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Choices;

    /// Returns numbers of any order, all different or with many equal ones.
    fn draw_numbers(c: &mut Choices) -> Vec<i128> {
        let (count, few) = (c.draw_range(0, 12), c.draw_chance(1, 2));
        let mut numbers: Vec<i128> = (0..count).map(|i| if few { i % 3 } else { 5 * i - 20 }).collect();
        c.shuffle(&mut numbers);
        numbers
    }

    fn inversions(numbers: &[i128]) -> i128 {
        let later = |at: usize| numbers[at..].iter().filter(|later| **later < numbers[at]).count() as i128;
        (0..numbers.len()).map(later).sum()
    }

    #[test]
    fn numbers_have_the_wanted_inversions() {
        for seed in 0..2000 {
            let mut c = Choices::from_seed(seed, 0);
            let numbers = draw_numbers(&mut c);
            assert_eq!(count_inversions(&numbers), inversions(&numbers), "{numbers:?}");
            let mut descending = numbers.clone();
            descending.sort_unstable_by(|a, b| b.cmp(a));
            let most = inversions(&descending);
            let wanted = c.draw_range(0, most);
            let mut moved = numbers.clone();
            reorder_to_inversions(&mut moved, wanted);
            assert_eq!(inversions(&moved), wanted, "{numbers:?} {moved:?}");
            let mut beyond = numbers.clone();
            reorder_to_inversions(&mut beyond, most + 3);
            assert_eq!(inversions(&beyond), most, "{numbers:?} {beyond:?}");
            let sorted = |mut numbers: Vec<i128>| {
                numbers.sort_unstable();
                numbers
            };
            assert_eq!(sorted(moved), sorted(numbers));
        }
    }

    #[test]
    fn fitting_numbers_keep_their_order() {
        let mut numbers = [3, 1, 4, 0, 5];
        reorder_to_inversions(&mut numbers, 4);
        assert_eq!(numbers, [3, 1, 4, 0, 5]);
    }

    #[test]
    fn permutations_have_the_wanted_cycles() {
        for seed in 0..1000 {
            let mut c = Choices::from_seed(seed, 0);
            let count = c.draw_range(1, 12);
            let mut numbers: Vec<i128> = (0..count).map(|i| i - 3).collect();
            c.shuffle(&mut numbers);
            let wanted = c.draw_range(1, count) as usize;
            let before = numbers.clone();
            let is_met = find_cycles(&numbers).map(|cycles| cycles.len()) == Some(wanted);
            assert!(change_cycles(&mut numbers, wanted, &mut |count| c.draw_index(count)));
            assert_eq!(find_cycles(&numbers).map(|cycles| cycles.len()), Some(wanted), "{numbers:?}");
            assert!(!is_met || numbers == before, "{numbers:?}");
        }
        for other in [&[1, 1, 2][..], &[1, 3], &[2, 3, 5, 4, 2]] {
            assert_eq!(find_cycles(other), None, "{other:?}");
        }
        assert_eq!(find_cycles(&[]), Some(Vec::new()));
    }
}
