package main

import (
	"maps"
	"strings"

	"github.com/go-logr/logr"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/klog/v2"
	_ "k8s.io/kubernetes/pkg/features"
)

// granular asks an authorizer who may write a status; there are no users here.
const granular = "DRAResourceClaimGranularStatusAuthorization"

// defaultGates are the defaults of every gate that a record may change.
var defaultGates = func() map[string]bool {
	klog.SetLogger(logr.Discard())
	defaults := map[string]bool{}
	for gate, spec := range utilfeature.DefaultMutableFeatureGate.GetAll() {
		name := string(gate)
		if strings.HasPrefix(name, "DRA") && !spec.LockToDefault {
			defaults[name] = spec.Default && name != granular
		}
	}
	return defaults
}()

// currentGates are those in force.
var currentGates map[string]bool

func setGates(changed map[string]bool) error {
	wanted := maps.Clone(defaultGates)
	maps.Copy(wanted, changed)
	if maps.Equal(wanted, currentGates) {
		return nil
	}
	err := utilfeature.DefaultMutableFeatureGate.SetFromMap(wanted)
	currentGates = nil
	if err == nil {
		currentGates = wanted
	}
	return err
}
