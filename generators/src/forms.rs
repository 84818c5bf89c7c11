//! Shapes of sequences of forms: which form each of many lines has, such as the kind of each query.
//!
//! If every line had any form, no input would be all insertions, and none would have all insertions before the first
//! query.

use crate::choices::Choices;
use crate::shape_family::Shape;

/// A named way to choose the forms of lines.
pub type FormShape = Shape<fn(&mut Choices, usize, usize) -> Vec<usize>>;

/// All shapes of sequences of forms. The first is the ordinary one.
pub const FORM_SHAPES: &[FormShape] = &[
    Shape::new("uniform", "each form equally likely", |_, _, _| Vec::new()),
    Shape::new("one-form", "one form throughout", one_form),
    Shape::new("mostly-one-form", "one form nearly everywhere, the others in between", mostly_one_form),
    Shape::new("one-other-form", "one form throughout, except in one place", one_other_form),
    Shape::new("phases", "all lines of one form, then all of another one, and so on", phases),
    Shape::new("stretches", "stretches of equal forms", stretches),
    Shape::new("in-turn", "the forms in turn", in_turn),
];

impl FormShape {
    /// Draws the forms of `lines` lines, as numbers below `forms`. An empty sequence means that the form of each line is
    /// drawn on its own.
    #[must_use]
    pub fn draw_forms(&self, c: &mut Choices, lines: usize, forms: usize) -> Vec<usize> {
        (self.draw)(c, lines, forms.max(1))
    }
}

fn one_form(c: &mut Choices, lines: usize, forms: usize) -> Vec<usize> {
    vec![c.draw_index(forms); lines]
}

fn mostly_one_form(c: &mut Choices, lines: usize, forms: usize) -> Vec<usize> {
    let form = c.draw_index(forms);
    let rarity = c.draw_log_range(4, 64) as u32;
    (0..lines).map(|_| if c.draw_chance(1, rarity) { c.draw_index(forms) } else { form }).collect()
}

fn one_other_form(c: &mut Choices, lines: usize, forms: usize) -> Vec<usize> {
    let mut drawn = one_form(c, lines, forms);
    if lines > 0 {
        let place = c.draw_index(lines);
        drawn[place] = c.draw_index(forms);
    }
    drawn
}

fn phases(c: &mut Choices, lines: usize, forms: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..forms).collect();
    c.shuffle(&mut order);
    let mut ends: Vec<usize> = (1..forms).map(|_| c.draw_index(lines + 1)).collect();
    ends.sort_unstable();
    (0..lines).map(|line| order[ends.partition_point(|end| *end <= line)]).collect()
}

fn stretches(c: &mut Choices, lines: usize, forms: usize) -> Vec<usize> {
    let length = c.draw_log_range(2, 16) as u32;
    let mut form = c.draw_index(forms);
    let mut next = |c: &mut Choices| {
        if c.draw_chance(1, length) {
            form = c.draw_index(forms);
        }
        form
    };
    (0..lines).map(|_| next(c)).collect()
}

fn in_turn(c: &mut Choices, lines: usize, forms: usize) -> Vec<usize> {
    let first = c.draw_index(forms);
    (0..lines).map(|line| (first + line) % forms).collect()
}
