//! A small cache of recent results.

/// A direct-mapped cache: each result stays until another one needs its slot.
#[derive(Debug)]
pub(super) struct Memo<K, V> {
    slots: Vec<Option<(K, V)>>,
}

/// Number of slots.
const MEMO_SLOTS: usize = 64;

impl<K: Copy + PartialEq, V: Copy> Memo<K, V> {
    pub(super) fn new() -> Self {
        Memo { slots: Vec::new() }
    }

    /// Returns the result of a key, if it is still cached.
    pub(super) fn cached_value(&self, number: usize, key: K) -> Option<V> {
        let place = self.slots.get(number % MEMO_SLOTS)?.as_ref();
        place.filter(|(known, _)| *known == key).map(|(_, value)| *value)
    }

    /// Returns the result of a key, computing it if needed. `number` selects the slot.
    pub(super) fn get_or_compute(&mut self, number: usize, key: K, work: impl FnOnce() -> V) -> V {
        if self.slots.is_empty() {
            self.slots.resize(MEMO_SLOTS, None);
        }
        let place = &mut self.slots[number % MEMO_SLOTS];
        match place {
            Some((known, value)) if *known == key => *value,
            _ => place.insert((key, work())).1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memo_returns_the_result_of_the_key() {
        let mut memo = Memo::new();
        let mut worked = 0;
        for key in [3, 3, 67, 67, 3, 4, 3, 4] {
            let value = memo.get_or_compute(key, key, || {
                worked += 1;
                key * 2
            });
            assert_eq!(value, key * 2);
        }
        assert_eq!(worked, 4, "3 and 67 share a slot");
    }
}
