//! What the sources of the desk page promise, read as texts: every request has its action, and nothing from outside
//! becomes markup.

use flagfall_tests::hall::Hall;

/// All files of the desk page: their paths and texts.
fn page() -> Vec<(String, String)> {
    fn read(folder: &std::path::Path, into: &mut Vec<(String, String)>) {
        for entry in std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path())
        {
            if entry.is_dir() {
                read(&entry, into);
            } else {
                let text = std::fs::read_to_string(&entry).expect("a text");
                into.push((entry.display().to_string(), text));
            }
        }
    }
    let mut files = Vec::new();
    read(&Hall::of_workspace("daemon/src/desk/page"), &mut files);
    assert!(files.len() > 20, "{} files of the page were found", files.len());
    files
}

#[test]
fn every_request_of_the_contract_is_an_action_of_the_page() {
    let texts: String = page().into_iter().map(|(_, text)| text).collect();
    let methods = flagfall_arbiter::Request::METHODS.iter().copied();
    let missing: Vec<&str> = methods.filter(|method| !texts.contains(&format!("\"{method}\""))).collect();
    assert!(missing.is_empty(), "nothing on the page asks {missing:?}");
}

#[test]
fn nothing_on_the_page_makes_markup_of_a_text_or_fetches_from_elsewhere() {
    let never = [
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "new Function",
        "style=",
        "onclick=",
    ];
    for (file, text) in page() {
        for never in never {
            assert!(!text.contains(never), "{file} has {never}");
        }
        for (number, line) in text.lines().enumerate() {
            let elsewhere = line.match_indices("//").any(|(at, _)| {
                let before = &line[..at];
                (before.ends_with("http:") || before.ends_with("https:"))
                    && !line.contains("www.w3.org/2000/svg")
            });
            assert!(!elsewhere, "{file}:{} names another host: {line}", number + 1);
        }
    }
}

#[test]
fn every_picture_the_documents_show_is_there_and_small() {
    let mut shown = 0;
    for document in ["README.md", "docs/desk.md"] {
        let path = Hall::of_workspace(document);
        let text = std::fs::read_to_string(&path).expect("the document");
        for picture in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if !picture.ends_with(".png") {
                continue;
            }
            let file = path.parent().expect("a folder").join(picture);
            let size = std::fs::metadata(&file)
                .unwrap_or_else(|why| panic!("{document} shows {picture}: {why}"))
                .len();
            assert!((1_000..300_000).contains(&size), "{picture} has {size} bytes");
            shown += 1;
        }
    }
    assert!(shown >= 6, "only {shown} pictures were found: does the test still read them?");
}
