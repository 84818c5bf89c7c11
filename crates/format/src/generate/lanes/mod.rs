//! Lanes: the instances of compiled blocks, drawn side by side in machine words.
//!
//! The number of lanes is a parameter: one instance, or a run of neighbours that share their strategies. So is the
//! output: values, or the bytes of the lines if the values of the last list of an input are not needed.

mod draft;
mod list;
mod table;
