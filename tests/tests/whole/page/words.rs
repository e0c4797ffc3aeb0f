//! The two catalogues of the page's texts.
