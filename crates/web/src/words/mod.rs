//! The page's own words. Kubernetes' words stay as they are.
//!
//! English stands here; other languages in the core's language files, keyed by the English words.

mod en;

use std::cell::RefCell;
use std::fmt::Display;

use dra_playground_core::workspace::language::{self, Language};

macro_rules! words {
    ($($(#[$about:meta])* $field:ident,)*) => {
        /// All words of one language. `{0}`, `{1}` … are filled in by [`fill`].
        #[derive(Debug, PartialEq, Eq)]
        pub(crate) struct Words {
            /// Tag of the language.
            pub(crate) code: &'static str,
            $($(#[$about])* pub(crate) $field: &'static str,)*
        }

        impl Words {
            /// The English words in another language.
            fn of(language: &'static Language) -> Self {
                let english = &en::WORDS;
                let english = [$(english.$field),*];
                let [$($field),*] = english.map(|it| language::said(Some(&language.page), it));
                Self { code: language.code, $($field),* }
            }

            /// Address of a page of the site in this language.
            pub(crate) fn page(&self, folder: &str, page: &str) -> String {
                let language = if self.code == "en" { "" } else { self.code };
                let slash = if language.is_empty() { "" } else { "/" };
                format!("{folder}/{language}{slash}{page}.html")
            }

            /// Every word.
            #[cfg(test)]
            fn all(&self) -> Vec<&'static str> {
                vec![$(self.$field),*]
            }
        }
    };
}

words! {
    /// Between the members of a list.
    comma,
    /// Between a name and what belongs to it.
    colon,
    skip,
    panes,
    answer,
    yaml_pane,
    yaml_editor,
    text,
    lines_n,
    editor_hint,
    insert,
    insert_inventory,
    insert_inventory_how,
    insert_it,
    insert_object,
    outline,
    nothing_yet,
    empty,
    valid_for,
    esc_tab,
    reference,
    line,
    close,
    copied,
    copy_failed,
    share,
    share_button,
    link,
    link_size,
    link_long,
    link_how,
    copy_link,
    copy_markdown,
    print,
    open_in,
    bad_link,
    language,
    language_failed,
    gallery_failed,
    theme,
    more_menu,
    kubernetes_version,
    version_of_text,
    gates,
    gates_are,
    gates_of,
    defaults,
    changed_n,
    reset_gates,
    default_is,
    on,
    off,
    not_in_release,
    behavior,
    as_released,
    fixed,
    variant,
    scenario_menu,
    scenarios,
    untitled,
    new_scenario,
    timeline,
    step_back,
    step_on,
    play,
    pause,
    objects_read,
    no_change,
    write_steps,
    forget_steps,
    more,
    unreadable,
    older_answer,
    partial_answer,
    show_line,
    fell,
    fell_detail,
    stopped,
    still_working,
    still_working_detail,
    stop,
    pods_after,
    pods_table,
    actions,
    claims,
    devices,
    none,
    delete_pod,
    delete_named,
    put_back,
    put_back_named,
    not_there,
    hypothetical,
    pod_at_step,
    runs_with,
    runs_without,
    finished,
    waits,
    verbatim,
    copy_message,
    fits,
    feasible,
    node_answers,
    nodes_n,
    what_ifs,
    what_ifs_how,
    apply,
    in_vain,
    search,
    search_how,
    show_search,
    search_of,
    search_left_out,
    search_back,
    search_on,
    search_deepest,
    search_entry,
    search_entries,
    search_at,
    search_taken,
    search_left,
    search_constraints,
    compare,
    compare_how,
    compare_with,
    compare_keep,
    compare_nothing,
    compare_kept,
    compare_sum,
    compare_now,
    compare_other,
    compare_differs,
    still_working_first,
    fell_first,
    pool_counts,
    pool_partition,
    pool_shareable,
    pool_capacity,
    effective,
    copy_effective,
    on_devices,
    compare_step,
    try_changes,
    trying,
    nothing_helps,
    sieve_to_none,
    sieve_to,
    line_per_device_cards,
    line_per_device,
    line_per_many,
    left_over,
    not_reached,
    devices_of,
    request,
    node,
    rack,
    rack_how,
    to_scale,
    to_scale_by,
    all_cards,
    pool_line,
    cards_devices,
    pools_elsewhere,
    cards_n,
    find_pool,
    cards_range,
    cards_before,
    cards_after,
    free,
    held,
    partly,
    tainted,
    admin,
    admin_by,
    held_by,
    refused,
    cannot_now,
    asks,
    not_booked,
    left_of,
    gauge,
    gauge_short,
    as_one,
    as_many,
    or,
    shares_of,
    share_n,
    does_not_fit,
    has_device,
    wants_one,
    card_caption,
    account_of,
    after_step,
    entry,
    opening,
    takes,
    claim_at_step,
    claim_alone,
    balance,
    nothing_booked,
    matrix,
    matrix_how,
    filter_devices,
    filter_by_verdict,
    all_n,
    all_requests,
    device,
    devices_n,
    devices_cards,
    nothing_passes,
    family_fit,
    family_quantity,
    family_held,
    family_rule,
    family_fault,
    family_none,
    selectors,
    selectors_how,
    readable,
    of_class,
    of_request,
    copy_expression,
    compile_error,
    admission_error,
    both_accept,
    scheduler_accepts,
    worst_cost,
    part_skipped,
    not_reached_cell,
    not_run,
    selector_label,
    cost,
    comprehension,
    answers,
    answer_head,
    which,
    every_part,
    part,
    balances,
    counter_sets,
    capacities,
    left_of_total,
    of_total,
    used_by,
    nobody,
    alike_n,
    claims_how,
    reserved_for,
    from_template,
    asked,
    consumed,
    admin_access,
    admin_asked,
    marks,
    mark,
    mark_from,
    status_yaml,
    copy_status,
    copy_report,
    inventory,
    inventory_line,
    inventory_shapes,
    pools,
    pool,
    pools_n,
    driver,
    generation,
    slices,
    state,
    pool_complete,
    pool_incomplete,
    pool_invalid,
    n_of_m,
    preset_of,
    switch_note,
    diagnostics,
    error_1,
    warning_1,
    note_1,
    errors_n,
    warnings_n,
    notes_n,
    error,
    warning,
    note,
    expectations_hold,
    expectations_fail,
    holds,
    fails,
    at_step,
    found_instead,
    remarks,
    remarks_how,
    known_bug,
    random_order,
    not_modelled,
    choice,
    fixed_in,
    see_fixed,
    analyzing,
    no_pods,
    runs_here,
    keys,
    key_steps,
    key_play,
    key_pods,
    key_filter,
    key_fix,
    key_find,
    key_share,
    key_leave,
    key_pane,
    about,
    new_tab,
    key_clear,
    empty_lede,
    empty_prose,
    copy_command,
    paste,
    open_files,
    or_drop,
    cannot_read,
    or_scenario,
    learn_in_ten,
    link_empty,
    link_unknown,
    link_damaged,
    link_truncated,
    link_too_large,
    link_malformed,
    no_example,
    not_kept,
    source_title,
    source_how,
    source_load,
    source_loading,
    source_refuse,
    source_not_allowed,
    source_failed,
    step_of,
    read_only,
    theme_system,
    theme_light,
    theme_dark,
    theme_contrast,
    copy_iframe,
    copy_source,
    opens_at,
    top_of_page,
    link_fits,
    link_long_chat,
    not_in_address,
    link_too_long,
    source_of_file,
    exports,
    export_report,
    export_tables,
    export_json,
    export_status,
    export_text,
    export_picture,
    export_svg,
    export_png,
    picture,
    export_failed,
    saved,
    save_as,
    save_it,
    scenario_name,
    history,
    history_how,
    history_empty,
    forget,
    forget_named,
    forget_history,
    shelf_export,
    shelf_import,
    shelf_imported,
    shelf_not_read,
    search_scenarios,
    scenarios_n,
    nothing_found,
    guide,
    copy_named,
    export_line,
    about_code,
    loads_of,
    free_n,
}

thread_local! {
    static TRANSLATED: RefCell<Vec<&'static Words>> = const { RefCell::new(Vec::new()) };
}

/// The words of a language; English for one that is not known or not there yet.
pub(crate) fn words(code: &str) -> &'static Words {
    let Some(language) = language::language(code) else { return &en::WORDS };
    TRANSLATED.with_borrow_mut(|all| {
        all.iter().copied().find(|it| it.code == language.code).unwrap_or_else(|| {
            // Once per language, for as long as the page lives.
            let words: &'static Words = Box::leak(Box::new(Words::of(language)));
            all.push(words);
            words
        })
    })
}

/// The first of the wanted languages that there is, by tag or by script.
pub(crate) fn pick(wanted: impl IntoIterator<Item = String>) -> &'static str {
    wanted.into_iter().find_map(|tag| language::find(&tag)).map_or("en", |it| it.code)
}

/// Fills the places of a template: `{0}` stands for the first value, `{0:one|many}` for the word
/// that fits its number. What a value says is never taken for a place.
pub(crate) fn fill(template: &str, values: &[&dyn Display]) -> String {
    let values: Vec<String> = values.iter().map(ToString::to_string).collect();
    let mut out = String::with_capacity(template.len() + 16);
    for (index, part) in template.split('{').enumerate() {
        match part.split_once('}').filter(|_| index > 0) {
            Some((place, rest)) => {
                out.push_str(&filled(place, &values));
                out.push_str(rest);
            }
            None => out.push_str(part),
        }
    }
    out
}

fn filled(place: &str, values: &[String]) -> String {
    let (number, words) = place.split_once(':').map_or((place, None), |(n, w)| (n, Some(w)));
    let value = number.parse::<usize>().ok().and_then(|at| values.get(at));
    match (value, words.and_then(|words| words.split_once('|'))) {
        (Some(value), Some((one, many))) => if value == "1" { one } else { many }.to_owned(),
        (Some(value), None) => value.clone(),
        (None, _) => format!("{{{place}}}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_filled() {
        assert_eq!(fill("{1} of {0}", &[&3, &"a"]), "a of 3");
        assert_eq!(fill("{0}: {1}", &[&"{1} {", &"b"]), "{1} {: b");
    }

    #[test]
    fn a_word_follows_its_number() {
        let said = |n: usize| fill("{0} {0:node|nodes} left", &[&n]);
        assert_eq!((said(1), said(2)), ("1 node left".to_owned(), "2 nodes left".to_owned()));
    }

    #[test]
    fn every_word_is_said_in_every_language() {
        for known in language::KNOWN.iter().skip(1) {
            let told = &language::language(known.code).unwrap().page;
            let english = en::WORDS.all();
            let missing: Vec<_> = english.iter().filter(|it| !told.contains_key(**it)).collect();
            assert!(missing.is_empty(), "without translation: {missing:#?}");
            let gone: Vec<_> = told.keys().filter(|it| !english.contains(&it.as_str())).collect();
            assert!(gone.is_empty(), "translated, but gone: {gone:#?}");
            assert_eq!(words(known.code).code, known.code);
        }
    }

    #[test]
    fn languages_are_picked_by_tag() {
        let tags = |tags: &[&str]| pick(tags.iter().map(|it| (*it).to_owned()));
        assert_eq!(tags(&["fr", "zh-Hant-TW", "en"]), "zh-TW");
        assert_eq!(tags(&["en-GB", "zh-TW"]), "en");
        assert_eq!(tags(&["fr"]), "en");
    }
}
