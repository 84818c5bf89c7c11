//! The files through which generator programs take their draws from rebut, as they are in `generators/include/`.

/// A file for the generators of one language.
#[derive(Clone, Copy, Debug)]
pub struct HelperFile {
    /// Its name.
    pub name: &'static str,
    /// Its contents.
    pub text: &'static str,
}

/// All of them.
pub const HELPER_FILES: [HelperFile; 4] = [
    HelperFile { name: "rebut.h", text: include_str!("../include/rebut.h") },
    HelperFile { name: "rebut.py", text: include_str!("../include/rebut.py") },
    HelperFile { name: "rebut.rs", text: include_str!("../include/rebut.rs") },
    HelperFile { name: "rebut_testlib.h", text: include_str!("../include/rebut_testlib.h") },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn helpers_are_short() {
        for file in HELPER_FILES {
            assert!(file.text.lines().count() <= 150, "{}", file.name);
        }
    }
}
