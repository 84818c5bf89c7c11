// Takes the choices of a generator from rebut, so that its findings shrink: see docs/reference/choices.md.
// The same draws give the same values in rebut.h and rebut.py.

use std::cell::RefCell;
use std::io::{Seek, SeekFrom};
use std::os::{fd::AsFd, unix::ffi::OsStrExt, unix::fs::FileExt};

const NAME: &str = "rebut-choices 1 ";
/// The draws to be replayed, and the seed of those after them. Without a seed there are none.
struct Source {
    draws: Vec<u64>,
    used: usize,
    state: Option<u64>,
    growth: u64,
    is_logged: bool,
}

thread_local!(static SOURCE: RefCell<Source> = RefCell::new(init()));

/// Returns the request on the standard input, if that is a file which begins with one; whatever follows is left there.
fn read_request() -> Option<String> {
    let mut file = std::fs::File::from(std::io::stdin().as_fd().try_clone_to_owned().ok()?);
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let start = file.stream_position().ok()?;
    let (mut text, mut part) = (Vec::new(), [0; 4096]);
    while !text.contains(&b'\n') {
        let length = file.read_at(&mut part, start + text.len() as u64).ok()?;
        text.extend_from_slice(&part[..length]);
        if length == 0 || !text.starts_with(NAME.as_bytes()) {
            break;
        }
    }
    let line = String::from_utf8(text.split_inclusive(|byte| *byte == b'\n').next()?.to_vec()).ok()?;
    let request = line.strip_prefix(NAME)?.to_owned();
    file.seek(SeekFrom::Start(start + line.len() as u64)).ok()?;
    Some(request)
}

/// Reads the request of rebut. Without one, the seed is made of all arguments.
fn init() -> Source {
    if let Some(request) = read_request() {
        return parse_request(&request).expect("rebut: malformed request for choices");
    }
    let arguments = std::env::args_os().skip(1);
    let bytes = arguments.flat_map(|argument| argument.as_bytes().iter().copied().chain([0]).collect::<Vec<u8>>());
    let seed = bytes.fold(14695981039346656037, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(1099511628211));
    Source { draws: Vec::new(), used: 0, state: Some(seed), growth: 100, is_logged: false }
}

fn parse_request(request: &str) -> Option<Source> {
    let mut words = request.split_whitespace();
    let seed = words.next()?;
    let state = if seed == "-" { None } else { Some(seed.parse().ok()?) };
    let growth = words.next()?.parse().ok()?;
    let is_logged = words.next()? == "log";
    let draws = words.map(|word| word.parse().ok()).collect::<Option<_>>()?;
    if is_logged {
        eprintln!("rebut-choices 1");
    }
    Some(Source { draws, used: 0, state, growth, is_logged })
}

/// SplitMix64.
fn next_word(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// Draws from 0 to `most`. Everything else is made of this.
pub fn draw(most: u64) -> u64 {
    if most == 0 {
        return 0;
    }
    SOURCE.with_borrow_mut(|source| {
        let value = match (source.draws.get(source.used), &mut source.state) {
            (Some(drawn), _) => *drawn.min(&most),
            (None, Some(state)) => (0..).map(|_| next_word(state) >> most.leading_zeros()).find(|v| *v <= most).unwrap(),
            (None, None) => std::process::exit({
                eprintln!("rebut: out of draws");
                1
            }),
        };
        source.used += 1;
        if source.is_logged {
            eprintln!("~{value}");
        }
        value
    })
}

/// Returns a number from `lo` to `hi`, which shrinks towards the one nearest to 0.
pub fn next(lo: i64, hi: i64) -> i64 {
    let hi = hi.max(lo);
    let (start, drawn) = (0.clamp(lo, hi), draw(hi.abs_diff(lo)));
    let above = hi.abs_diff(start);
    if drawn <= above { start.wrapping_add_unsigned(drawn) } else { start.wrapping_sub_unsigned(drawn - above) }
}

/// Returns how large inputs are to be, from 0 to 100.
pub fn growth() -> u64 {
    SOURCE.with_borrow(|source| source.growth)
}

/// Returns a number from `lo` to `hi`, close to `lo` while the growth is small.
pub fn size(lo: i64, hi: i64) -> i64 {
    let mut most = if lo < hi { hi.abs_diff(lo) } else { 0 };
    if growth() < 100 {
        let steps = u64::from(64 - most.leading_zeros()) * growth();
        let (power, rest) = (1_u64 << (steps / 100), steps % 100);
        most = most.min(power + power / 100 * rest + power % 100 * rest / 100 + 2);
    }
    lo.wrapping_add_unsigned(draw(most))
}

/// Returns true in `a` of `b` cases.
pub fn chance(a: u64, b: u64) -> bool {
    draw(b - 1) + a >= b
}

/// Returns an index, with a probability in proportion to its weight.
pub fn weighted(weights: &[u64]) -> usize {
    let mut left = draw(weights.iter().sum::<u64>().max(1) - 1);
    let mut at = 0;
    while at + 1 < weights.len() && left >= weights[at] {
        left -= weights[at];
        at += 1;
    }
    at
}

pub fn choice<T>(items: &[T]) -> &T {
    &items[draw(items.len() as u64 - 1) as usize]
}
pub fn shuffle<T>(items: &mut [T]) {
    for last in (1..items.len()).rev() {
        items.swap(last, last - draw(last as u64) as usize);
    }
}

/// Returns the numbers from 1 to `n` in any order.
pub fn permutation(n: i64) -> Vec<i64> {
    let mut items: Vec<i64> = (1..=n).collect();
    shuffle(&mut items);
    items
}
