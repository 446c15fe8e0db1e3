//! The page's own words, one file per language. Kubernetes' words stay as they are.
//!
//! A new language is a new file with a [`Words`] and its line in [`LANGUAGES`].

mod en;
mod zh_tw;

use std::fmt::Display;

/// All words of one language. `{0}`, `{1}` … are filled in by [`fill`].
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Words {
    /// Tag of the language.
    pub(crate) code: &'static str,
    /// Its own name.
    pub(crate) name: &'static str,
    pub(crate) skip: &'static str,
    pub(crate) panes: &'static str,
    pub(crate) answer: &'static str,
    pub(crate) yaml_pane: &'static str,
    pub(crate) yaml_editor: &'static str,
    pub(crate) text: &'static str,
    pub(crate) lines_n: &'static str,
    pub(crate) editor_hint: &'static str,
    pub(crate) insert: &'static str,
    pub(crate) insert_inventory: &'static str,
    pub(crate) insert_inventory_how: &'static str,
    pub(crate) insert_it: &'static str,
    pub(crate) insert_object: &'static str,
    pub(crate) outline: &'static str,
    pub(crate) nothing_yet: &'static str,
    pub(crate) empty: &'static str,
    pub(crate) valid_for: &'static str,
    pub(crate) esc_tab: &'static str,
    pub(crate) reference: &'static str,
    pub(crate) line: &'static str,
    pub(crate) close: &'static str,
    pub(crate) copied: &'static str,
    pub(crate) copy_failed: &'static str,
    pub(crate) share: &'static str,
    pub(crate) share_button: &'static str,
    pub(crate) link: &'static str,
    pub(crate) link_size: &'static str,
    pub(crate) link_long: &'static str,
    pub(crate) link_how: &'static str,
    pub(crate) copy_link: &'static str,
    pub(crate) copy_markdown: &'static str,
    pub(crate) print: &'static str,
    pub(crate) open_in: &'static str,
    pub(crate) bad_link: &'static str,
    pub(crate) language: &'static str,
    pub(crate) theme: &'static str,
    pub(crate) more_menu: &'static str,
    pub(crate) kubernetes_version: &'static str,
    pub(crate) version_of_text: &'static str,
    pub(crate) gates: &'static str,
    pub(crate) gates_are: &'static str,
    pub(crate) gates_of: &'static str,
    pub(crate) defaults: &'static str,
    pub(crate) changed_n: &'static str,
    pub(crate) reset_gates: &'static str,
    pub(crate) default_is: &'static str,
    pub(crate) on: &'static str,
    pub(crate) off: &'static str,
    pub(crate) not_in_release: &'static str,
    pub(crate) behavior: &'static str,
    pub(crate) as_released: &'static str,
    pub(crate) fixed: &'static str,
    pub(crate) variant: &'static str,
    pub(crate) scenario_menu: &'static str,
    pub(crate) scenarios: &'static str,
    pub(crate) untitled: &'static str,
    pub(crate) new_scenario: &'static str,
    pub(crate) no_scenarios: &'static str,
    pub(crate) timeline: &'static str,
    pub(crate) step_back: &'static str,
    pub(crate) step_on: &'static str,
    pub(crate) play: &'static str,
    pub(crate) pause: &'static str,
    pub(crate) objects_read: &'static str,
    pub(crate) no_change: &'static str,
    pub(crate) write_steps: &'static str,
    pub(crate) forget_steps: &'static str,
    pub(crate) more: &'static str,
    pub(crate) unreadable: &'static str,
    pub(crate) older_answer: &'static str,
    pub(crate) partial_answer: &'static str,
    pub(crate) show_line: &'static str,
    pub(crate) fell: &'static str,
    pub(crate) fell_detail: &'static str,
    pub(crate) stopped: &'static str,
    pub(crate) still_working: &'static str,
    pub(crate) still_working_detail: &'static str,
    pub(crate) stop: &'static str,
    pub(crate) pods_after: &'static str,
    pub(crate) pods_table: &'static str,
    pub(crate) actions: &'static str,
    pub(crate) claims: &'static str,
    pub(crate) devices: &'static str,
    pub(crate) none: &'static str,
    pub(crate) delete_pod: &'static str,
    pub(crate) delete_named: &'static str,
    pub(crate) put_back: &'static str,
    pub(crate) put_back_named: &'static str,
    pub(crate) not_there: &'static str,
    pub(crate) hypothetical: &'static str,
    pub(crate) pod_at_step: &'static str,
    pub(crate) runs_with: &'static str,
    pub(crate) runs_without: &'static str,
    pub(crate) waits: &'static str,
    pub(crate) verbatim: &'static str,
    pub(crate) copy_message: &'static str,
    pub(crate) fits: &'static str,
    pub(crate) feasible: &'static str,
    pub(crate) node_answers: &'static str,
    pub(crate) nodes_n: &'static str,
    pub(crate) what_ifs: &'static str,
    pub(crate) what_ifs_how: &'static str,
    pub(crate) apply: &'static str,
    pub(crate) in_vain: &'static str,
    pub(crate) try_changes: &'static str,
    pub(crate) trying: &'static str,
    pub(crate) nothing_helps: &'static str,
    pub(crate) sieve_to_none: &'static str,
    pub(crate) sieve_to: &'static str,
    pub(crate) line_per_device_cards: &'static str,
    pub(crate) line_per_device: &'static str,
    pub(crate) line_per_many: &'static str,
    pub(crate) left_over: &'static str,
    pub(crate) not_reached: &'static str,
    pub(crate) devices_of: &'static str,
    pub(crate) request: &'static str,
    pub(crate) node: &'static str,
    pub(crate) rack: &'static str,
    pub(crate) rack_how: &'static str,
    pub(crate) to_scale: &'static str,
    pub(crate) to_scale_by: &'static str,
    pub(crate) all_cards: &'static str,
    pub(crate) pool_line: &'static str,
    pub(crate) cards_devices: &'static str,
    pub(crate) cards_elsewhere: &'static str,
    pub(crate) free: &'static str,
    pub(crate) held: &'static str,
    pub(crate) partly: &'static str,
    pub(crate) held_by: &'static str,
    pub(crate) refused: &'static str,
    pub(crate) cannot_now: &'static str,
    pub(crate) asks: &'static str,
    pub(crate) left_of: &'static str,
    pub(crate) gauge: &'static str,
    pub(crate) gauge_short: &'static str,
    pub(crate) as_one: &'static str,
    pub(crate) as_many: &'static str,
    pub(crate) or: &'static str,
    pub(crate) shares_of: &'static str,
    pub(crate) share_n: &'static str,
    pub(crate) does_not_fit: &'static str,
    pub(crate) has_device: &'static str,
    pub(crate) wants_one: &'static str,
    pub(crate) card_caption: &'static str,
    pub(crate) account_of: &'static str,
    pub(crate) after_step: &'static str,
    pub(crate) entry: &'static str,
    pub(crate) opening: &'static str,
    pub(crate) takes: &'static str,
    pub(crate) claim_at_step: &'static str,
    pub(crate) balance: &'static str,
    pub(crate) nothing_booked: &'static str,
    pub(crate) matrix: &'static str,
    pub(crate) matrix_how: &'static str,
    pub(crate) filter_devices: &'static str,
    pub(crate) filter_by_verdict: &'static str,
    pub(crate) all_n: &'static str,
    pub(crate) all_requests: &'static str,
    pub(crate) device: &'static str,
    pub(crate) devices_n: &'static str,
    pub(crate) devices_cards: &'static str,
    pub(crate) nothing_passes: &'static str,
    pub(crate) family_fit: &'static str,
    pub(crate) family_quantity: &'static str,
    pub(crate) family_held: &'static str,
    pub(crate) family_rule: &'static str,
    pub(crate) family_fault: &'static str,
    pub(crate) family_none: &'static str,
    pub(crate) selectors: &'static str,
    pub(crate) selectors_how: &'static str,
    pub(crate) readable: &'static str,
    pub(crate) of_class: &'static str,
    pub(crate) of_request: &'static str,
    pub(crate) copy_expression: &'static str,
    pub(crate) compile_error: &'static str,
    pub(crate) admission_error: &'static str,
    pub(crate) part_skipped: &'static str,
    pub(crate) not_reached_cell: &'static str,
    pub(crate) not_run: &'static str,
    pub(crate) selector_label: &'static str,
    pub(crate) cost: &'static str,
    pub(crate) comprehension: &'static str,
    pub(crate) answers: &'static str,
    pub(crate) answer_head: &'static str,
    pub(crate) which: &'static str,
    pub(crate) every_part: &'static str,
    pub(crate) part: &'static str,
    pub(crate) balances: &'static str,
    pub(crate) counter_sets: &'static str,
    pub(crate) capacities: &'static str,
    pub(crate) left_of_total: &'static str,
    pub(crate) of_total: &'static str,
    pub(crate) used_by: &'static str,
    pub(crate) nobody: &'static str,
    pub(crate) alike_n: &'static str,
    pub(crate) claims_how: &'static str,
    pub(crate) reserved_for: &'static str,
    pub(crate) from_template: &'static str,
    pub(crate) asked: &'static str,
    pub(crate) consumed: &'static str,
    pub(crate) admin_access: &'static str,
    pub(crate) status_yaml: &'static str,
    pub(crate) copy_status: &'static str,
    pub(crate) inventory: &'static str,
    pub(crate) inventory_line: &'static str,
    pub(crate) inventory_shapes: &'static str,
    pub(crate) pools: &'static str,
    pub(crate) pool: &'static str,
    pub(crate) pools_n: &'static str,
    pub(crate) driver: &'static str,
    pub(crate) generation: &'static str,
    pub(crate) slices: &'static str,
    pub(crate) state: &'static str,
    pub(crate) n_of_m: &'static str,
    pub(crate) preset_of: &'static str,
    pub(crate) switch_note: &'static str,
    pub(crate) diagnostics: &'static str,
    pub(crate) error_1: &'static str,
    pub(crate) warning_1: &'static str,
    pub(crate) note_1: &'static str,
    pub(crate) errors_n: &'static str,
    pub(crate) warnings_n: &'static str,
    pub(crate) notes_n: &'static str,
    pub(crate) error: &'static str,
    pub(crate) warning: &'static str,
    pub(crate) note: &'static str,
    pub(crate) expectations_hold: &'static str,
    pub(crate) expectations_fail: &'static str,
    pub(crate) holds: &'static str,
    pub(crate) fails: &'static str,
    pub(crate) at_step: &'static str,
    pub(crate) found_instead: &'static str,
    pub(crate) remarks: &'static str,
    pub(crate) remarks_how: &'static str,
    pub(crate) known_bug: &'static str,
    pub(crate) random_order: &'static str,
    pub(crate) not_modelled: &'static str,
    pub(crate) choice: &'static str,
    pub(crate) fixed_in: &'static str,
    pub(crate) analyzing: &'static str,
    pub(crate) no_pods: &'static str,
    pub(crate) runs_here: &'static str,
    pub(crate) keys: &'static str,
    pub(crate) key_steps: &'static str,
    pub(crate) key_play: &'static str,
    pub(crate) key_pods: &'static str,
    pub(crate) key_filter: &'static str,
    pub(crate) key_fix: &'static str,
    pub(crate) key_find: &'static str,
    pub(crate) key_share: &'static str,
    pub(crate) key_leave: &'static str,
    pub(crate) key_pane: &'static str,
    pub(crate) key_clear: &'static str,
    pub(crate) empty_lede: &'static str,
    pub(crate) empty_prose: &'static str,
    pub(crate) copy_command: &'static str,
    pub(crate) paste: &'static str,
    pub(crate) open_files: &'static str,
    pub(crate) or_drop: &'static str,
    pub(crate) cannot_read: &'static str,
    pub(crate) or_scenario: &'static str,
    pub(crate) runs_as_it_stands: &'static str,
}

