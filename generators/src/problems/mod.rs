//! Shapes of whole input files of the shipped problems.
//!
//! Some answers depend on a coincidence that no general shape would generate: two chips that meet one step from a wall,
//! a line that lacks one stone in its middle. Such inputs are constructed with knowledge of the game.

mod caos3;
mod cf1921e;
mod cheftic;
mod ckcgame;
mod gamedots;

use crate::choices::Choices;

/// A named way to generate input files of one problem.
#[derive(Debug)]
pub struct ProblemShape {
    /// The name used in recipes: the problem's id, a slash, the kind.
    pub name: &'static str,
    /// A description of the files in one line.
    pub doc: &'static str,
    /// Draws one valid file with exactly one case, small at growth 0 and as large as the limits allow at 100.
    pub make: fn(&mut Choices, u32) -> String,
}

impl ProblemShape {
    /// Returns the problem's id: the name up to the slash.
    #[must_use]
    pub fn problem_id(&self) -> &'static str {
        self.name.split_once('/').map_or(self.name, |(problem, _)| problem)
    }

    /// Draws one valid file with exactly one case, small at growth 0 and as large as the limits allow at 100.
    #[must_use]
    pub fn draw_file(&self, c: &mut Choices, growth: u32) -> String {
        (self.make)(c, growth)
    }
}

