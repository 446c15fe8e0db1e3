use super::*;

#[test]
fn what_the_user_wrote_keeps_its_place() {
    let said = |text| translate(text, "zh-TW");
    assert_eq!(said("unknown field `spec.x`"), "未知的欄位 `spec.x`");
    assert_eq!(said("there is no kind `A` in `b/v1`"), "`b/v1` 中沒有 `A` 這個種類");
    assert_eq!(said("`spec` must be a map, not number 3"), "`spec` 必須是物件，不能是數字 3");
    assert_eq!(said("nobody says this"), "nobody says this");
    assert_eq!(translate("unknown field `spec.x`", "en"), "unknown field `spec.x`");
}

#[test]
fn parts_that_are_sentences_are_said_too() {
    let text = "DeviceTaintRule `at once` taints 3 devices, 2 in use; Pods to evict at once: a, b; \
                Pods to evict after 10s: c; Pods to evict after 300s: d; \
                not evicted, as extended resources are passed over: e";
    let said = translate(text, "zh-TW");
    assert_eq!(
        said,
        "DeviceTaintRule `at once` 會影響 3 個裝置，其中 2 個使用中；立刻驅逐的 Pod：a, b；10 秒後驅逐的 \
         Pod：c；300 秒後驅逐的 Pod：d；因略過擴充資源而不驅逐：e"
    );
}

/// A class may be called as a word of ours is.
#[test]
fn what_stands_in_backticks_is_not_translated() {
    assert_ne!(translate("anything", "zh-TW"), "anything");
    let text = "class `anything` has no selectors: every device of every driver is in it";
    let said = translate(text, "zh-TW");
    assert!(said.contains("`anything`"), "{said}");
}

#[test]
fn every_place_of_a_translation_is_in_its_key() {
    for (key, words) in &words_of("zh-TW").unwrap().sentences {
        let places = key.matches("{}").count();
        for (index, piece) in words.split('{').enumerate().skip(1) {
            let number: usize = piece.split_once('}').unwrap().0.parse().unwrap();
            assert!(number < places, "{key}: place {number} (piece {index})");
        }
        let used = (0..places).filter(|at| words.contains(&format!("{{{at}}}"))).count();
        assert_eq!(used, places, "{key}: a place is not used");
    }
}
