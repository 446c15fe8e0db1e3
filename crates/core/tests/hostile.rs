//! Texts made to hang, fill the memory or deceive: each is answered, within limits, and says what
//! it ran into.

use dra_playground_core::workspace::Workspace;
use dra_playground_core::workspace::report::{Analysis, Options};

const CLUSTER: &str = "apiVersion: v1
kind: Node
metadata: {name: worker}
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu.example.com}
---
apiVersion: v1
kind: Pod
metadata: {name: train}
spec:
  resourceClaims: [{name: gpu, resourceClaimName: gpu}]
  containers: [{name: c, image: busybox, resources: {claims: [{name: gpu}]}}]
---
";

const SLICE: &str = "apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: devices}
spec:
  driver: gpu.example.com
  nodeName: worker
  pool: {name: worker, generation: 1, resourceSliceCount: 1}
  devices:
  - name: gpu-0
    attributes: {model: {string: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa}}
---
";

fn claim(selector: &str) -> String {
    format!(
        "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {{name: gpu}}\nspec:\n  \
         devices:\n    requests:\n    - name: gpu\n      exactly:\n        deviceClassName: \
         gpu.example.com\n        selectors:\n        - cel:\n            expression: \
         {selector:?}\n---\n"
    )
}

fn analyze(text: &str) -> Analysis {
    Workspace::new().analyze(text, &Options::default())
}

#[test]
fn expressions_that_are_catastrophic_elsewhere_get_an_answer() {
    let model = "device.attributes['gpu.example.com'].model";
    let ten = "[0,1,2,3,4,5,6,7,8,9]";
    let loops: String =
        ['a', 'b', 'c', 'd', 'e', 'f'].map(|name| format!("{ten}.all({name}, ")).concat();
    for (selector, said) in [
        (format!("{model}.matches('(a*)*(a*)*(a|aa)+b')"), "0/1 nodes are available: 1 cannot"),
        (
            format!("{loops}a + b + c + d + e + f >= 0{}", ")".repeat(6)),
            "too complex, exceeds cost limit",
        ),
        (format!("{}true{}", "(".repeat(4_000), ")".repeat(4_000)), "recursion"),
        (format!("{}{model} == 'a'", "!".repeat(20_001)), "may not be more than 10240 bytes"),
    ] {
        let text = CLUSTER.to_owned() + SLICE + &claim(&selector);
        let analysis = analyze(&text);
        let pods = analysis.snapshot.pods.iter().filter_map(|pod| pod.message.as_deref());
        let found = analysis.diagnostics.iter().map(|it| it.message.as_str());
        let all: String = pods.chain(found).collect();
        assert!(all.contains(said), "{all}");
    }
}

#[test]
fn names_with_markup_and_turned_signs_are_refused_and_kept_as_they_are() {
    let written = "<img src=x onerror=alert(1)>\\u202e\\u0007__proto__";
    let evil = "<img src=x onerror=alert(1)>\u{202e}\u{7}__proto__";
    let named = CLUSTER.replace("name: train", &format!("name: \"{written}\""));
    let analysis = analyze(&(named + SLICE + &claim("true")));
    let pod = analysis.snapshot.pods.iter().find(|pod| pod.object.name == evil).unwrap();
    assert_eq!(pod.node, None);
    assert!(analysis.diagnostics.iter().any(|it| it.code == "invalid-value"));
}
