use super::*;

/// The text after edits, which stand in text order.
pub(super) fn apply(text: &str, edits: &[Edit]) -> String {
    let lines = LineIndex::new(text);
    let mut out = String::new();
    let mut done = 0;
    for edit in edits {
        let (from, to) = (lines.byte(edit.range.from) as usize, lines.byte(edit.range.to) as usize);
        assert!(done <= from && from <= to, "edits overlap or are out of order");
        out.push_str(text.get(done..from).unwrap());
        out.push_str(&edit.text);
        done = to;
    }
    out + text.get(done..).unwrap()
}

const PLAIN: Inventory =
    Inventory { gpus: 1, gpu_partitions: 0, allow_multiple_allocations: false };

#[test]
fn an_inventory_goes_to_the_end_once() {
    let first = apply("", &insert_inventory("", &PLAIN));
    assert!(first.starts_with("apiVersion: v1\nkind: Node\n"), "{first}");
    let second = apply(&first, &insert_inventory(&first, &PLAIN));
    let outline = Outline::of(&second);
    let kinds: Vec<&str> = outline.entries.iter().map(|entry| entry.kind.as_str()).collect();
    assert_eq!(kinds, ["Node", "DeviceClass", "ResourceSlice", "Node", "ResourceSlice"]);
    let names: Vec<&str> = outline.entries.iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(names[3], "dra-example-driver-cluster-worker2");
}

#[test]
fn documents_are_separated() {
    for text in ["kind: Pod", "kind: Pod\n", "kind: Pod\n---\n", "# 裝置\nkind: Pod\n---"] {
        let after = apply(text, &insert_inventory(text, &PLAIN));
        assert_eq!(Outline::of(&after).entries.len(), 4, "{after}");
    }
}

#[test]
fn large_inventories_keep_the_limits_of_slices() {
    let inventory = Inventory { gpus: 20, gpu_partitions: 7, allow_multiple_allocations: true };
    let text = apply("", &insert_inventory("", &inventory));
    let slices: Vec<_> =
        Outline::of(&text).entries.into_iter().filter(|e| e.kind == "ResourceSlice").collect();
    // 20 counter sets at 8 each, 160 devices at 64 each.
    assert_eq!(slices.len(), 6);
    assert!(text.contains("resourceSliceCount: 6"));
}