/// All problem shapes.
pub const PROBLEM_SHAPES: &[ProblemShape] = &[
    ProblemShape {
        name: "cheftic/gap-inside",
        doc: "X lacks one stone inside a line",
        make: cheftic::build_gap_inside,
    },
    ProblemShape {
        name: "cheftic/gap-at-end",
        doc: "X lacks one stone at the end of a line",
        make: cheftic::build_gap_at_end,
    },
    ProblemShape {
        name: "cheftic/border-line",
        doc: "X lacks one stone of a line along the border",
        make: cheftic::build_border_line,
    },
    ProblemShape {
        name: "cheftic/corner-line",
        doc: "X lacks one stone of a line that starts in a corner",
        make: cheftic::build_corner_line,
    },
    ProblemShape {
        name: "cheftic/whole-side",
        doc: "a line is as long as the board, and X lacks one stone",
        make: cheftic::build_whole_side,
    },
    ProblemShape {
        name: "cheftic/long-line",
        doc: "one stone joins two runs of X into more than a line",
        make: cheftic::build_long_line,
    },
    ProblemShape { name: "cheftic/near-miss", doc: "X lacks two stones of a line", make: cheftic::build_near_miss },
    ProblemShape { name: "cheftic/blocked", doc: "the stone that X lacks is an O", make: cheftic::build_blocked },
    ProblemShape {
        name: "cheftic/run-into-border",
        doc: "a run of X that starts in a corner ends at an O",
        make: cheftic::build_run_into_border,
    },
    ProblemShape {
        name: "cheftic/wrapped",
        doc: "a line of X only if the rows were concatenated",
        make: cheftic::build_wrapped,
    },
    ProblemShape {
        name: "cheftic/opponent-line",
        doc: "O lacks one stone of a line, X does not",
        make: cheftic::build_opponent_line,
    },
    ProblemShape {
        name: "cheftic/one-in-a-row",
        doc: "one stone wins, so the board is empty",
        make: cheftic::build_one_in_a_row,
    },
    ProblemShape {
        name: "cheftic/quiet",
        doc: "stones all over, but neither player is close to winning",
        make: cheftic::build_quiet,
    },
    ProblemShape { name: "cheftic/nearly-full", doc: "nearly all cells are filled", make: cheftic::build_nearly_full },
    ProblemShape {
        name: "cf1921e/wall-race",
        doc: "one step decides the race to a wall, for each parity and each side",
        make: cf1921e::build_wall_race,
    },
    ProblemShape { name: "cf1921e/same-column", doc: "both chips in one column", make: cf1921e::build_same_column },
    ProblemShape {
        name: "cf1921e/near-columns",
        doc: "columns at most three apart, often at a wall",
        make: cf1921e::build_near_columns,
    },
    ProblemShape { name: "cf1921e/adjacent-rows", doc: "rows one or two apart", make: cf1921e::build_adjacent_rows },
    ProblemShape {
        name: "cf1921e/passed",
        doc: "the chips have already passed each other",
        make: cf1921e::build_passed,
    },
    ProblemShape { name: "cf1921e/one-column", doc: "a board of one column", make: cf1921e::build_one_column },
    ProblemShape { name: "cf1921e/two-columns", doc: "a board of two columns", make: cf1921e::build_two_columns },
    ProblemShape {
        name: "cf1921e/small-or-huge",
        doc: "every coordinate close to one or close to the size",
        make: cf1921e::build_small_or_huge,
    },
    ProblemShape {
        name: "cf1921e/wrapping-cells",
        doc: "chips on cells whose numbers, counted row by row, are about 2^32 apart",
        make: cf1921e::build_wrapping_cells,
    },
    ProblemShape {
        name: "cf1921e/anywhere",
        doc: "chips anywhere on a board that is not wider than high",
        make: cf1921e::build_anywhere,
    },
    ProblemShape { name: "caos3/open", doc: "no rock at all", make: caos3::build_open },
    ProblemShape {
        name: "caos3/few-rocks",
        doc: "an open map with a few rocks: many bases",
        make: caos3::build_few_rocks,
    },
    ProblemShape { name: "caos3/crosses", doc: "crosses of open cells at random places", make: caos3::build_crosses },
    ProblemShape {
        name: "caos3/one-base",
        doc: "a single base, or a cross with a rock in it",
        make: caos3::build_one_base,
    },
    ProblemShape {
        name: "caos3/short-arms",
        doc: "crosses with an arm of one cell, among whole ones",
        make: caos3::build_short_arms,
    },
    ProblemShape {
        name: "caos3/shared-lines",
        doc: "bases where a few rows meet a few columns",
        make: caos3::build_shared_lines,
    },
    ProblemShape { name: "caos3/parted", doc: "a base between others that share a line", make: caos3::build_parted },
    ProblemShape {
        name: "caos3/own-lines",
        doc: "bases with a row and a column of their own",
        make: caos3::build_own_lines,
    },
    ProblemShape { name: "caos3/blocks", doc: "open blocks separated by lines of rock", make: caos3::build_blocks },
    ProblemShape {
        name: "caos3/far-apart",
        doc: "bases in one line with rock between them",
        make: caos3::build_far_apart,
    },
    ProblemShape {
        name: "caos3/two-groups",
        doc: "two open groups without a common line",
        make: caos3::build_two_groups,
    },
    ProblemShape {
        name: "caos3/border",
        doc: "bases at the sides, some lacking the outermost cell",
        make: caos3::build_border,
    },
    ProblemShape { name: "caos3/turned", doc: "symmetric under a half-turn", make: caos3::build_turned },
    ProblemShape { name: "caos3/hardly-any", doc: "at most a few bases", make: caos3::build_hardly_any },
    ProblemShape { name: "ckcgame/anywhere", doc: "kings anywhere, small numbers", make: ckcgame::build_anywhere },
    ProblemShape {
        name: "ckcgame/just-meet",
        doc: "a large number where the kings just meet, or just do not",
        make: ckcgame::build_just_meet,
    },
    ProblemShape { name: "ckcgame/close", doc: "kings at most three steps apart", make: ckcgame::build_close },
    ProblemShape { name: "ckcgame/corridor", doc: "a straight line of large numbers", make: ckcgame::build_corridor },
    ProblemShape {
        name: "ckcgame/bob-at-border",
        doc: "Bob in a corner or on the border",
        make: ckcgame::build_bob_at_border,
    },
    ProblemShape {
        name: "ckcgame/horizon",
        doc: "large numbers on the cells farthest from Bob",
        make: ckcgame::build_horizon,
    },
    ProblemShape {
        name: "ckcgame/treasure",
        doc: "one huge number, or two side by side",
        make: ckcgame::build_treasure,
    },
    ProblemShape { name: "ckcgame/equal-values", doc: "the same number everywhere", make: ckcgame::build_equal_values },
    ProblemShape { name: "ckcgame/bait", doc: "numbers grow towards Bob", make: ckcgame::build_bait },
    ProblemShape { name: "ckcgame/large-values", doc: "numbers near the limit", make: ckcgame::build_large_values },
    ProblemShape {
        name: "ckcgame/two-by-two",
        doc: "the smallest board, any numbers",
        make: ckcgame::build_two_by_two,
    },
    ProblemShape {
        name: "gamedots/anywhere",
        doc: "any board at all, from a colouring of its dots",
        make: gamedots::build_anywhere,
    },
    ProblemShape {
        name: "gamedots/tilted",
        doc: "any board at all, of mostly short or mostly long parts",
        make: gamedots::build_tilted,
    },
    ProblemShape {
        name: "gamedots/one-row",
        doc: "chains of few lengths on a single row",
        make: gamedots::build_one_row,
    },
    ProblemShape {
        name: "gamedots/switches",
        doc: "chains of one and two among longer ones, and a close end",
        make: gamedots::build_switches,
    },
    ProblemShape {
        name: "gamedots/two-rows",
        doc: "chains and loops of few lengths on two rows",
        make: gamedots::build_two_rows,
    },
    ProblemShape {
        name: "gamedots/frame",
        doc: "chains of few lengths around the border, loops inside",
        make: gamedots::build_frame,
    },
    ProblemShape {
        name: "gamedots/contest",
        doc: "chains and loops of lengths for which it is hard to decide whether control pays",
        make: gamedots::build_contest,
    },
    ProblemShape {
        name: "gamedots/threes-and-fours",
        doc: "chains of three and loops of four, and a close end",
        make: gamedots::build_threes_and_fours,
    },
    ProblemShape { name: "gamedots/fours", doc: "loops of four and nothing else", make: gamedots::build_fours },
    ProblemShape {
        name: "gamedots/loops",
        doc: "loops of four, six and eight and nothing else",
        make: gamedots::build_loops,
    },
    ProblemShape {
        name: "gamedots/rings",
        doc: "nested loops, the outermost sometimes of chains",
        make: gamedots::build_rings,
    },
    ProblemShape { name: "gamedots/snake", doc: "one chain through the whole board", make: gamedots::build_snake },
    ProblemShape { name: "gamedots/lines", doc: "every row one chain", make: gamedots::build_lines },
    ProblemShape {
        name: "gamedots/disturbed",
        doc: "chains around loops, with some parts joined or split",
        make: gamedots::build_disturbed,
    },
];
