//! Renders the end of one of several parts of a search.

use super::ReportOptions;
use super::style::TextStyle;
use super::styled_line::StyledLine;
use super::text_layout::wrap_words;
use rebut_diagnostics::group_thousands;
use rebut_engine::event::ShardFinished;

/// Renders how many blocks were run, what failed in them, and what to do next.
pub(crate) fn render_shard(shard: &ShardFinished, options: &ReportOptions) -> Vec<StyledLine> {
    let is_done = shard.left == 0;
    let (style, word) = if is_done { (TextStyle::Success, "DONE") } else { (TextStyle::Warning, "LEFT") };
    let head = StyledLine::new().add_styled(style, word).add_plain("  ");
    let indent = " ".repeat(head.width());
    let label = |text: &str| StyledLine::from_plain(&indent).add_styled(TextStyle::Dim, text).add_plain("  ");
    let mut lines = wrap_words(head, &blocks_text(shard), options.width);
    for failed in &shard.failures {
        let case = group_thousands(u128::from(failed.case));
        let what = format!("{}: {} on input {case}", failed.submission, failed.verdict.description());
        lines.extend(wrap_words(label("failing"), &what, options.width));
    }
    let next = if is_done { format!("rebut merge {}", shard.journal.display()) } else { "run it again".to_owned() };
    lines.push(label("next").add_styled(TextStyle::Copyable, next).into_uncut());
    lines
}

/// `shard 2/8: 8 blocks, 6 run now and 2 before`.
fn blocks_text(shard: &ShardFinished) -> String {
    let number = |count: u64| group_thousands(u128::from(count));
    let plural = if shard.blocks == 1 { "" } else { "s" };
    let mut text = format!("shard {}/{}: {} block{plural}", shard.shard, shard.shards, number(shard.blocks));
    text += &format!(", {} run now and {} before", number(shard.run), number(shard.known));
    let not_needed = shard.blocks - shard.run - shard.known - shard.left;
    if not_needed > 0 {
        text += &format!(", {} not needed after a failure", number(not_needed));
    }
    if shard.left > 0 {
        text += &format!(", {} left", number(shard.left));
    }
    text
}
