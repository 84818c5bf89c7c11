#![allow(clippy::unwrap_used, reason = "a test may panic")]

use super::*;
use rebut_generators::Choices;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const BLOCKS: u64 = 9;

fn manifest(seed: u64) -> JournalManifest {
    let parts = BTreeMap::from([("seed".to_owned(), seed.to_string())]);
    JournalManifest { version: JOURNAL_VERSION, arguments: vec!["stress".to_owned()], parts }
}

fn write(folder: &Path, block: u64, result: &str, time: u64) {
    JournalWriter::open(folder, &manifest(1)).unwrap().write_block(block, result.to_owned(), time).unwrap();
}

fn results(paths: &[PathBuf]) -> Vec<(u64, Vec<String>)> {
    let set = JournalSet::open(paths).unwrap();
    let read = |number| {
        let reading = set.read_block::<String, u64>(number);
        assert!(reading.damages.is_empty());
        (number, reading.runs.into_iter().map(|(result, _)| result).collect())
    };
    set.block_numbers().map(read).collect()
}

#[test]
fn union_of_journals_is_associative_commutative_and_idempotent() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole");
    // One block has two results, as with a flaky program.
    (0..BLOCKS).for_each(|block| write(&whole, block, &format!("result {block}"), 0));
    write(&whole, 4, "another result", 0);
    let expected = results(std::slice::from_ref(&whole));
    assert_eq!(expected.len(), BLOCKS as usize);
    assert_eq!(expected[4].1.len(), 2);
    for seed in 0..12 {
        let mut choices = Choices::from_seed(seed, 0);
        let parts: Vec<PathBuf> = (0..3).map(|part| folder.path().join(format!("{seed}-{part}"))).collect();
        for part in &parts {
            JournalWriter::open(part, &manifest(1)).unwrap();
        }
        for block in 0..BLOCKS {
            // Each block is in one part at least, and in others with other times.
            for _ in 0..=choices.draw_below(2) {
                let part = &parts[usize::try_from(choices.draw_below(3)).unwrap()];
                write(part, block, &format!("result {block}"), choices.draw_below(100));
                if block == 4 {
                    write(part, block, "another result", 7);
                }
            }
        }
        let [a, b, c] = [0, 1, 2].map(|part| parts[part].clone());
        assert_eq!(results(&[a.clone(), b.clone(), c.clone()]), expected);
        assert_eq!(results(&[c.clone(), a.clone(), b.clone(), a.clone()]), expected);
        // A union is made by copying files: that of two, and then with the third.
        for entry in std::fs::read_dir(&b).unwrap().map(Result::unwrap) {
            std::fs::copy(entry.path(), a.join(entry.file_name())).unwrap();
        }
        assert_eq!(results(&[a.clone(), c]), expected);
        assert_eq!(results(&[a.clone(), b]), results(&[a]));
    }
}

#[test]
fn times_are_no_part_of_a_result() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), 3, "same", 5);
    write(folder.path(), 3, "same", 6);
    assert_eq!(results(&[folder.path().to_owned()]), [(3, vec!["same".to_owned()])]);
}

#[test]
fn damaged_files_are_named_unless_there_is_a_copy() {
    let (folder, copy) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write(folder.path(), 0, "result", 1);
    write(copy.path(), 0, "result", 1);
    let is_block = |path: &PathBuf| path.display().to_string().contains("block-");
    let file = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).find(is_block).unwrap();
    let text = std::fs::read_to_string(&file).unwrap();
    let damages = |paths: &[PathBuf]| {
        let reading = JournalSet::open(paths).unwrap().read_block::<String, u64>(0);
        (reading.runs.len(), reading.damages)
    };
    for damaged in [&text[..text.len() / 2], "", "{}", &text.replace("result\"", "other\"")] {
        std::fs::write(&file, damaged).unwrap();
        let (runs, found) = damages(&[folder.path().to_owned()]);
        assert_eq!((runs, found.len()), (0, 1), "{damaged}");
        assert!(found[0].contains("block-00000000-"), "{found:?}");
        let both = [folder.path().to_owned(), copy.path().to_owned()];
        assert_eq!(damages(&both).0, 1);
    }
}

#[test]
fn other_searches_are_refused_with_what_differs() {
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write(one.path(), 0, "result", 1);
    JournalWriter::open(two.path(), &manifest(2)).unwrap();
    let error = JournalSet::open(&[one.path().to_owned(), two.path().to_owned()]).err().unwrap();
    assert!(error.message().contains(&two.path().display().to_string()), "{error:?}");
    assert!(error.note().unwrap_or_default().contains("seed: 1 / 2"), "{error:?}");
    assert!(JournalWriter::open(one.path(), &manifest(2)).is_err());
    let empty = tempfile::tempdir().unwrap();
    assert!(JournalSet::open(&[empty.path().to_owned()]).is_err());
}
