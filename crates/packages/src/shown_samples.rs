//! The samples that a statement shows: in Markdown and LaTeX, in a page of HTML, and in the text that is copied from one.

use std::borrow::Cow;
use std::collections::VecDeque;

/// A sample that a statement shows: an input or an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownSample {
    /// True for an input, false for an output.
    pub is_input: bool,
    /// The number of its first line, from 1; of a page in HTML, that in its text.
    pub line: usize,
    /// Its lines, each with a line end.
    pub text: String,
    /// True if marks of the statement enclose it. Any other ends where the next heading begins.
    pub is_enclosed: bool,
}

/// Marks of preformatted text, and of its end. More backquotes need as many at the end.
const FENCES: [(&str, &str); 4] = [
    ("```", "```"),
    ("~~~", "~~~"),
    ("\\begin{verbatim}", "\\end{verbatim}"),
    ("\\begin{lstlisting}", "\\end{lstlisting}"),
];

/// Words of headings above samples, in the languages of judges. A heading has no other words.
const SAMPLE_WORDS: &str = "sample example 样例 例 예제 пример примеры exemplo exemplos ejemplo ejemplos exemple";
const INPUT_WORDS: &str = "input 输入 入力 입력 входные entrada entrée";
const OUTPUT_WORDS: &str = "output answer 输出 出力 출력 выходные saída salida sortie";
const FURTHER_WORDS: &str = "for of the test case data de данные 数据 组 测试";

/// Words of other headings.
const OTHER_WORDS: &str = "note explanation hint constraint subtask scoring source author limit 说明 提示 解释 范围 规模 与 \
    约定 解説 制約 힌트 제한 출처 알고리즘 분류 примечание";

/// Words of a heading that a problem has if its samples are conversations.
const CONVERSATION_WORDS: &str = "interaction インタラクション 交互";

/// Buttons beside samples, which are copied with them.
const BUTTONS: [&str; 6] = ["copy", "copied", "复制", "复制代码", "コピー", "복사"];

/// The meaning of a heading for the text after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Heading {
    /// Samples follow.
    Samples,
    /// An input follows, or else an output.
    Sample { is_input: bool },
    /// Something else.
    Other,
    /// The problem is interactive.
    Conversation,
}

/// Returns the samples that a statement shows, in their order.
///
/// ```
/// use rebut_packages::find_shown_samples;
///
/// let found = find_shown_samples("Example\nInput\nCopy\n3\n1 2 3\nOutput\nCopy\n6\nNote\nIt is the sum.\n");
/// assert_eq!((found[0].text.as_str(), found[1].text.as_str()), ("3\n1 2 3\n", "6\n"));
/// ```
pub fn find_shown_samples(statement: &str) -> Vec<ShownSample> {
    let is_page = ["</pre>", "</PRE>"].iter().any(|tag| statement.contains(tag));
    let text = if is_page { Cow::from(text_of_page(&statement.replace('\r', ""))) } else { statement.into() };
    let mut reader = SampleReader::default();
    let mut fence = None;
    for (number, line) in (1..).zip(text.lines()) {
        let start = line.trim_start();
        if let Some(end) = fence {
            if start.starts_with(end) {
                fence = None;
                reader.finish_sample();
            } else {
                reader.add_line(line);
            }
        } else if let Some((begin, end)) = FENCES.iter().find(|(begin, _)| start.starts_with(begin)) {
            let marks = start.len() - start.trim_start_matches(&begin[..1]).len();
            fence = Some(if begin == end { &start[..marks] } else { *end });
            reader.begin_enclosed(number + 1);
        } else {
            reader.read_line(line, number);
        }
    }
    reader.finish_sample();
    if reader.is_conversation { Vec::new() } else { reader.found }
}

/// Reads the lines of a statement one by one.
#[derive(Default)]
struct SampleReader {
    found: Vec<ShownSample>,
    /// True below a heading above all samples, where `Input` is the heading of one.
    is_below_samples: bool,
    /// For each heading without a sample so far, true if it is that of an input: a table has two in a row.
    expected: VecDeque<bool>,
    /// The sample that is read.
    current: Option<ShownSample>,
    is_conversation: bool,
}

