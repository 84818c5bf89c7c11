//! The samples that a statement shows: in Markdown and LaTeX, in a page of HTML, and in the text that is copied from one.

use std::borrow::Cow;

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

/// Marks of preformatted text, and of its end.
const FENCES: [(&str, &str); 3] =
    [("```", "```"), ("\\begin{verbatim}", "\\end{verbatim}"), ("\\begin{lstlisting}", "\\end{lstlisting}")];

/// Words of headings above samples, in the languages of judges.
const SAMPLE_WORDS: [&str; 9] = ["sample", "example", "样例", "例", "예제", "пример", "exemplo", "ejemplo", "exemple"];
const INPUT_WORDS: [&str; 7] = ["input", "输入", "入力", "입력", "входные данные", "entrada", "entrée"];
const OUTPUT_WORDS: [&str; 8] = ["output", "输出", "出力", "출력", "выходные данные", "saída", "salida", "sortie"];

/// Words of other headings.
const OTHER_WORDS: [&str; 17] = [
    "note",
    "explanation",
    "hint",
    "constraint",
    "subtask",
    "scoring",
    "source",
    "limit",
    "说明",
    "提示",
    "解释",
    "范围",
    "解説",
    "制約",
    "힌트",
    "제한",
    "примечание",
];

/// Maximum number of letters of a heading.
const MAX_HEADING_LETTERS: usize = 30;

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
    let text = if statement.contains("</pre>") { Cow::from(text_of_page(statement)) } else { statement.into() };
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
        } else if let Some((_, end)) = FENCES.iter().find(|(begin, _)| start.starts_with(begin)) {
            fence = Some(*end);
            reader.begin_enclosed(number + 1);
        } else {
            reader.read_line(line, number);
        }
    }
    reader.finish_sample();
    reader.found
}

/// Reads the lines of a statement one by one.
#[derive(Default)]
struct SampleReader {
    found: Vec<ShownSample>,
    /// True below a heading above all samples, where `Input` is the heading of one.
    is_below_samples: bool,
    /// For each heading without a sample so far, true if it is that of an input: a table has two in a row.
    expected: Vec<bool>,
    /// The sample that is read.
    current: Option<ShownSample>,
}

impl SampleReader {
    /// Reads a line that no marks enclose.
    fn read_line(&mut self, line: &str, number: usize) {
        match find_heading(line, self.is_below_samples) {
            Some(heading) => {
                self.finish_sample();
                match heading {
                    Heading::Samples => self.is_below_samples = true,
                    Heading::Sample { is_input } => self.expected.push(is_input),
                    Heading::Other => self.expected.clear(),
                }
            }
            None if self.current.is_some() => self.add_line(line),
            None => {
                let is_text = !line.trim().is_empty() && !is_button(line);
                if let ([is_input], true) = (&self.expected[..], is_text) {
                    let new =
                        ShownSample { is_input: *is_input, line: number, text: String::new(), is_enclosed: false };
                    self.current = Some(new);
                    self.expected.clear();
                    self.add_line(line);
                }
            }
        }
    }

    /// Begins the sample of the first heading that has none yet. Text between the heading and the mark is no sample.
    fn begin_enclosed(&mut self, line: usize) {
        let replaced = self.current.take().map(|text| text.is_input);
        let expected = replaced.or_else(|| (!self.expected.is_empty()).then(|| self.expected.remove(0)));
        let new = |is_input| ShownSample { is_input, line, text: String::new(), is_enclosed: true };
        self.current = expected.map(new);
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
        self.found.extend(Some(sample).filter(|sample| !sample.text.trim().is_empty()));
    }
}

/// Returns the text of a sample without the empty lines at its end, and an output without an explanation after it.
fn without_prose(text: &str, is_input: bool) -> String {
    const MIN_WORDS: usize = 4;
    let is_prose = |part: &str| {
        let words = part.split_whitespace().filter(|word| word.chars().any(char::is_alphabetic));
        words.take(MIN_WORDS).count() == MIN_WORDS
    };
    let end = text.match_indices("\n\n").map(|(at, _)| at).find(|at| !is_input && is_prose(&text[*at..]));
    let kept = text[..end.unwrap_or(text.len())].trim_end();
    let kept = kept.lines().filter(|line| !is_button(line));
    kept.flat_map(|line| [line.trim_end(), "\n"]).collect()
}

fn is_button(line: &str) -> bool {
    BUTTONS.contains(&line.trim().to_lowercase().as_str())
}

/// Returns the meaning of a line that is a heading. `Input` alone is that of a sample only below the heading of all samples.
fn find_heading(line: &str, is_below_samples: bool) -> Option<Heading> {
    let line = line.trim();
    let is_marked = line.trim_start_matches('#').starts_with(' ') && line.starts_with('#')
        || ["**", "\\section", "\\subsection", "\\textbf"].iter().any(|mark| line.starts_with(mark));
    if line.chars().filter(|c| c.is_alphabetic()).count() > MAX_HEADING_LETTERS {
        return is_marked.then_some(Heading::Other);
    }
    let mut text = line.replace("\\subsection", "").replace("\\section", "").replace("\\textbf", "").to_lowercase();
    BUTTONS.iter().for_each(|button| text = text.replace(button, " "));
    let words: Vec<&str> = text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()).collect();
    let text = words.join(" ");
    let is_known = |known: &&str| match known.is_ascii() {
        true => words.iter().any(|word| word.strip_suffix('s').unwrap_or(word) == *known),
        false => text.contains(known),
    };
    let has = |known: &[&str]| known.iter().any(is_known);
    // "Output for the Sample Input".
    let is_output = has(&OUTPUT_WORDS);
    let is_input = has(&INPUT_WORDS) && !text.starts_with("output for");
    let is_title = is_marked || line.starts_with(|c: char| c.is_uppercase() || !c.is_ascii());
    match words.len() {
        0 => None,
        1..=3 if is_title && has(&OTHER_WORDS) => Some(Heading::Other),
        1..=5 if is_title && has(&SAMPLE_WORDS) => Some(match is_input != is_output {
            true => Heading::Sample { is_input },
            false => Heading::Samples,
        }),
        1 | 2 if is_below_samples && is_input != is_output => Some(Heading::Sample { is_input }),
        _ => is_marked.then_some(Heading::Other),
    }
}

/// Returns the text of a page in HTML, with preformatted text between fences.
fn text_of_page(page: &str) -> String {
    /// Elements that begin a line.
    const BLOCKS: [&str; 15] =
        ["p", "div", "br", "li", "tr", "td", "th", "h1", "h2", "h3", "h4", "h5", "h6", "section", "table"];
    const ENTITIES: [(&str, &str); 6] =
        [("&lt;", "<"), ("&gt;", ">"), ("&nbsp;", " "), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
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
            // A line of a sample can be an element of its own.
            block if BLOCKS.contains(&block) && is_line_begun => text.push('\n'),
            _ => {}
        }
        text.push_str(if text.ends_with("```\n") { after.strip_prefix('\n').unwrap_or(after) } else { after });
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
