//! rebut finds the smallest input that proves a contest submission wrong.

pub mod diagnostic;