impl SampleReader {
    /// Reads a line that no marks enclose.
    fn read_line(&mut self, line: &str, number: usize) {
        match find_heading(line, self.is_below_samples).filter(|heading| self.ends_sample(*heading, line)) {
            Some(heading) => {
                self.finish_sample();
                match heading {
                    Heading::Samples => self.is_below_samples = true,
                    Heading::Sample { is_input } => {
                        if self.expected.contains(&is_input) {
                            self.expected.clear();
                        }
                        self.expected.push_back(is_input);
                    }
                    Heading::Other => self.expected.clear(),
                    Heading::Conversation => self.is_conversation = true,
                }
            }
            None if self.current.is_some() => self.add_line(line),
            None => {
                let is_text = !line.trim().is_empty() && !is_button(line);
                if is_text && self.expected.len() == 1 {
                    self.begin_sample(number, false);
                    self.add_line(line);
                }
            }
        }
    }

    /// Returns true unless a line is rather one of the sample that is read. An input ends with the heading of a sample, and
    /// marks of Markdown are also letters of boards.
    fn ends_sample(&self, heading: Heading, line: &str) -> bool {
        match (&self.current, heading) {
            (None, _) => true,
            (Some(sample), Heading::Sample { is_input }) => !sample.is_input || !is_input || line.contains(' '),
            (Some(sample), _) => !sample.is_input && !line.starts_with(['#', '*']),
        }
    }

    /// Begins the sample of the first heading that has none yet. Text between the heading and the mark is no sample.
    fn begin_enclosed(&mut self, line: usize) {
        if let Some(text) = self.current.take() {
            self.expected.push_front(text.is_input);
        }
        self.begin_sample(line, true);
    }

    fn begin_sample(&mut self, line: usize, is_enclosed: bool) {
        let new = |is_input| ShownSample { is_input, line, text: String::new(), is_enclosed };
        self.current = self.expected.pop_front().map(new);
    }

    fn add_line(&mut self, line: &str) {
        if let Some(current) = &mut self.current {
            current.text.push_str(line);
            current.text.push('\n');
        }
    }

    fn finish_sample(&mut self) {
        let Some(mut sample) = self.current.take() else { return };
        if !sample.is_enclosed {
            sample.text = without_prose(&sample.text, sample.is_input);
        }
        // A table that explains an input is no input.
        let is_table = sample.text.starts_with("STDIN ");
        self.found.extend(Some(sample).filter(|sample| !sample.text.trim().is_empty() && !is_table));
    }
}

/// Returns the text of a sample without the empty lines at its end, an output without an explanation after it, and code of
/// Markdown without its indentation.
fn without_prose(text: &str, is_input: bool) -> String {
    const MIN_WORDS: usize = 4;
    const MIN_LETTERS: usize = 6;
    const INDENTATION: &str = "    ";
    let is_prose = |part: &str| {
        let words = part.split_whitespace().filter(|word| word.chars().any(char::is_alphabetic));
        // Not all languages have spaces between words.
        let letters = part.chars().filter(|c| !c.is_ascii() && c.is_alphabetic());
        words.take(MIN_WORDS).count() == MIN_WORDS || letters.take(MIN_LETTERS).count() == MIN_LETTERS
    };
    let parts = text.split("\n\n").enumerate().take_while(|(at, part)| is_input || *at == 0 || !is_prose(part));
    let kept = parts.map(|(_, part)| part).collect::<Vec<_>>().join("\n\n");
    let lines: Vec<&str> = kept.trim_end().lines().map(str::trim_end).collect();
    let is_code = lines.iter().all(|line| line.is_empty() || line.starts_with(INDENTATION));
    let shown = |line: &&'_ str| if is_code { line.strip_prefix(INDENTATION).unwrap_or(line) } else { line }.to_owned();
    lines.iter().map(shown).flat_map(|line| [line, "\n".to_owned()]).collect()
}

fn is_button(line: &str) -> bool {
    BUTTONS.contains(&line.trim().to_lowercase().as_str())
}

