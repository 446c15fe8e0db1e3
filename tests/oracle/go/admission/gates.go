package main

import (
	"strings"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
	_ "k8s.io/kubernetes/pkg/features"
)

// defaultGates are the defaults of every gate that a record may change.
var defaultGates = func() map[string]bool {
	defaults := map[string]bool{}
	for gate, spec := range utilfeature.DefaultMutableFeatureGate.GetAll() {
		if strings.HasPrefix(string(gate), "DRA") && !spec.LockToDefault {
			defaults[string(gate)] = spec.Default
		}
	}
	return defaults
}()
