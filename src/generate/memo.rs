//! What was worked out lately.

/// Results by their keys, each kept until another one wants its place.
#[derive(Debug)]
pub(super) struct Memo<K, V> {
    places: Vec<Option<(K, V)>>,
}

/// How many results are kept at most.
const PLACES: usize = 64;

impl<K: Copy + PartialEq, V: Copy> Memo<K, V> {
    pub(super) fn new() -> Self {
        Memo { places: Vec::new() }
    }

    /// What belongs to a key, if it is still there.
    pub(super) fn known(&self, number: usize, key: K) -> Option<V> {
        let place = self.places.get(number % PLACES)?.as_ref();
        place.filter(|(known, _)| *known == key).map(|(_, value)| *value)
    }

    /// What belongs to a key. Keys of different numbers are kept beside each other.
    pub(super) fn get(&mut self, number: usize, key: K, work: impl FnOnce() -> V) -> V {
        if self.places.is_empty() {
            self.places.resize(PLACES, None);
        }
        let place = &mut self.places[number % PLACES];
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
    fn a_result_is_that_of_its_key() {
        let mut memo = Memo::new();
        let mut worked = 0;
        for key in [3, 3, 67, 67, 3, 4, 3, 4] {
            let value = memo.get(key, key, || {
                worked += 1;
                key * 2
            });
            assert_eq!(value, key * 2);
        }
        assert_eq!(worked, 4, "3 and 67 want the same place");
    }
}
