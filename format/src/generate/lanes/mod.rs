//! Lanes: the instances of compiled blocks, drawn side by side in machine words.
//!
//! The number of lanes is a parameter: one instance, or a run of neighbours that share their strategies. So is the
//! output: values, or the bytes of the lines, where nobody needs the values of the list that ends an input.

mod draft;
mod line_writer;
mod list;
mod table;
