//! Traditional Chinese as written in Taiwan: hints to selectors.

use super::Entry;

pub(super) const ENTRIES: &[Entry] = &[
    ("`{}` is not known, the variable is called `{}`", "不認得 `{0}`，變數名稱是 `{1}`"),
    ("a device has no field `{}`, but `{}`", "裝置沒有欄位 `{0}`，但有 `{1}`"),
    ("a device has no field `{}`, only {}", "裝置沒有欄位 `{0}`，只有 {1}"),
    ("{} values are used as they are, without `.{}`", "{0} 的值直接使用，不需要 `.{1}`"),
    (
        "domain and name are two keys: first `{}`, then `{}`",
        "網域與名稱是兩個鍵：先 `{0}`，再 `{1}`",
    ),
    (
        "`{}` is a domain of 0 of {} devices, `{}` is one that they use",
        "{1} 個裝置都沒有 `{0}` 這個網域，它們使用 `{2}`",
    ),
    (
        "`{}` is a domain of 0 of {} devices, they use {}",
        "{1} 個裝置都沒有 `{0}` 這個網域，它們使用 {2}",
    ),
    (
        "`{}` is {} of {} of {} devices, not {}: use `{}`",
        "`{0}` 是 {3} 個裝置中 {2} 個的{1}，不是{4}：請用 `{5}`",
    ),
    ("an attribute", "屬性"),
    ("a capacity", "capacity"),
    ("`{}` is on 0 of {} devices, `{}` on {}", "{1} 個裝置都沒有 `{0}`，有 `{2}` 的是 {3} 個"),
    (
        "`{}` is the driver of 0 of {} devices, `{}` of {}",
        "{1} 個裝置都不屬於驅動程式 `{0}`，屬於 `{2}` 的有 {3} 個",
    ),
    (
        "`{}` is the driver of 0 of {} devices, theirs is {}",
        "{1} 個裝置都不屬於驅動程式 `{0}`，它們屬於 {2}",
    ),
    ("`{}` is on 0 of {} devices", "{1} 個裝置都沒有 `{0}`"),
    ("`{}` is on 0 of {} devices, they publish {}", "{1} 個裝置都沒有 `{0}`，它們發布的是 {2}"),
    (
        "`{}` is on {} of {} devices and an error on the others, which stops the allocation",
        "{2} 個裝置中有 {1} 個有 `{0}`，其餘會出錯而中止配置",
    ),
    ("{} are compared with `compareTo`", "{0} 要用 `compareTo` 比較"),
    ("quantities", "數量"),
    ("versions", "版本"),
    ("there is no function `{}`, but `{}`", "沒有函式 `{0}`，但有 `{1}`"),
    (
        "{} are compared with `compareTo`, and `==` with a string fails",
        "{0} 要用 `compareTo` 比較；以 `==` 與字串比較會出錯",
    ),
    (
        "{} are compared with `compareTo`, and `!=` with a string is always true",
        "{0} 要用 `compareTo` 比較；以 `!=` 與字串比較永遠為真",
    ),
    (
        "the result of `{}` is not known on the right of `{}`, which {}: compare with `compareTo`",
        "`{0}` 的結果放在 `{1}` 右邊時不被認得，{2}：請用 `compareTo` 比較",
    ),
    ("then fails", "因而出錯"),
    ("then is always true", "因而永遠為真"),
    ("`{}` is published as {}, which is never equal to {}", "`{0}` 發布的是{1}，永遠不等於{2}"),
    (
        "`{}` is published as {}, which is always different from {}",
        "`{0}` 發布的是{1}，永遠不同於{2}",
    ),
    (
        "`{}` is published as {}, which cannot be compared with {}",
        "`{0}` 發布的是{1}，不能與{2}比較",
    ),
    ("`{}` is published as {}, not as {}", "`{0}` 發布的是{1}，不是{2}"),
    (
        "`{}` is published as a version, and looking for one in a list of constants fails",
        "`{0}` 發布的是版本，在常數清單中尋找版本會出錯",
    ),
    ("an int", "整數"),
    ("a bool", "布林值"),
    ("a version", "版本"),
    (
        "`{}` may be an amount that has no whole number, such as `1500m` or `100Ti`: `asInteger` \
         then fails, `compareTo` does not",
        "`{0}` 可能不是整數能表示的數量，例如 `1500m` 或 `100Ti`：此時 `asInteger` 會出錯，`compareTo` 不會",
    ),
    (
        "this is true for every domain, because a missing one reads as an empty map: ask whether it \
         is `in {}`",
        "這對任何網域都為真，因為不存在的網域讀作空的 map：請改問它是否 `in {0}`",
    ),
    (
        "the checker does not know that `{}` is a list: say that its type is told at run time",
        "檢查器不知道 `{0}` 是清單：請註明其型別到執行時才知道",
    ),
    (
        "`has` wants a field after a dot: ask whether the key is `in` the map",
        "`has` 只接受點號後的欄位：請改問鍵是否 `in` 這個 map",
    ),
    (
        "the expression is empty: write a condition such as `{}`",
        "運算式是空的：請寫一個條件，例如 `{0}`",
    ),
    ("the text that begins here has no closing `{}`", "從這裡開始的文字少了結尾的 `{0}`"),
    ("comparison is written `{}`", "比較要寫成 `{0}`"),
    ("both is written `{}`", "「且」要寫成 `{0}`"),
    ("one of two is written `{}`", "「或」要寫成 `{0}`"),
    ("the opposite is written `{}`", "「非」要寫成 `{0}`"),
    ("unequal is written `{}`", "不等於要寫成 `{0}`"),
    ("there is a dot too many", "多了一個點"),
    ("a name is missing after the dot", "點號後面少了名稱"),
    ("something is missing after `{}`", "`{0}` 後面少了東西"),
    ("something is missing before `{}`", "`{0}` 前面少了東西"),
    (
        "an operator such as `==` or `&&` is missing between `{}` and `{}`",
        "`{0}` 與 `{1}` 之間少了 `==` 或 `&&` 之類的運算子",
    ),
    ("`{}` closes nothing", "`{0}` 沒有對應的開頭"),
    ("`{}` is closed by `{}`, not by `{}`", "`{0}` 要以 `{1}` 結尾，不是 `{2}`"),
    ("`{}` has no closing `{}`", "`{0}` 少了結尾的 `{1}`"),
];
