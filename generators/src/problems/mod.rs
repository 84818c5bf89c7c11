//! Whole input files of the problems that are shipped.
//!
//! Some answers turn on a coincidence that no general shape would hit: two chips that meet one step from a wall, a
//! line that lacks one stone in its middle. Such an input is built on purpose, by somebody who knows the game.

mod caos3;
mod cf1921e;
mod cheftic;
mod ckcgame;
mod gamedots;

use crate::choices::Choices;

/// A named kind of input file of one problem.
#[derive(Debug)]
pub struct Bespoke {
    /// What recipes call it: the problem's id, a slash, the kind.
    pub name: &'static str,
    /// What it makes, in one line.
    pub doc: &'static str,
    /// Makes one valid file with exactly one case, small at growth 0 and as large as the limits allow at 100.
    pub make: fn(&mut Choices, u32) -> String,
}

impl Bespoke {
    /// The problem's id: the name up to the slash.
    #[must_use]
    pub fn problem(&self) -> &'static str {
        self.name.split_once('/').map_or(self.name, |(problem, _)| problem)
    }

    /// One valid file with exactly one case, small at growth 0 and as large as the limits allow at 100.
    #[must_use]
    pub fn make(&self, c: &mut Choices, growth: u32) -> String {
        (self.make)(c, growth)
    }
}

