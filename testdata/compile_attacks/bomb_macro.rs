// attack: expands a macro endlessly
// expect: compiling was stopped
#![recursion_limit = "1000"]
macro_rules! double {
    ($($all:tt)*) => { double!($($all)* $($all)*) };
}
fn main() {
    double!(1 2);
}
