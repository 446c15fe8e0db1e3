package main

import (
	"maps"
	"strings"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
	_ "k8s.io/kubernetes/pkg/features"
)

// asyncCalls sends bindings from goroutines that only run with the scheduler's
// own loop.
const asyncCalls = "SchedulerAsyncAPICalls"

// defaultGates are the defaults of every gate that a record may change.
var defaultGates = func() map[string]bool {
	defaults := map[string]bool{asyncCalls: false}
	for gate, spec := range utilfeature.DefaultMutableFeatureGate.GetAll() {
		name := string(gate)
		if strings.HasPrefix(name, "DRA") && !spec.LockToDefault {
			defaults[name] = spec.Default
		}
	}
	return defaults
}()

func setGates(changed map[string]bool) error {
	wanted := maps.Clone(defaultGates)
	maps.Copy(wanted, changed)
	return utilfeature.DefaultMutableFeatureGate.SetFromMap(wanted)
}
