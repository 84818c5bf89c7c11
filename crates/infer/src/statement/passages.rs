//! Finds the text about the input in statements without headings: the paragraph with a sentence such as `The first line
//! of the input contains ...`, up to the sentence about the output.

/// The beginnings of sentences about the input and the output in one language. Letters have their case.
pub(super) struct PassageWords {
    /// The beginnings of sentences about the input.
    pub(super) input: &'static [&'static str],
    /// The beginnings of sentences about lines, which are of the input if they have the word `of_input`.
    pub(super) line: &'static [&'static str],
    /// A part of the word for the input.
    pub(super) of_input: &'static str,
    /// The beginnings of sentences about the output.
    pub(super) output: &'static [&'static str],
    /// Phrases of sentences about the output.
    pub(super) printing: &'static [&'static str],
}

impl PassageWords {
    /// Returns the first part of a text that is about the input, as far as its paragraph is.
    pub(super) fn input_passage<'t>(&self, text: &'t str) -> Option<&'t str> {
        text.split("\n\n").find_map(|paragraph| {
            let starts = sentence_starts(paragraph);
            let first = starts.iter().position(|start| self.begins_input(&paragraph[*start..]))?;
            let is_output = |start: &usize| self.is_about_output(first_sentence(&paragraph[*start..]));
            let end = starts[first + 1..].iter().copied().find(is_output).unwrap_or(paragraph.len());
            Some(&paragraph[starts[first]..end])
        })
    }

    fn begins_input(&self, text: &str) -> bool {
        let begins = |words: &[&str]| words.iter().any(|word| text.starts_with(word));
        begins(self.input) || begins(self.line) && first_sentence(text).contains(self.of_input)
    }

    fn is_about_output(&self, sentence: &str) -> bool {
        self.output.iter().any(|word| sentence.starts_with(word))
            || self.printing.iter().any(|phrase| sentence.contains(phrase))
    }
}

/// Returns where the sentences of a paragraph begin.
fn sentence_starts(paragraph: &str) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut ends_sentence = true;
    for (at, c) in paragraph.char_indices() {
        if ends_sentence && !c.is_whitespace() {
            starts.push(at);
        }
        ends_sentence = matches!(c, '.' | '!' | '?') || ends_sentence && c.is_whitespace();
    }
    starts
}

fn first_sentence(text: &str) -> &str {
    text.split_inclusive(['.', '!', '?']).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::outline::tests::check_outlines;

    #[test]
    fn passages_about_the_input_need_no_heading() {
        let story = "Jón er með $K$ bækur og hann les þær. Hver lína er löng, t.d. sú fyrsta.\n\n";
        for (text, expected) in [
            (
                "Skrifið forrit sem leggur saman. Fyrsta lína inntaksins inniheldur heiltöluna $n$. Þar eftir fylgja $n$\nlínur, \
                 sem hver inniheldur tvær heiltölur $a$ og $b$ aðskildar með bili. Úttak á að innihalda eina línu með $c$.",
                "n; n x a b",
            ),
            (
                "Á fyrstu línu inntaksins eru heiltölurnar $1 \\leq n \\leq 26$ og $1 \\leq k \\leq 100$.\n\nInntakið er $m$.",
                "n k",
            ),
            (
                "Inntakið inniheldur eina línu með heiltölunni $n$. Fyrir hvert $n$ á að skrifa út eina línu með $m$.",
                "n",
            ),
            ("Á fyrstu línu er talan $x$ sem er of stór.", "none"),
        ] {
            check_outlines(&[(&format!("{story}{text}"), expected)]);
        }
    }

    #[test]
    fn sections_in_icelandic_are_read() {
        let text = "Saga sem er löng.\n\\section*{Inntak}\nFyrsta lína inntaksins inniheldur eina heiltölu $n$, fjölda riddara, \
                    þar sem $1 \\leq n \\leq 1000$.\nNæst fylgja $n$ línur, þar sem $i$-ta línan samanstendur af tveimur heiltölum \
                    $h_i$, hraustleika, og $s_i$, styrk, þar sem $1 \\leq h_i, s_i \\leq 9$.\n\\section*{Úttak}\nEin lína með $x$.";
        check_outlines(&[(text, "n; n x h s")]);
    }
}