/// Returns true if a word in small letters, or its singular, is in a list. A word of a language without spaces consists of
/// words of the list.
fn is_listed(word: &str, lists: &[&str]) -> bool {
    let known = || lists.iter().flat_map(|list| list.split_whitespace());
    if word.is_ascii() {
        return known().any(|known| known == word || word.strip_suffix('s') == Some(known));
    }
    known().filter(|known| !known.is_ascii()).fold(word.to_owned(), |rest, known| rest.replace(known, "")).is_empty()
}

/// Returns the meaning of a line that is a heading. `Input` alone is that of a sample only below the heading of all samples.
fn find_heading(line: &str, is_below_samples: bool) -> Option<Heading> {
    /// Maximum number of letters of a heading.
    const MAX_LETTERS: usize = 40;
    let line = line.trim();
    let is_marked = line.trim_start_matches('#').starts_with(' ') && line.starts_with('#')
        || ["**", "\\section", "\\subsection", "\\textbf"].iter().any(|mark| line.starts_with(mark));
    let plain =
        ["\\subsection", "\\section", "\\textbf"].iter().fold(line.to_owned(), |text, tex| text.replace(tex, ""));
    let meaning = |text: &str| {
        let mut text = text.to_lowercase();
        BUTTONS.iter().for_each(|button| text = text.replace(button, " "));
        let words: Vec<&str> = text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()).collect();
        if words.is_empty() || text.chars().filter(|c| c.is_alphabetic()).take(MAX_LETTERS).count() == MAX_LETTERS {
            return None;
        }
        let has = |list: &'static str| words.iter().any(|word| has_listed(word, list));
        let are_all = |lists: &[&str]| words.iter().all(|word| is_listed(word, lists));
        let is_input = has(INPUT_WORDS) && !text.trim().starts_with("output for");
        let (is_sample, is_one) = (has(SAMPLE_WORDS), is_input != has(OUTPUT_WORDS));
        let of_samples = [SAMPLE_WORDS, INPUT_WORDS, OUTPUT_WORDS, FURTHER_WORDS];
        let is_title = is_marked || line.starts_with(|c: char| c.is_uppercase() || !c.is_ascii());
        if are_all(&[CONVERSATION_WORDS]) {
            return Some(Heading::Conversation);
        }
        match are_all(&of_samples) {
            true if is_sample && is_one && is_title => Some(Heading::Sample { is_input }),
            true if is_sample && is_title && !words.contains(&"for") => Some(Heading::Samples),
            true if is_below_samples && is_one && words.len() <= 2 => Some(Heading::Sample { is_input }),
            false if is_title && has(OTHER_WORDS) => {
                are_all(&[&of_samples[..], &[OTHER_WORDS]].concat()).then_some(Heading::Other)
            }
            _ => None,
        }
    };
    let before_colon =
        || plain.split_once(':').and_then(|(head, _)| meaning(head)).filter(|head| *head == Heading::Other);
    let is_footer = line.starts_with("Codeforces (c)");
    meaning(&plain).or_else(before_colon).or_else(|| (is_marked || is_footer).then_some(Heading::Other))
}

/// Returns true if a word is in a list, or has a word of the list in a language without spaces.
fn has_listed(word: &str, list: &'static str) -> bool {
    is_listed(word, &[list]) || list.split_whitespace().any(|known| !known.is_ascii() && word.contains(known))
}

