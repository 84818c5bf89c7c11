//! A picture that a program of a package drew.

/// A picture that a visualizer of a package drew. Its contents are not to be trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FindingImage {
    /// Its subject: `Input`, or `Output, judgeimage`.
    pub title: String,
    /// The format of the file.
    pub kind: ImageKind,
    /// The file.
    pub bytes: Vec<u8>,
}

/// A format of picture files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageKind {
    /// Shapes as text.
    Svg,
    /// Pixels, without loss.
    Png,
    /// Pixels, with loss.
    Jpeg,
}

impl FindingImage {
    /// The title of the picture of an input.
    pub const INPUT_TITLE: &str = "Input";

    /// Returns the picture in a file, or `None` if its beginning is not that of a picture.
    pub fn from_bytes(title: &str, bytes: Vec<u8>) -> Option<FindingImage> {
        let kind = ImageKind::from_bytes(&bytes)?;
        Some(FindingImage { title: title.to_owned(), kind, bytes })
    }
}

impl ImageKind {
    /// Returns the format of a file with this contents, or `None` if it is not a picture.
    pub fn from_bytes(bytes: &[u8]) -> Option<ImageKind> {
        /// Number of bytes within which an SVG file names its root.
        const SVG_HEAD: usize = 1000;
        let head = String::from_utf8_lossy(&bytes[..bytes.len().min(SVG_HEAD)]);
        match bytes {
            _ if bytes.starts_with(b"\x89PNG\r\n\x1a\n") => Some(ImageKind::Png),
            _ if bytes.starts_with(b"\xff\xd8\xff") => Some(ImageKind::Jpeg),
            _ if head.trim_start().starts_with('<') && head.contains("<svg") => Some(ImageKind::Svg),
            _ => None,
        }
    }

    /// Returns the media type: `image/svg+xml`.
    pub fn media_type(self) -> &'static str {
        match self {
            ImageKind::Svg => "image/svg+xml",
            ImageKind::Png => "image/png",
            ImageKind::Jpeg => "image/jpeg",
        }
    }

    /// Returns the extension of such files: `svg`.
    pub fn file_extension(self) -> &'static str {
        match self {
            ImageKind::Svg => "svg",
            ImageKind::Png => "png",
            ImageKind::Jpeg => "jpg",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn format_is_that_of_the_contents() {
        let kind = ImageKind::from_bytes;
        assert_eq!(kind(b"<?xml version='1.0'?>\n<svg/>"), Some(ImageKind::Svg));
        assert_eq!(kind(b"\x89PNG\r\n\x1a\n..."), Some(ImageKind::Png));
        assert_eq!(kind(b"\xff\xd8\xff\xe0"), Some(ImageKind::Jpeg));
        for other in [&b""[..], b"<html></html>", b"GIF89a", b"see <svg"] {
            assert_eq!(kind(other), None);
        }
    }
}