/// Every bespoke kind of file.
pub const BESPOKE: &[Bespoke] = &[
    Bespoke { name: "cheftic/gap-inside", doc: "X lacks one stone inside a line", make: cheftic::gap_inside },
    Bespoke { name: "cheftic/gap-at-end", doc: "X lacks one stone at the end of a line", make: cheftic::gap_at_end },
    Bespoke {
        name: "cheftic/border-line",
        doc: "X lacks one stone of a line along the border",
        make: cheftic::border_line,
    },
    Bespoke {
        name: "cheftic/corner-line",
        doc: "X lacks one stone of a line that starts in a corner",
        make: cheftic::corner_line,
    },
    Bespoke {
        name: "cheftic/whole-side",
        doc: "a line is as long as the board, and X lacks one stone",
        make: cheftic::whole_side,
    },
    Bespoke {
        name: "cheftic/long-line",
        doc: "one stone joins two runs of X into more than a line",
        make: cheftic::long_line,
    },
    Bespoke { name: "cheftic/near-miss", doc: "X lacks two stones of a line", make: cheftic::near_miss },
    Bespoke { name: "cheftic/blocked", doc: "the stone that X lacks is an O", make: cheftic::blocked },
    Bespoke {
        name: "cheftic/run-into-border",
        doc: "a run of X that starts in a corner ends at an O",
        make: cheftic::run_into_border,
    },
    Bespoke { name: "cheftic/wrapped", doc: "a line of X only if rows followed each other", make: cheftic::wrapped },
    Bespoke { name: "cheftic/opponent-line", doc: "O lacks one stone, X does not", make: cheftic::opponent_line },
    Bespoke { name: "cheftic/one-in-a-row", doc: "one stone wins, so the board is empty", make: cheftic::one_in_a_row },
    Bespoke { name: "cheftic/quiet", doc: "stones all over, but nobody is close to winning", make: cheftic::quiet },
    Bespoke { name: "cheftic/nearly-full", doc: "hardly a cell is empty", make: cheftic::nearly_full },
    Bespoke {
        name: "cf1921e/wall-race",
        doc: "one step decides the race to a wall, for each parity and each side",
        make: cf1921e::wall_race,
    },
    Bespoke { name: "cf1921e/same-column", doc: "both chips in one column", make: cf1921e::same_column },
    Bespoke {
        name: "cf1921e/near-columns",
        doc: "columns at most three apart, often at a wall",
        make: cf1921e::near_columns,
    },
    Bespoke { name: "cf1921e/adjacent-rows", doc: "rows one or two apart", make: cf1921e::adjacent_rows },
    Bespoke { name: "cf1921e/passed", doc: "the chips have passed each other already", make: cf1921e::passed },
    Bespoke { name: "cf1921e/one-column", doc: "a board of one column", make: cf1921e::one_column },
    Bespoke { name: "cf1921e/two-columns", doc: "a board of two columns", make: cf1921e::two_columns },
    Bespoke {
        name: "cf1921e/small-or-huge",
        doc: "every coordinate close to one or close to the size",
        make: cf1921e::small_or_huge,
    },
    Bespoke {
        name: "cf1921e/wrapping-cells",
        doc: "chips on cells whose numbers, counted row by row, are about 2^32 apart",
        make: cf1921e::wrapping_cells,
    },
    Bespoke {
        name: "cf1921e/anywhere",
        doc: "chips anywhere on a board that is not wider than high",
        make: cf1921e::anywhere,
    },
    Bespoke { name: "caos3/open", doc: "no rock at all", make: caos3::open },
    Bespoke { name: "caos3/few-rocks", doc: "an open map with a few rocks: many bases", make: caos3::few_rocks },
    Bespoke { name: "caos3/crosses", doc: "crosses of open cells at random places", make: caos3::crosses },
    Bespoke { name: "caos3/one-base", doc: "a single base, or a cross with a rock in it", make: caos3::one_base },
    Bespoke {
        name: "caos3/short-arms",
        doc: "crosses with an arm of one cell, among whole ones",
        make: caos3::short_arms,
    },
    Bespoke { name: "caos3/shared-lines", doc: "bases where a few rows meet a few columns", make: caos3::shared_lines },
    Bespoke { name: "caos3/parted", doc: "a base between others that share a line", make: caos3::parted },
    Bespoke { name: "caos3/own-lines", doc: "bases with a row and a column of their own", make: caos3::own_lines },
    Bespoke { name: "caos3/blocks", doc: "open blocks parted by lines of rock", make: caos3::blocks },
    Bespoke { name: "caos3/far-apart", doc: "bases in one line with rock between them", make: caos3::far_apart },
    Bespoke { name: "caos3/two-groups", doc: "two open groups without a common line", make: caos3::two_groups },
    Bespoke { name: "caos3/border", doc: "bases at the sides, some lacking the outermost cell", make: caos3::border },
    Bespoke { name: "caos3/turned", doc: "the same when turned round", make: caos3::turned },
    Bespoke { name: "caos3/hardly-any", doc: "no base, or hardly one", make: caos3::hardly_any },
    Bespoke { name: "ckcgame/anywhere", doc: "kings anywhere, small numbers", make: ckcgame::anywhere },
    Bespoke {
        name: "ckcgame/just-meet",
        doc: "a large number where the kings just meet, or just do not",
        make: ckcgame::just_meet,
    },
    Bespoke { name: "ckcgame/close", doc: "kings at most three steps apart", make: ckcgame::close },
    Bespoke { name: "ckcgame/corridor", doc: "a straight line of large numbers", make: ckcgame::corridor },
    Bespoke { name: "ckcgame/bob-at-border", doc: "Bob in a corner or on the border", make: ckcgame::bob_at_border },
    Bespoke { name: "ckcgame/horizon", doc: "large numbers on the cells farthest from Bob", make: ckcgame::horizon },
    Bespoke { name: "ckcgame/treasure", doc: "one huge number, or two side by side", make: ckcgame::treasure },
    Bespoke { name: "ckcgame/equal-values", doc: "the same number everywhere", make: ckcgame::equal_values },
    Bespoke { name: "ckcgame/bait", doc: "numbers grow towards Bob", make: ckcgame::bait },
    Bespoke { name: "ckcgame/large-values", doc: "numbers near the limit", make: ckcgame::large_values },
    Bespoke { name: "ckcgame/two-by-two", doc: "the smallest board, any numbers", make: ckcgame::two_by_two },
    Bespoke {
        name: "gamedots/anywhere",
        doc: "any board at all, from a colouring of its dots",
        make: gamedots::anywhere,
    },
    Bespoke {
        name: "gamedots/tilted",
        doc: "any board at all, of mostly short or mostly long parts",
        make: gamedots::tilted,
    },
    Bespoke { name: "gamedots/one-row", doc: "chains of few lengths on a single row", make: gamedots::one_row },
    Bespoke {
        name: "gamedots/switches",
        doc: "chains of one and two among longer ones, and a close end",
        make: gamedots::switches,
    },
    Bespoke { name: "gamedots/two-rows", doc: "chains and loops of few lengths on two rows", make: gamedots::two_rows },
    Bespoke {
        name: "gamedots/frame",
        doc: "chains of few lengths around the border, loops inside",
        make: gamedots::frame,
    },
    Bespoke {
        name: "gamedots/contest",
        doc: "chains and loops about which it is hard to tell whether control pays",
        make: gamedots::contest,
    },
    Bespoke {
        name: "gamedots/threes-and-fours",
        doc: "chains of three and loops of four, and a close end",
        make: gamedots::threes_and_fours,
    },
    Bespoke { name: "gamedots/fours", doc: "loops of four and nothing else", make: gamedots::fours },
    Bespoke { name: "gamedots/loops", doc: "loops of four, six and eight and nothing else", make: gamedots::loops },
    Bespoke {
        name: "gamedots/rings",
        doc: "one loop inside the other, the outermost perhaps in chains",
        make: gamedots::rings,
    },
    Bespoke { name: "gamedots/snake", doc: "one chain through the whole board", make: gamedots::snake },
    Bespoke { name: "gamedots/lines", doc: "every row one chain", make: gamedots::lines },
    Bespoke {
        name: "gamedots/disturbed",
        doc: "chains around loops, with parts joined and cut apart",
        make: gamedots::disturbed,
    },
];