/// Returns the text of a page in HTML, with preformatted text between fences.
fn text_of_page(page: &str) -> String {
    /// Elements that begin a line.
    const BLOCKS: [&str; 14] =
        ["p", "div", "li", "tr", "td", "th", "h1", "h2", "h3", "h4", "h5", "h6", "section", "table"];
    const ENTITIES: [(&str, &str); 8] = [
        ("&lt;", "<"),
        ("&#60;", "<"),
        ("&gt;", ">"),
        ("&#62;", ">"),
        ("&nbsp;", " "),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&amp;", "&"),
    ];
    let mut text = String::with_capacity(page.len());
    let mut pieces = page.split('<');
    text.push_str(pieces.next().unwrap_or_default());
    // The element that is left out, up to its end.
    let mut hidden: Option<String> = None;
    for piece in pieces {
        let (tag, after) = piece.split_once('>').unwrap_or(("", piece));
        let is_end = tag.starts_with('/');
        let name = tag.trim_start_matches('/').split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        let name = name.to_ascii_lowercase();
        if hidden.as_ref().is_some_and(|hidden| !is_end || *hidden != name) {
            continue;
        }
        hidden = ["script", "style"].contains(&&*name).then_some(name.clone()).filter(|_| !is_end);
        if hidden.is_some() {
            continue;
        }
        let is_line_begun = !text.ends_with('\n');
        match name.as_str() {
            "pre" if is_end => text.push_str(if is_line_begun { "\n```\n" } else { "```\n" }),
            "pre" => text.push_str("\n\n```\n"),
            "br" => text.push('\n'),
            // A line of a sample can be an element of its own.
            block if BLOCKS.contains(&block) && is_line_begun => text.push('\n'),
            _ => {}
        }
        text.push_str(if text.ends_with("```\n") || name == "br" {
            after.strip_prefix('\n').unwrap_or(after)
        } else {
            after
        });
    }
    ENTITIES.iter().fold(text, |text, (entity, sign)| text.replace(entity, sign))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The samples of a statement, each as `in` or `out` and its lines with slashes.
    fn shown(statement: &str) -> Vec<String> {
        let kind = |is_input| if is_input { "in" } else { "out" };
        let found = find_shown_samples(statement).into_iter();
        found.map(|one| format!("{} {}", kind(one.is_input), one.text.trim_end().replace('\n', " / "))).collect()
    }

    #[test]
    fn text_that_is_copied_from_a_page_has_headings() {
        let codeforces = "Input\nThe first line contains n.\n\nOutput\nPrint the sum.\n\nExamples\nInput\nCopy\n3\n1 2 3\nOutput\nCopy\n6\n\
                          InputCopy\n1\n9\nOutputCopy\n9\nNote\nIn the first example, the input is small.\n";
        assert_eq!(shown(codeforces), ["in 3 / 1 2 3", "out 6", "in 1 / 9", "out 9"]);
        let atcoder = "Input\nN\nSample Input 1\nCopy\n2\n#S\n.#\nSample Output 1\nCopy\n3\n\nThere are three ways to do it.\n\n\
                       Sample Input 2\nCopy\n1\n#\nSample Output 2\nCopy\n0\n";
        assert_eq!(shown(atcoder), ["in 2 / #S / .#", "out 3", "in 1 / #", "out 0"]);
        let luogu = "输入格式\n一个整数 n。\n输入输出样例\n输入 #1复制\n3\n1 2 3\n输出 #1复制\n6\n说明/提示\n对于 100% 的数据\n";
        assert_eq!(shown(luogu), ["in 3 / 1 2 3", "out 6"]);
        assert_eq!(shown("예제 입력 1 복사\n3\n예제 출력 1 복사\n6\n"), ["in 3", "out 6"]);
        assert_eq!(shown("【样例输入】\n3\n【样例输出】\n6\n【数据范围】\n对于 60% 的数据\n"), ["in 3", "out 6"]);
        assert_eq!(shown("Sample Input\n3\n\nOutput for the Sample Input\n6\n"), ["in 3", "out 6"]);
        assert_eq!(shown("Example\n\nInput:\n5\n2 3\n\nOutput:\n4\n"), ["in 5 / 2 3", "out 4"]);
        assert_eq!(shown("входные данные\nn\nПример\nвходные данные\n3\nвыходные данные\n6\n"), ["in 3", "out 6"]);
    }

    #[test]
    fn prose_and_boards_are_no_headings() {
        let lucky = "For example:\n47 is lucky.\nHere is an example:\n样例如图。\nInput\nThe first line contains n.\nOutput\nPrint it.\nExamples\n\
                     Input\n3\nOutput\nYES\n";
        assert_eq!(shown(lucky), ["in 3", "out YES"]);
        let explained = "Sample Input 1\n3\n\nSample Output 1\n6\n\nExplanation for Sample Input 1\nThe sum is 6.\n\nSample Input 2\n4\n\n\
                         Output for Sample Input 2\n7\nSee the sample input.\n";
        assert_eq!(shown(explained)[..3], ["in 3", "out 6", "in 4"]);
        let boards = "Sample Input\n3 5\n**S**\n# E #\nINPUT\nExamples\nNote\ncopy\nSample Output\nLimit exceeded\nCase 1: 5\n# S #\nSource: here\n";
        assert_eq!(
            shown(boards),
            ["in 3 5 / **S** / # E # / INPUT / Examples / Note / copy", "out Limit exceeded / Case 1: 5 / # S #"]
        );
        let japanese = "入力例 1\n1 2 3\n出力例 1\n6\n\n1+2+3=6です。\n答えを 1000 で割った余りを出力してください。\n入力例 2\n4\n出力例 2\n4\n";
        assert_eq!(shown(japanese), ["in 1 2 3", "out 6", "in 4", "out 4"]);
        assert!(shown("Interaction\nAsk.\nExample\nInput\n2\n\n3\nOutput\n? 1\n\n! 3\n").is_empty());
        assert!(shown("Sample Input\nSTDIN  Function\n5      n = 5\n").is_empty());
        let footer = "Examples\nInput\n3\nOutput\n6\nCodeforces (c) Copyright 2010\n";
        assert_eq!(shown(footer), ["in 3", "out 6"]);
    }

    #[test]
    fn marks_of_markdown_can_be_longer_or_missing() {
        assert_eq!(
            shown("## Sample Input\n````\n```\n3\n````\n## Sample Output\n~~~\n6\n~~~\n"),
            ["in ``` / 3", "out 6"]
        );
        assert_eq!(shown("Sample Input\n\n    3\n    1 2\n\nSample Output\n\n    6\n"), ["in 3 / 1 2", "out 6"]);
        assert_eq!(shown("<h3>Sample Input</h3><PRE>\r\n2<br>ab<br><br>&#60;</PRE>"), ["in 2 / ab /  / <"]);
    }

    #[test]
    fn hostile_statements_take_no_longer_than_they_are() {
        for part in ["\n\n1", "<", "`", "\nSample Input", "\nSample Output\n1"] {
            let text = format!("Sample Input\n1\nSample Output\n1{}", part.repeat(100_000));
            assert!(find_shown_samples(&text).len() <= 100_002);
        }
    }

    #[test]
    fn pages_have_preformatted_text() {
        let codeforces = "<script>\"<pre>\"</script><div class=\"section-title\">Input</div><p>The integer $n$</p><div class=\"section-title\">Example</div>\
                          <div class=\"input\"><div class=\"title\">Input</div><pre><div class=\"line\">2</div><div>1 2</div></pre></div>\
                          <div class=\"output\"><div class=\"title\">Output</div><pre>\n3\n</pre></div>";
        assert_eq!(shown(codeforces), ["in 2 / 1 2", "out 3"]);
        let kattis = "<table><tr><th>Sample Input 1</th><th>Sample Output 1</th></tr>\n<tr><td><pre>1 &lt; 2\n\n3\n</pre></td>\
                      <td><pre>6\n</pre></td></tr></table>";
        assert_eq!(shown(kattis), ["in 1 < 2 /  / 3", "out 6"]);
    }

    #[test]
    fn marks_enclose_samples_of_statements() {
        let statement = "## Input\n```\nn\n```\n### Sample Input 1\ntext\n```text\n1 2\n3\n```\n## Notes\n```\n9\n```\n\
                         \\section*{Sample Output}\n\\begin{verbatim}\n6\n\\end{verbatim}\n";
        let found = find_shown_samples(statement);
        let parts: Vec<(usize, &str)> = found.iter().map(|one| (one.line, one.text.as_str())).collect();
        assert_eq!(parts, [(8, "1 2\n3\n"), (17, "6\n")]);
    }

    #[test]
    fn text_without_samples_has_none() {
        assert!(shown("Input\nThe first line contains n.\nOutput\nPrint it.\n").is_empty());
        assert!(shown("Sample Input\nSample Output\n3 6\n").is_empty(), "which is which?");
        assert!(shown("```\n1\n```\nFor example, the input may be large.\n7\n").is_empty());
    }
}
