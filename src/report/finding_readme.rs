//! What a finding's folder says about itself.

use crate::campaign::Found;
use std::path::Path;

/// The text of the `README.md` of a finding that is saved in `folder`.
pub fn finding_readme(found: &Found, folder: &Path) -> String {
    let _ = (found, folder);
    String::new()
}
