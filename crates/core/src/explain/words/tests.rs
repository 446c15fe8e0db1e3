use super::*;

fn places(template: &str) -> Vec<&str> {
    let mut places: Vec<&str> =
        template.split('{').skip(1).filter_map(|part| part.split('}').next()).collect();
    places.sort_unstable();
    places.dedup();
    places
}

#[test]
fn languages_fill_the_same_places() {
    let english = catalogue("en");
    let chinese = catalogue("zh-TW");
    let told = &language::language("zh-TW").unwrap().explanations;
    for key in Key::ALL {
        assert!(told.contains_key(english.word(*key)), "{key:?} is not translated");
        assert_eq!(places(english.word(*key)), places(chinese.word(*key)), "{key:?}");
    }
    let keys: Vec<&str> = Key::ALL.iter().map(|key| english.word(*key)).collect();
    let gone: Vec<&String> = told.keys().filter(|it| !keys.contains(&it.as_str())).collect();
    assert!(gone.is_empty(), "translated, but gone: {gone:#?}");
}

#[test]
fn lists_read_well() {
    let english = catalogue("en");
    let items = ["a", "b", "c", "d"].map(Phrase::from);
    assert_eq!(english.list(&items[..1], 3).to_string(), "a");
    assert_eq!(english.list(&items[..2], 3).to_string(), "a and b");
    assert_eq!(english.list(&items[..3], 3).to_string(), "a, b and c");
    assert_eq!(english.list(&items, 2).to_string(), "a, b and 2 more");
    assert_eq!(catalogue("zh-TW").list(&items[..3], 3).to_string(), "a、b 和 c");
}
