//! The two catalogues of the page's texts: complete, of one shape, and nothing of the other language on any screen.

use super::stage::{Game, screens};
use flagfall_tests::browser::driver::Driver;
use flagfall_tests::browser::look::{LANGUAGES, LAPTOP};
use flagfall_tests::browser::page::Page;
use flagfall_tests::hall::Plan;
use serde_json::json;

/// Walks both catalogues side by side and lists what differs or is empty. A function is held by its number of
/// parameters, and its source must not hold texts of the other language.
const COMPARE: &str = r#"
    const [zh, en] = await Promise.all(['zh', 'en'].map(async (name) => (await import(`/words/${name}.js`)).default));
    const wrong = [];
    let count = 0;
    const kind = (value) => Array.isArray(value) ? 'list' : typeof value;
    const article = /[一二三四五六七八九十]+(\.\d+|\(\d+\))/g;
    const chinese = (text) => /[\u3400-\u9fff\uff00-\uffef\u3000-\u303f]/.test(text.replace(article, ''));
    const walk = (path, a, b) => {
        if (kind(a) !== kind(b)) return wrong.push(`${path}: ${kind(a)} in zh, ${kind(b)} in en`);
        if (kind(a) === 'object' || kind(a) === 'list') {
            for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
                if (!Object.hasOwn(a, key)) wrong.push(`${path}.${key}: not in zh`);
                else if (!Object.hasOwn(b, key)) wrong.push(`${path}.${key}: not in en`);
                else walk(path ? `${path}.${key}` : key, a[key], b[key]);
            }
            return;
        }
        count++;
        if (kind(a) === 'function') {
            if (a.length !== b.length) wrong.push(`${path}: takes ${a.length} in zh, ${b.length} in en`);
            if (chinese(String(b))) wrong.push(`${path}: Chinese in en: ${b}`);
            return;
        }
        if (kind(a) !== 'string') return wrong.push(`${path}: is a ${kind(a)}`);
        for (const [name, text] of [['zh', a], ['en', b]]) if (!text.trim()) wrong.push(`${path}: empty in ${name}`);
        // the button to the other language speaks that one
        if (path !== 'language' && chinese(b)) wrong.push(`${path}: Chinese in en: ${b}`);
    };
    walk('', zh, en);
    return {count, wrong};
"#;

/// Static texts and labels whose place is in no catalogue.
const PLACES: &str = r#"
    const [zh, en] = await Promise.all(['zh', 'en'].map(async (name) => (await import(`/words/${name}.js`)).default));
    const find = (words, path) => path.split('.').reduce((table, name) => table && table[name], words);
    const places = [...document.querySelectorAll('[data-word], [data-label]')].flatMap((element) => [element.dataset.word, element.dataset.label]);
    return {count: places.length, wrong: places.filter((path) => path && [zh, en].some((words) => typeof find(words, path) !== 'string'))};
"#;

/// Words of the other language among the texts that a person sees or a reader reads out. `arguments[0]` is the language,
/// `arguments[1]` what is named so by people: players, teams, users, the event.
const FOREIGN: &str = r"
    const [language, names] = arguments;
    const texts = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const element = node.parentElement;
        if (!element.checkVisibility() || element.closest('script, noscript, [data-own-words]') || element.id === 'language') continue;
        texts.push(node.data);
    }
    for (const element of document.querySelectorAll('[aria-label], [title], [placeholder]')) {
        if (element.checkVisibility()) for (const name of ['aria-label', 'title', 'placeholder']) texts.push(element.getAttribute(name) || '');
    }
    const bare = (text) => [...names].sort((a, b) => b.length - a.length)
        .reduce((text, name) => text.split(name).join(' '), text).replace(/\b[0-9a-f]{32}\b/g, ' ').replace(/[一二三四五六七八九十]+(\.\d+|\(\d+\))/g, ' ');
    const foreign = language === 'en' ? /[\u3400-\u9fff]+/g : /[A-Za-z]{2,}/g;
    const found = texts.flatMap((text) => (bare(text).match(foreign) || []).map((word) => `${word} in «${text.trim()}»`));
    return [...new Set(found)];
";

/// Words that stand in Chinese texts as they are: programs' names, kinds of file, units, keys of a keyboard.
const AS_IT_IS: &[&str] = &["CSV", "KB", "Alt", "Esc", "Flagfall", "QR", "wugong"];

/// Words of the other language on what is shown now, but for these names.
pub async fn foreign(page: &Page, language: &str, names: &[String]) -> Vec<String> {
    let names: Vec<&str> = names.iter().map(String::as_str).chain(AS_IT_IS.iter().copied()).collect();
    let found = page.session.script(FOREIGN, json!([language, names])).await;
    found.as_array().into_iter().flatten().filter_map(|word| word.as_str().map(str::to_owned)).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_catalogues_have_the_same_entries_and_none_is_empty() {
    let hall = Plan { broker: false, ..Plan::default() }.open().await;
    let driver = Driver::start();
    let page = Page::open(&driver, hall.port, "chief", LAPTOP).await;
    let found = page.session.script_async(COMPARE, json!([])).await;
    assert!(found["count"].as_u64() > Some(150), "that is no catalogue: {found}");
    assert_eq!(found["wrong"], json!([]), "of {} entries", found["count"]);
    let found = page.session.script_async(PLACES, json!([])).await;
    assert!(found["count"].as_u64() > Some(40), "where are the static texts? {found}");
    assert_eq!(found["wrong"], json!([]), "of {} places", found["count"]);
    page.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_screen_speaks_the_other_language() {
    let game = Game::open(3).await;
    let desk = &game.desk;
    desk.done("board.result", json!({"board": "1", "result": "1-0", "cause": "mate"})).await;
    for _ in 0..2 {
        desk.done("foul.record", json!({"board": "2", "player": "first", "article": "六.3"})).await;
    }
    desk.done("claim.open", json!({"board": "3", "player": "second", "kind": "draw"})).await;
    let mut names: Vec<String> = (1..=3).flat_map(|n| [format!("Red {n}"), format!("Black {n}")]).collect();
    names.extend(["the chief", "a test", "A0"].map(String::from));
    let page = game.page("chief", LAPTOP).await;
    let mut wrong = Vec::new();
    for language in LANGUAGES {
        page.go_address("hall").await;
        page.speak(language).await;
        for screen in screens() {
            page.go_address(screen).await;
            let found = foreign(&page, language, &names).await;
            wrong.extend(found.iter().map(|word| format!("{language} {screen}: {word}")));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    page.end().await;
}