/// All languages.
pub(crate) const LANGUAGES: [&Words; 2] = [&en::WORDS, &zh_tw::WORDS];

/// The words of a language; English for one that is not known.
pub(crate) fn words(code: &str) -> &'static Words {
    LANGUAGES.into_iter().find(|words| words.code == code).unwrap_or(&en::WORDS)
}

/// The first of the wanted languages that there is, by tag or by script.
pub(crate) fn pick(wanted: impl IntoIterator<Item = String>) -> &'static str {
    for tag in wanted {
        let tag = tag.to_ascii_lowercase();
        if tag.starts_with("zh-tw") || tag.starts_with("zh-hant") || tag.starts_with("zh-hk") {
            return zh_tw::WORDS.code;
        }
        if tag == "en" || tag.starts_with("en-") {
            return en::WORDS.code;
        }
    }
    en::WORDS.code
}

/// Fills the places of a template.
pub(crate) fn fill(template: &str, values: &[&dyn Display]) -> String {
    let mut out = template.to_owned();
    for (at, value) in values.iter().enumerate() {
        let place = format!("{{{at}}}");
        if out.contains(&place) {
            out = out.replace(&place, &value.to_string());
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_filled() {
        assert_eq!(fill("{1} of {0}", &[&3, &"a"]), "a of 3");
    }

    #[test]
    fn languages_are_picked_by_tag() {
        let tags = |tags: &[&str]| pick(tags.iter().map(|it| (*it).to_owned()));
        assert_eq!(tags(&["fr", "zh-Hant-TW", "en"]), "zh-TW");
        assert_eq!(tags(&["en-GB", "zh-TW"]), "en");
        assert_eq!(tags(&["fr"]), "en");
    }
}
