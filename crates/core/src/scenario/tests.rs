use crate::apimachinery::ObjectRef;
use crate::scheduler::{Attempt, Env, Outcome};
use crate::selector::Selectors;

use super::{Button, EventKind, Overrides, RemarkKind, StepRecord, Timeline, open};

const BASE: &str = "
apiVersion: v1
kind: Node
metadata: {name: n1}
---
apiVersion: v1
kind: Node
metadata: {name: n2, labels: {zone: b}}
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: c}
spec: {selectors: [{cel: {expression: \"device.driver == 'd.example.com'\"}}]}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s1}
spec:
  driver: d.example.com
  nodeName: n1
  pool: {name: n1, generation: 1, resourceSliceCount: 1}
  devices: [{name: d0}]
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s2}
spec:
  driver: d.example.com
  nodeName: n2
  pool: {name: n2, generation: 1, resourceSliceCount: 1}
  devices: [{name: d0}]
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: t}
spec: {spec: {devices: {requests: [{name: r, exactly: {deviceClassName: c}}]}}}
";

const NOT_HELPFUL: &str =
    "preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.";

fn pod(name: &str, spec: &str) -> String {
    format!("---\napiVersion: v1\nkind: Pod\nmetadata: {{name: {name}}}\nspec:\n  {spec}\n")
}

fn template_pod(name: &str) -> String {
    pod(name, "resourceClaims: [{name: x, resourceClaimTemplateName: t}]")
}

fn claim_pod(name: &str, claim: &str, more: &str) -> String {
    pod(name, &format!("resourceClaims: [{{name: x, resourceClaimName: {claim}}}]\n  {more}"))
}

/// A claim that has d0 of n1, reserved for so many Pods that the text does not have.
fn allocated_claim(name: &str, consumers: usize) -> String {
    let reserved: Vec<String> = (0..consumers)
        .map(|number| format!("{{resource: pods, name: other-{number}, uid: u{number}}}"))
        .collect();
    format!(
        "---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {{name: {name}}}
spec: {{devices: {{requests: [{{name: r, exactly: {{deviceClassName: c}}}}]}}}}
status:
  reservedFor: [{}]
  allocation:
    devices: {{results: [{{request: r, driver: d.example.com, pool: n1, device: d0}}]}}
    nodeSelector:
      nodeSelectorTerms:
      - matchFields: [{{key: metadata.name, operator: In, values: [n1]}}]
",
        reserved.join(", ")
    )
}

fn run_with(text: &str, overrides: &Overrides, buttons: Vec<Button>) -> Timeline {
    let opened = open(text, overrides);
    let errors: Vec<_> = opened.diagnostics.iter().filter(|found| found.is_error()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let selectors = Selectors::new(&opened.behavior.cel);
    opened.run(&Env::new(opened.behavior.clone(), selectors), buttons)
}

fn run(parts: &[&str]) -> Timeline {
    run_with(&parts.concat(), &Overrides::default(), Vec::new())
}

fn last<'t>(step: &'t StepRecord, pod: &str) -> &'t Attempt {
    step.attempts.iter().rfind(|attempt| attempt.pod.name == pod).unwrap()
}

fn message(timeline: &Timeline, pod: &str) -> String {
    last(timeline.steps.last().unwrap(), pod).message.clone().unwrap()
}

fn node(timeline: &Timeline, pod: &str) -> Option<String> {
    let cluster = &timeline.steps.last().unwrap().cluster;
    cluster.pods.get("default", pod).unwrap().value.node_name.clone()
}

fn object(kind: &str, name: &str) -> ObjectRef {
    ObjectRef { kind: kind.to_owned(), namespace: "default".to_owned(), name: name.to_owned() }
}

#[test]
fn the_257th_consumer_is_refused_by_the_api_server() {
    let claim = allocated_claim("full", 256);
    let timeline = run(&[BASE, &claim, &claim_pod("p", "full", "")]);
    assert_eq!(
        message(&timeline, "p"),
        "running PreBind plugin \"DynamicResources\": add reservation to claim default/full: \
         ResourceClaim.resource.k8s.io \"full\" is invalid: status.reservedFor: Too many: 257: \
         must have at most 256 items"
    );
    assert_eq!(node(&timeline, "p"), None);
    let full = timeline.steps[0].cluster.claims.get("default", "full").unwrap();
    assert_eq!(full.value.status.reserved_for.len(), 256);
}

#[test]
fn an_entry_without_template_stops_the_entries_after_it() {
    let pod = "---
apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  containers: [{name: c, image: x}]
  resourceClaims:
  - {name: first, resourceClaimTemplateName: nowhere}
  - {name: second, resourceClaimTemplateName: t}
";
    let timeline = run(&[BASE, pod]);
    assert_eq!(timeline.steps[0].cluster.claims.len(), 0);
    let reason = "pod \"default/p\": ResourceClaim not created yet".to_owned();
    assert_eq!(last(&timeline.steps[0], "p").outcome, Outcome::NotQueued { reason });
}

/// Before 1.36 the claim controller does nothing for a Pod as long as a claim is missing that
/// somebody else has to make.
#[test]
fn a_missing_claim_keeps_older_controllers_from_the_entries_after_it() {
    let spec = "resourceClaims: [{name: x, resourceClaimName: none}, {name: z, resourceClaimTemplateName: t}]";
    let given = |release: &str| {
        let scenario = format!(
            "---\napiVersion: dra-playground/v1\nkind: Scenario\nspec: {{kubernetesVersion: {release}}}\n"
        );
        let timeline = run(&[BASE, &pod("p", spec), &scenario]);
        timeline.steps.last().unwrap().cluster.claims.iter().count()
    };
    assert_eq!((given("1.35.10"), given("1.36.6")), (0, 1));
}

#[test]
fn a_running_pod_whose_claims_cannot_be_generated_reserves_none() {
    let claim = allocated_claim("shared", 1);
    let running = pod(
        "p",
        "nodeName: n1\n  resourceClaims: [{name: a, resourceClaimName: shared}, \
         {name: b, resourceClaimTemplateName: nowhere}]",
    );
    let timeline = run(&[BASE, &claim, &running]);
    let shared = timeline.steps[0].cluster.claims.get("default", "shared").unwrap();
    let consumers = shared.value.status.reserved_for.iter().map(|consumer| consumer.name.as_str());
    assert_eq!(consumers.collect::<Vec<_>>(), ["other-0"]);
}

#[test]
fn an_unused_claim_that_is_to_be_deleted_goes() {
    let claim = allocated_claim("old", 0).replace(
        "{name: old}",
        "{name: old, deletionTimestamp: \"2026-01-01T00:00:00Z\", \
             finalizers: [resource.kubernetes.io/delete-protection]}",
    );
    let timeline = run(&[BASE, &claim, &claim_pod("p", "old", "")]);
    let reason = "could not find ResourceClaim \"default/old\"".to_owned();
    assert_eq!(last(&timeline.steps[0], "p").outcome, Outcome::NotQueued { reason });
}

#[test]
fn finalizers_of_others_keep_a_deleted_claim_without_its_devices() {
    let mine = "example.com/mine";
    let held = |consumers| {
        let finalizers = format!("finalizers: [{mine}, resource.kubernetes.io/delete-protection]");
        let claim = allocated_claim("old", consumers);
        claim.replace("{name: old}", &format!("{{name: old, {finalizers}}}"))
    };
    let steps = "---\napiVersion: dra-playground/v1\nkind: Scenario\nmetadata: {name: s}\nspec:\n  \
                 steps:\n  - delete: {kind: ResourceClaim, name: old}\n  \
                 - delete: {kind: ResourceClaim, name: old}\n";
    let timeline = run(&[BASE, &held(0), steps]);
    let claim =
        |step: usize| &timeline.steps[step].cluster.claims.get("default", "old").unwrap().value;
    assert!(claim(0).status.allocation.is_some());
    for step in [1, 2] {
        assert!(claim(step).metadata.deletion_timestamp.is_some());
        assert_eq!(claim(step).status.allocation, None);
        assert_eq!(claim(step).metadata.finalizers, [mine]);
    }
    let taken = timeline.steps.iter().flat_map(|step| &step.events);
    let taken = taken.filter(|event| event.kind == EventKind::Deallocated);
    assert_eq!(taken.count(), 1, "once is enough");

    let timeline = run(&[BASE, &held(1), steps]);
    let claim = &timeline.steps[2].cluster.claims.get("default", "old").unwrap().value;
    assert!(claim.status.allocation.is_some(), "somebody uses it");
}

#[test]
fn a_claim_that_is_to_be_deleted_stays_so_when_it_is_applied_again() {
    let claim = allocated_claim("old", 1);
    let (spec, _) = claim.split_once("status:").unwrap();
    let spec = spec.trim_start_matches("---\n").trim_end().replace('\n', "\n      ");
    let steps = format!(
        "---\napiVersion: dra-playground/v1\nkind: Scenario\nmetadata: {{name: s}}\nspec:\n  \
         steps:\n  - delete: {{kind: ResourceClaim, name: old}}\n  - apply:\n      {spec}\n"
    );
    let timeline = run(&[BASE, &claim, &steps]);
    let claim =
        |step: usize| &timeline.steps[step].cluster.claims.get("default", "old").unwrap().value;
    assert!(claim(1).metadata.deletion_timestamp.is_some());
    assert_eq!(timeline.steps[2].problem, None);
    assert_eq!(claim(2).metadata.deletion_timestamp, claim(1).metadata.deletion_timestamp);
    assert_eq!(claim(2).status, claim(1).status);
}

#[test]
fn a_consumer_that_is_no_pod_keeps_others_in_the_list_up_to_1_35() {
    let scenario = |release: &str| {
        format!(
            "---\napiVersion: dra-playground/v1\nkind: Scenario\nmetadata: {{name: s}}\nspec:\n  \
             kubernetesVersion: {release}\n  steps:\n  - delete: {{kind: Pod, name: p}}\n"
        )
    };
    let claim = allocated_claim("shared", 1);
    let reserved = |text: &str, release: &str| {
        let timeline = run(&[BASE, text, &claim_pod("p", "shared", ""), &scenario(release)]);
        let claim = timeline.steps[1].cluster.claims.get("default", "shared").unwrap();
        let names = claim.value.status.reserved_for.iter().map(|consumer| consumer.name.clone());
        names.collect::<Vec<_>>()
    };
    let job = "{apiGroup: batch.example.com, resource: jobs, name: j, uid: u}";
    let odd = claim.replace("reservedFor: [", &format!("reservedFor: [{job}, "));
    for release in ["1.34.13", "1.35.10"] {
        assert_eq!(reserved(&claim, release), ["other-0"], "{release}");
        assert_eq!(reserved(&odd, release), ["j", "other-0", "p"], "{release}");
    }
    for release in ["1.36.6", "1.37.2"] {
        assert_eq!(reserved(&odd, release), ["j", "other-0"], "{release}");
    }
}

#[test]
fn devices_of_extended_resources_are_free_at_the_end_of_the_pod_since_1_35() {
    let class = "---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: x}
spec: {extendedResourceName: example.com/x}
";
    let wants = |name: &str| {
        let resources = "nodeSelector: {kubernetes.io/hostname: n1}\n  containers: [{name: c, image: i, resources: {limits: {example.com/x: 1}}}]";
        pod(name, resources)
    };
    let scenario = |release: &str| {
        format!(
            "---\napiVersion: dra-playground/v1\nkind: Scenario\nmetadata: {{name: s}}\nspec:\n  \
             kubernetesVersion: {release}\n  featureGates: {{DRAExtendedResource: true}}\n  steps:\n  \
             - finish: {{pod: a, phase: Succeeded}}\n  - delete: {{kind: Pod, name: a}}\n"
        )
    };
    for (release, freed) in [("1.34.13", 2), ("1.35.10", 1), ("1.37.2", 1)] {
        let timeline = run(&[BASE, class, &wants("a"), &wants("b"), &scenario(release)]);
        let runs = |step: usize| {
            let found = timeline.steps[step].cluster.pods.get("default", "b");
            found.is_some_and(|pod| pod.value.node_name.is_some())
        };
        assert_eq!([0, 1, 2].map(runs), [0, 1, 2].map(|step| step >= freed), "{release}");
    }
}

#[test]
fn a_claim_that_others_use_outlives_the_pod_that_owns_it() {
    let steps = "---\napiVersion: dra-playground/v1\nkind: Scenario\nmetadata: {name: s}\nspec:\n  \
                 steps:\n  - delete: {kind: Pod, name: p}\n  - delete: {kind: Pod, name: q}\n";
    let owner =
        "ownerReferences: [{apiVersion: v1, kind: Pod, name: p, uid: of-p, controller: true}]";
    let claim = allocated_claim("own", 0);
    let claim = claim.replace("{name: own}", &format!("{{name: own, {owner}}}"));
    let owning = claim_pod("p", "own", "").replace("{name: p}", "{name: p, uid: of-p}");
    let timeline = run(&[BASE, &claim, &owning, &claim_pod("q", "own", ""), steps]);
    let claim = |step: usize| timeline.steps[step].cluster.claims.get("default", "own");
    let deleted = |step| claim(step).map(|it| it.value.metadata.deletion_timestamp.is_some());
    assert_eq!([deleted(0), deleted(1), deleted(2)], [Some(false), Some(true), None]);
    assert!(claim(1).unwrap().value.status.allocation.is_some(), "q uses it");
}

#[test]
fn an_unused_allocation_in_the_way_is_taken_back() {
    let claim = allocated_claim("idle", 0);
    let pinned = claim_pod("p", "idle", "nodeSelector: {zone: b}");
    let timeline = run(&[BASE, &claim, &pinned]);
    let first = timeline.steps[0].attempts[0].message.clone().unwrap();
    assert_eq!(
        first,
        format!(
            "0/2 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 1 \
             resourceclaim not available on the node. deallocation of ResourceClaim completed, \
             {NOT_HELPFUL}"
        )
    );
    assert_eq!(node(&timeline, "p").as_deref(), Some("n2"));
}

#[test]
fn an_allocation_in_use_is_not_taken_back() {
    let claim = allocated_claim("used", 1);
    let pinned = claim_pod("p", "used", "nodeSelector: {zone: b}");
    let timeline = run(&[BASE, &claim, &pinned]);
    assert!(message(&timeline, "p").contains("still not schedulable, "));
    assert_eq!(node(&timeline, "p"), None);
}

#[test]
fn newer_releases_say_less_after_filter() {
    let overrides =
        Overrides { kubernetes_version: Some("1.37.2".to_owned()), ..Overrides::default() };
    let pods = ["a", "b", "c"].map(template_pod).concat();
    let timeline = run_with(&[BASE, &pods].concat(), &overrides, Vec::new());
    assert_eq!(
        message(&timeline, "c"),
        format!("0/2 nodes are available: 2 cannot allocate all claims. {NOT_HELPFUL}")
    );
}

#[test]
fn pods_wait_for_claims_that_are_missing() {
    let missing = claim_pod("p", "nowhere", "");
    let opened = open(&[BASE, &missing].concat(), &Overrides::default());
    let selectors = Selectors::new(&opened.behavior.cel);
    let timeline = opened.run(&Env::new(opened.behavior.clone(), selectors), Vec::new());
    let attempt = last(&timeline.steps[0], "p");
    let reason = "could not find ResourceClaim \"default/nowhere\"".to_owned();
    assert_eq!(attempt.outcome, Outcome::NotQueued { reason });
    assert_eq!(attempt.message, None);
}

#[test]
fn a_missing_template_is_the_controllers_failure() {
    let wrong = pod("p", "resourceClaims: [{name: x, resourceClaimTemplateName: nowhere}]");
    let timeline = run(&[BASE, &wrong]);
    let reason = "pod \"default/p\": ResourceClaim not created yet".to_owned();
    assert_eq!(last(&timeline.steps[0], "p").outcome, Outcome::NotQueued { reason });
    let failed = timeline.steps[0].events.iter().find(|event| event.kind == EventKind::Failed);
    assert!(failed.unwrap().text.starts_with("PodResourceClaim x: resource claim template"));
}

#[test]
fn gated_pods_are_not_tried() {
    let gated = pod(
        "p",
        "schedulingGates: [{name: example.com/a}, {name: example.com/b}]\n  resourceClaims: \
         [{name: x, resourceClaimTemplateName: t}]",
    );
    let timeline = run(&[BASE, &gated]);
    let reason = "waiting for scheduling gates: [example.com/a example.com/b]".to_owned();
    assert_eq!(last(&timeline.steps[0], "p").outcome, Outcome::NotQueued { reason });
}

#[test]
fn running_pods_of_the_text_reserve_their_claims() {
    let claim = allocated_claim("shared", 0);
    let running = claim_pod("p", "shared", "nodeName: n1");
    let timeline = run(&[BASE, &claim, &running]);
    let cluster = &timeline.steps[0].cluster;
    let claim = &cluster.claims.get("default", "shared").unwrap().value;
    assert_eq!(claim.status.reserved_for[0].name, "p");
    assert_eq!(cluster.pods.get("default", "p").unwrap().value.phase, "Running");
    assert!(timeline.steps[0].attempts.iter().all(|attempt| attempt.pod.name != "p"));
}

#[test]
fn node_plugins_speak_before_devices() {
    let nodes = "---
apiVersion: v1
kind: Node
metadata: {name: n1}
spec: {taints: [{key: k, effect: NoSchedule}]}
---
apiVersion: v1
kind: Node
metadata: {name: n2}
status: {allocatable: {cpu: \"1\", memory: 1Gi, pods: \"10\"}}
";
    let base = BASE.replace("metadata: {name: n1}\n---", "metadata: {name: n0}\n---");
    let base = base.replace("{name: n2, labels: {zone: b}}", "{name: n3}");
    let hungry = pod(
        "p",
        "containers: [{name: c, resources: {requests: {cpu: \"2\", memory: 2Gi}}}]\n  \
         resourceClaims: [{name: x, resourceClaimTemplateName: t}]\n  nodeSelector: \
         {kubernetes.io/os: linux}",
    );
    let hungry = hungry.replace("  nodeSelector: {kubernetes.io/os: linux}", "");
    let timeline = run(&[&base, nodes, &hungry]);
    assert_eq!(
        message(&timeline, "p"),
        "0/4 nodes are available: 1 Insufficient cpu, 1 Insufficient memory, 1 node(s) had \
         untolerated taint(s), 2 cannot allocate all claims. still not schedulable, preemption: \
         0/4 nodes are available: 4 Preemption is not helpful for scheduling."
    );
}

#[test]
fn pods_pinned_by_name_never_ask_other_nodes() {
    let affinity = "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: \
                    {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, \
                    values: [n2]}]}]}}}";
    let pinned = |name: &str| {
        pod(
            name,
            &format!("resourceClaims: [{{name: x, resourceClaimTemplateName: t}}]\n  {affinity}"),
        )
    };
    let timeline = run(&[BASE, &pinned("a"), &pinned("b")]);
    assert_eq!(node(&timeline, "a").as_deref(), Some("n2"));
    assert!(message(&timeline, "b").starts_with(
        "0/2 nodes are available: 1 cannot allocate all claims, 1 node(s) didn't satisfy \
         plugin(s) [NodeAffinity]."
    ));
    let attempt = last(&timeline.steps[0], "b");
    let searched = |at: usize| attempt.nodes.get(at).unwrap().searched;
    assert!(!searched(0) && searched(1));
}

#[test]
fn a_claim_in_use_outlives_its_deletion() {
    let claim = allocated_claim("shared", 0);
    let text = [BASE, &claim, &claim_pod("p", "shared", "")].concat();
    let delete = |kind: &str, name: &str| Button::Delete(object(kind, name));
    let buttons = vec![delete("ResourceClaim", "shared"), delete("Pod", "p")];
    let timeline = run_with(&text, &Overrides::default(), buttons);
    let claim = |step: usize| timeline.steps[step].cluster.claims.get("default", "shared").cloned();
    assert!(claim(1).unwrap().value.metadata.deletion_timestamp.is_some());
    assert!(claim(2).is_none());
}

#[test]
fn buttons_delete_and_put_back() {
    let text = [BASE, &template_pod("a"), &template_pod("b"), &template_pod("c")].concat();
    let buttons = vec![
        Button::Delete(object("Pod", "a")),
        Button::PutBack(object("Pod", "a")),
        Button::Delete(object("Pod", "nobody")),
    ];
    let timeline = run_with(&text, &Overrides::default(), buttons);
    let node_of = |step: usize, pod: &str| {
        let cluster = &timeline.steps[step].cluster;
        cluster.pods.get("default", pod).and_then(|pod| pod.value.node_name.clone())
    };
    assert_eq!(node_of(0, "c"), None);
    assert_eq!(node_of(1, "c").as_deref(), Some("n1"));
    assert_eq!(node_of(2, "a"), None);
    assert!(timeline.steps[2].cluster.claims.get("default", "a-x").is_some());
    assert_eq!(timeline.steps[3].problem.as_deref(), Some("Pod `default/nobody` does not exist"));
}

#[test]
fn waiting_for_conditions_ends_at_the_deadline() {
    let slice = "---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s2}
spec:
  driver: d.example.com
  nodeName: n2
  pool: {name: n2, generation: 1, resourceSliceCount: 1}
  devices:
  - {name: d0, bindsToNode: true, bindingConditions: [ready], bindingFailureConditions: [broken]}
";
    let scenario = "---
apiVersion: dra-playground/v1
kind: Scenario
metadata: {name: s}
spec:
  steps:
  - {advance: 599s}
  - {advance: 1s}
";
    let (before, _) =
        BASE.split_once("---\napiVersion: resource.k8s.io/v1\nkind: ResourceSlice").unwrap();
    let template = BASE.split("---").last().unwrap();
    let text = [before, slice, "---", template, &template_pod("p"), scenario].concat();
    let timeline = run_with(&text, &Overrides::default(), Vec::new());
    let waiting = |step: usize| timeline.steps[step].cluster.waiting.len();
    assert_eq!((waiting(0), waiting(1)), (1, 1));
    let failed: Vec<&str> =
        timeline.steps[2].events.iter().map(|event| event.text.as_str()).collect();
    assert!(
        failed.contains(
            &"running PreBind plugin \"DynamicResources\": device binding timeout: context \
              deadline exceeded"
        ),
        "{failed:?}"
    );
    let deallocated = |event: &&super::Event| event.kind == EventKind::Deallocated;
    assert_eq!(timeline.steps[2].events.iter().filter(deallocated).count(), 1);
    assert_eq!(waiting(2), 1);
}

#[test]
fn the_same_text_gives_the_same_timeline() {
    let text = [BASE, &template_pod("a"), &template_pod("b"), &template_pod("c")].concat();
    let first = run_with(&text, &Overrides::default(), Vec::new());
    let again = run_with(&text, &Overrides::default(), Vec::new());
    assert_eq!(format!("{:?}", first.steps), format!("{:?}", again.steps));
}

#[test]
fn what_is_not_modelled_is_named() {
    let slice = |device: &str| {
        format!(
            "---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {{name: s3}}
spec:
  driver: e.example.com
  nodeName: n1
  pool: {{name: n1, generation: 1, resourceSliceCount: 1}}
  devices:
  - name: d0
    {device}
"
        )
    };
    let claim = "---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: derived}
spec:
  devices:
    requests:
    - name: r
      exactly:
        deviceClassName: c
        derivedAttributes: [{name: x.example.com/y, expression: \"1\"}]
";
    let cases = [
        (
            slice(
                "capacity: {cpu: {value: \"4\"}}\n    \
                 nodeAllocatableResources: {cpu: {mapping: {capacityKey: cpu}}}",
            ),
            "KEP-5517",
        ),
        (
            slice("consumesCounters: [{counterSet: x, counters: {}, compatibilityGroups: [g]}]"),
            "KEP-5963",
        ),
        (claim.to_owned(), "KEP-6080"),
        (pod("grouped", "schedulingGroup: {podGroupName: g}\n  containers: []"), "KEP-5729"),
        (pod("other", "schedulerName: volcano\n  containers: []"), "`schedulerName`"),
        (
            pod("apart", "affinity: {podAntiAffinity: {a: [b]}}\n  containers: []"),
            "`podAntiAffinity`",
        ),
        (pod("door", "containers: [{name: c, image: i, ports: [{hostPort: 80}]}]"), "`hostPort`"),
        (pod("plain", "schedulerName: default-scheduler\n  topologySpreadConstraints: []"), ""),
    ];
    for (text, expected) in cases {
        let overrides =
            Overrides { kubernetes_version: Some("1.37.2".to_owned()), ..Overrides::default() };
        let opened = open(&[BASE, &text].concat(), &overrides);
        let selectors = Selectors::new(&opened.behavior.cel);
        let timeline = opened.run(&Env::new(opened.behavior.clone(), selectors), Vec::new());
        let remarks = timeline.remarks.iter();
        let named: Vec<&str> = remarks
            .filter(|remark| remark.kind == RemarkKind::NotModelled)
            .map(|remark| remark.text.as_str())
            .collect();
        assert_eq!(named.len(), usize::from(!expected.is_empty()), "{expected}: {named:?}");
        assert!(named.iter().all(|text| text.contains(expected)), "{named:?}");
    }
}

#[test]
fn a_choice_that_is_random_is_said_to_be() {
    let slice = |name: &str, driver: &str, count: u32| {
        format!(
            "---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {{name: {name}}}
spec:
  driver: {driver}
  nodeName: n1
  pool: {{name: n1, generation: 1, resourceSliceCount: {count}}}
  devices: [{{name: {name}}}]
"
        )
    };
    let (start, _) =
        BASE.split_once("---\napiVersion: resource.k8s.io/v1\nkind: ResourceSlice").unwrap();
    let template = ["---", BASE.split("---").last().unwrap()].concat();
    let said = |slices: &[String], version: &str, gates: &str| -> Vec<(String, bool)> {
        let scenario = format!(
            "---\napiVersion: dra-playground/v1\nkind: Scenario\nmetadata: {{name: s}}\nspec:\n  \
             kubernetesVersion: {version}\n  featureGates: {{{gates}}}\n"
        );
        let timeline = run(&[start, &template, &template_pod("p"), &slices.concat(), &scenario]);
        let remarks = timeline.remarks.into_iter();
        let random = remarks.filter(|remark| remark.kind == RemarkKind::Choice);
        random.map(|remark| (remark.text, remark.fixed_in.is_some())).collect()
    };
    let text = |what: &str| {
        format!("this release visits {what} in random order: the answer shown is one of several")
    };
    let one = [slice("a", "d.example.com", 1)];
    let pools = [slice("a", "d.example.com", 1), slice("b", "e.example.com", 1)];
    let slices = [slice("a", "d.example.com", 2), slice("b", "d.example.com", 2)];
    let stable = "DRAConsumableCapacity: false, DRADeviceBindingConditions: false";
    for version in ["1.34.13", "1.35.10"] {
        assert_eq!(said(&one, version, ""), []);
        assert_eq!(said(&pools, version, ""), [(text("pools"), true)]);
        assert_eq!(said(&slices, version, ""), [(text("the slices of a pool"), true)]);
    }
    for version in ["1.36.6", "1.37.2"] {
        assert_eq!(said(&pools, version, ""), []);
        assert_eq!(said(&slices, version, ""), []);
        assert_eq!(said(&one, version, stable), []);
        assert_eq!(said(&pools, version, stable), [(text("pools"), false)]);
        assert_eq!(said(&slices, version, stable), [(text("the slices of a pool"), false)]);
    }
}

#[test]
fn a_known_bug_that_changes_the_outcome_is_named() {
    let mut released = String::from(BASE);
    // Two shareable devices, one used up: all devices are fewer than they should be.
    released.push_str(
        "---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s1}
spec:
  driver: d.example.com
  nodeName: n1
  pool: {name: n1, generation: 1, resourceSliceCount: 1}
  devices:
  - {name: d0, allowMultipleAllocations: true, capacity: {slots: {value: \"1\"}}}
  - {name: d1, allowMultipleAllocations: true, capacity: {slots: {value: \"1\"}}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: all}
spec: {spec: {devices: {requests: [{name: r, exactly: {deviceClassName: c, allocationMode: All}}]}}}
",
    );
    let on_n1 = |name: &str, template: &str| {
        pod(
            name,
            &format!(
                "nodeSelector: {{kubernetes.io/hostname: n1}}\n  resourceClaims: [{{name: x, \
                 resourceClaimTemplateName: {template}}}]"
            ),
        )
    };
    // The later document of a name replaces the earlier one, with an error that is not of interest.
    let text = [released.as_str(), &on_n1("one", "t"), &on_n1("rest", "all")].concat();
    let opened = open(&text, &Overrides::default());
    let selectors = Selectors::new(&opened.behavior.cel);
    let timeline = opened.run(&Env::new(opened.behavior.clone(), selectors), Vec::new());
    let bug = timeline.remarks.iter().find(|remark| remark.kind == RemarkKind::KnownBug).unwrap();
    assert_eq!(bug.reference.as_deref(), Some("kubernetes/kubernetes#140769"));
    assert_eq!(bug.fixed_in.as_deref(), Some("1.37.0"));
    // Corrected, the request for all devices is refused, and there is no badge.
    let opened = open(&text, &Overrides { fixed: Some(true), ..Overrides::default() });
    let selectors = Selectors::new(&opened.behavior.cel);
    let corrected = opened.run(&Env::new(opened.behavior.clone(), selectors), Vec::new());
    let bound = |timeline: &Timeline| {
        let outcomes = timeline.steps.iter().flat_map(|step| &step.attempts);
        outcomes.filter(|attempt| matches!(attempt.outcome, Outcome::Bound { .. })).count()
    };
    assert_eq!((bound(&timeline), bound(&corrected)), (2, 1));
    assert!(corrected.remarks.iter().all(|remark| remark.kind != RemarkKind::KnownBug));
}

#[test]
fn configuration_is_a_bug_when_it_comes_twice_not_when_it_names_every_request() {
    let claim = "---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: both}
spec:
  devices:
    requests:
    - {name: a, exactly: {deviceClassName: c}}
    config:
    - requests: [a]
      opaque: {driver: d.example.com, parameters: {apiVersion: v1, kind: P}}
";
    let one = [BASE, claim, &claim_pod("p", "both", "")].concat();
    let two = one
        .replace("- {name: a,", "- {name: b, exactly: {deviceClassName: c}}\n    - {name: a,")
        .replace("requests: [a]", "requests: [a, b]")
        .replacen("[{name: d0}]", "[{name: d0}, {name: d1}]", 1);
    let badges = |text: &str, version: &str, fixed: bool| -> Vec<String> {
        let overrides = Overrides {
            kubernetes_version: Some(version.to_owned()),
            fixed: Some(fixed),
            ..Overrides::default()
        };
        let timeline = run_with(text, &overrides, Vec::new());
        let bugs = timeline.remarks.iter().filter(|found| found.kind == RemarkKind::KnownBug);
        bugs.filter_map(|found| found.fixed_in.clone()).collect()
    };
    assert_eq!(badges(&two, "1.36.6", false), ["1.37.0"]);
    assert!(badges(&two, "1.36.6", true).is_empty());
    assert!(badges(&two, "1.37.2", false).is_empty());
    assert!(badges(&one, "1.36.6", false).is_empty());
}

#[test]
fn fields_of_results_are_found_by_path() {
    let slice = "---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s3}
spec:
  driver: e.example.com
  nodeName: n1
  pool: {name: n1, generation: 1, resourceSliceCount: 1}
  devices:
  - {name: d0, allowMultipleAllocations: true, capacity: {dra.cpu/cpu: {value: \"4\"}}}
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: e}
spec: {selectors: [{cel: {expression: \"device.driver == 'e.example.com'\"}}]}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: share}
spec: {spec: {devices: {requests: [{name: r, exactly: {deviceClassName: e, capacity: {requests: {dra.cpu/cpu: 2000m}}}}]}}}
";
    let pod = pod("p", "resourceClaims: [{name: x, resourceClaimTemplateName: share}]");
    let scenario = "---
apiVersion: dra-playground/v1
kind: Scenario
metadata: {name: s}
spec:
  expect:
  - result p-x results[0].consumedCapacity[dra.cpu/cpu]=2
  - result p-x results[0].consumedCapacity.dra.cpu/cpu=2
  - result p-x results[0].device=d0
  - result p-x results[0].device=d1
  - result p-x results[1].device=d0
  - left e.example.com/n1/d0 dra.cpu/cpu=2
";
    let timeline = run(&[BASE, slice, &pod, scenario]);
    let passed: Vec<bool> = timeline.expectations.iter().map(|line| line.passed).collect();
    assert_eq!(passed, [true, true, true, false, false, true], "{:?}", timeline.expectations);
    assert_eq!(timeline.expectations[3].found, "results[0].device=d0");
    assert_eq!(timeline.expectations[4].found, "`results[1].device` is not set");
}

mod memory {
    use std::fmt::Write as _;

    use proptest::prelude::*;

    use crate::scheduler::{Consequence, attempt_pod};

    use super::*;

    /// Makes every attempt of a timeline again without anything remembered: the answers must be the
    /// same, and so must what was written into the claims.
    #[track_caller]
    fn check(timeline: &Timeline, env: &Env) {
        for step in &timeline.steps {
            for attempt in &step.attempts {
                let fresh = Env::new(env.behavior().clone(), Selectors::new(&env.behavior().cel));
                let pod = &attempt.before.pods.get(&attempt.pod.namespace, &attempt.pod.name);
                let again = attempt_pod(&attempt.before, &pod.unwrap().value, &fresh);
                let name = &attempt.pod.name;
                assert_eq!(again.attempt.outcome.node(), attempt.outcome.node(), "{name}");
                assert_eq!(again.attempt.message, attempt.message, "{name}");
                let feasible = |attempt: &Attempt| format!("{:?}", attempt.feasible_nodes());
                assert_eq!(feasible(&again.attempt), feasible(attempt), "{name}");
                let nodes = |attempt: &Attempt| format!("{:#?}", attempt.nodes);
                assert_eq!(nodes(&again.attempt), nodes(attempt), "{name}");
                let Consequence::Bind(plan) = again.consequence else { continue };
                for (claim, allocation) in plan.allocations {
                    let meta = &claim.metadata;
                    let found = step.cluster.claims.get(&meta.namespace, &meta.name);
                    let written = found.and_then(|found| found.value.status.allocation.clone());
                    if let Some(written) = written {
                        assert_eq!(written.results, allocation.results, "{name}");
                    }
                }
            }
        }
    }

    fn run(text: &str, release: &str, gates: &[&str]) -> (Timeline, Env) {
        let overrides = Overrides {
            kubernetes_version: Some(release.to_owned()),
            feature_gates: gates.iter().map(|gate| ((*gate).to_owned(), true)).collect(),
            ..Overrides::default()
        };
        let opened = open(text, &overrides);
        let env = Env::new(opened.behavior.clone(), Selectors::new(&opened.behavior.cel));
        let timeline = opened.run(&env, Vec::new());
        (timeline, env)
    }

    #[test]
    fn examples_are_answered_as_without_memory() {
        for text in [
            include_str!("../../../../examples/experiment-5-partitionable.yaml"),
            include_str!("../../../../examples/experiment-6-consumable-on.yaml"),
            include_str!("../../../../examples/extended-resource.yaml"),
            include_str!("../../../../examples/prioritized-list.yaml"),
            include_str!("../../../../examples/shared-claim.yaml"),
            include_str!("../../../../examples/binding-conditions.yaml"),
            include_str!("../../../../examples/device-taint-rule.yaml"),
        ] {
            let (timeline, env) = run(text, "1.37.2", &[]);
            check(&timeline, &env);
        }
    }

    const TEMPLATES: [&str; 4] = [
        "requests: [{name: r, exactly: {deviceClassName: c}}]",
        "requests: [{name: r, firstAvailable: [{name: big, deviceClassName: c, count: 3}, \
         {name: small, deviceClassName: c}]}]",
        "requests: [{name: r, exactly: {deviceClassName: c, capacity: {requests: {bw: 3}}}}, \
         {name: q, exactly: {deviceClassName: c}}]",
        "requests: [{name: r, exactly: {deviceClassName: c, allocationMode: All}}]",
    ];

    /// Nodes with partitions, shared devices, half a pool or plain ones, a pool on the network, and Pods of few
    /// shapes that alternate.
    fn text(kinds: &[usize], network: usize, pods: &[(usize, bool)]) -> String {
        let mut text = String::from(
            "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: c}\nspec: {}\n",
        );
        let slice = |text: &mut String,
                     name: &str,
                     pool: &str,
                     scope: &str,
                     of: usize,
                     rest: &str| {
            write!(
                text,
                "---\napiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {{name: {name}}}\n\
                 spec:\n  driver: d.example.com\n  {scope}\n\
                 \x20 pool: {{name: {pool}, generation: 1, resourceSliceCount: {of}}}\n  {rest}\n"
            )
            .unwrap();
        };
        let pool = |text: &mut String, name: &str, scope: &str, kind: usize| match kind {
            0 => slice(text, name, name, scope, 1, "devices: [{name: d0}, {name: d1}]"),
            1 => {
                let sets = "sharedCounters: [{name: cs, counters: {m: {value: 4}}}]";
                slice(text, &format!("{name}-cs"), name, scope, 2, sets);
                let device = |device: &str, amount: u32| {
                    format!(
                        "{{name: {device}, consumesCounters: \
                         [{{counterSet: cs, counters: {{m: {{value: {amount}}}}}}}]}}"
                    )
                };
                let devices =
                    [("full", 4), ("half0", 2), ("half1", 2)].map(|(name, m)| device(name, m));
                slice(text, name, name, scope, 2, &format!("devices: [{}]", devices.join(", ")));
            }
            // One slice is missing.
            2 => slice(text, name, name, scope, 2, "devices: [{name: d0}]"),
            _ => {
                let devices = "devices: [{name: m0, allowMultipleAllocations: true, \
                               capacity: {bw: {value: 8, requestPolicy: {default: 1}}}}]";
                slice(text, name, name, scope, 1, devices);
            }
        };
        for (number, kind) in kinds.iter().enumerate() {
            let name = format!("n{number}");
            write!(
                text,
                "---\napiVersion: v1\nkind: Node\nmetadata: {{name: {name}}}\n\
                 status: {{allocatable: {{cpu: 3}}}}\n"
            )
            .unwrap();
            pool(&mut text, &name, &format!("nodeName: {name}"), *kind);
        }
        if network < 4 {
            pool(&mut text, "net", "allNodes: true", network);
        }
        for (number, template) in TEMPLATES.iter().enumerate() {
            write!(
                text,
                "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaimTemplate\n\
                 metadata: {{name: t{number}}}\nspec: {{spec: {{devices: {{{template}}}}}}}\n"
            )
            .unwrap();
        }
        for (number, (template, cpu)) in pods.iter().enumerate() {
            let resources = if *cpu { "resources: {requests: {cpu: 1}}, " } else { "" };
            text += &pod(
                &format!("p{number}"),
                &format!(
                    "containers: [{{{resources}name: c, image: i}}]\n  \
                     resourceClaims: [{{name: x, resourceClaimTemplateName: t{template}}}]"
                ),
            );
        }
        text
    }

    #[test]
    fn each_failure_names_its_own_claim() {
        let (timeline, env) = run(&text(&[2], 9, &[(3, false), (3, false)]), "1.37.2", &[]);
        check(&timeline, &env);
        let attempts = timeline.steps[0].attempts.iter();
        let messages: Vec<_> = attempts.filter_map(|attempt| attempt.message.as_deref()).collect();
        let expected = |claim| {
            format!(
                "running \"DynamicResources\" filter plugin: claim default/{claim}, request r: \
                 asks for all devices, but resource pool d.example.com/n0 is currently being updated"
            )
        };
        assert_eq!(messages[..2], [expected("p0-x"), expected("p1-x")]);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

        #[test]
        fn clusters_are_answered_as_without_memory(
            kinds in prop::collection::vec(0..4usize, 1..5),
            network in 0..7usize,
            pods in prop::collection::vec((0..4usize, any::<bool>()), 1..12),
            release in 0..4usize,
        ) {
            let release = ["1.34.13", "1.35.10", "1.36.2", "1.37.2"][release];
            let gates =
                ["DRAPartitionableDevices", "DRAConsumableCapacity", "DRADeviceTaints"];
            let text = text(&kinds, network, &pods);
            let (timeline, env) = run(&text, release, &gates);
            prop_assert!(timeline.steps[0].attempts.len() >= pods.len(), "{text}");
            check(&timeline, &env);
        }
    }
}

/// Names and titles of our own documents stay what is written.
#[test]
fn own_texts_are_not_read_as_booleans() {
    let text = "apiVersion: dra-playground/v1\nkind: Scenario\nmetadata: {name: on}\nspec:\n  title: no\n  kubernetesVersion: 1.36\n  steps:\n  - {name: y, advance: 5s}\n  - {name: 1.10, advance: 5s}\n";
    let opened = open(text, &Overrides::default());
    let document = opened.document.unwrap();
    assert_eq!((document.name.as_str(), document.title.as_str()), ("on", "no"));
    let names: Vec<&str> = document.steps.iter().filter_map(|step| step.name.as_deref()).collect();
    assert_eq!(names, ["y", "1.10"]);
}

#[test]
fn what_cannot_be_changed_is_refused_and_stays() {
    let claim = |class: &str| {
        format!(
            "{{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {{name: held}}, spec: {{devices: {{requests: [{{name: r, exactly: {{deviceClassName: {class}}}}}]}}}}}}"
        )
    };
    let template = |labels: &str| {
        format!(
            "{{apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {{name: t}}, spec: {{metadata: {{labels: {labels}}}, spec: {{devices: {{requests: [{{name: r, exactly: {{deviceClassName: c}}}}]}}}}}}}}"
        )
    };
    let slice = |node: &str, driver: &str, pool: &str, generation: u32| {
        format!(
            "{{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {{name: s1}}, spec: {{driver: {driver}, nodeName: {node}, pool: {{name: {pool}, generation: {generation}, resourceSliceCount: 1}}, devices: [{{name: d0}}]}}}}"
        )
    };
    let steps = [
        claim("c"),
        claim("other"),
        template("{a: b}"),
        slice("n1", "d.example.com", "n1", 2),
        slice("n2", "d.example.com", "n1", 3),
        slice("n1", "e.example.com", "n1", 3),
        slice("n1", "d.example.com", "n2", 3),
    ];
    let steps = steps.map(|object| format!("  - apply: [{object}]\n")).concat();
    let text = format!(
        "{BASE}{}---\napiVersion: dra-playground/v1\nkind: Scenario\nmetadata: {{name: s}}\nspec:\n  steps:\n{steps}",
        allocated_claim("held", 1)
    );
    let timeline = run_with(&text, &Overrides::default(), Vec::new());
    let problems: Vec<_> = timeline.steps.iter().map(|step| step.problem.as_deref()).collect();
    let refused = |key: &str, field: &str| {
        Some(format!("{key} is refused: `{field}`: field is immutable; delete it first"))
    };
    let claim = refused("ResourceClaim/default/held", "spec");
    let template = refused("ResourceClaimTemplate/default/t", "spec");
    let of_slice = |field: &str| refused("ResourceSlice/s1", field);
    let (node, driver, pool) =
        (of_slice("spec.nodeName"), of_slice("spec.driver"), of_slice("spec.pool.name"));
    assert_eq!(
        problems,
        [
            None,
            None,
            claim.as_deref(),
            template.as_deref(),
            None,
            node.as_deref(),
            driver.as_deref(),
            pool.as_deref()
        ]
    );
    let cluster = &timeline.steps.last().unwrap().cluster;
    let held = &cluster.claims.get("default", "held").unwrap().value;
    assert_eq!(held.spec.requests[0].exactly.as_ref().unwrap().device_class_name, "c");
    assert!(held.status.allocation.is_some());
    assert_eq!(cluster.slices.get("", "s1").unwrap().value.pool.generation, 2);
}
