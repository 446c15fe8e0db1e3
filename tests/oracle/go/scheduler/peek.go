package main

import (
	"reflect"
	"unsafe"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler"
	internalcache "k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/dynamicresources"
)

// hidden is an unexported field of an addressable struct.
func hidden(of reflect.Value, name string) reflect.Value {
	found := of.FieldByName(name)
	return reflect.NewAt(found.Type(), unsafe.Pointer(found.UnsafeAddr())).Elem()
}

// snapshotOf is what the scheduler's attempts see of the nodes.
func snapshotOf(sched *scheduler.Scheduler) *internalcache.Snapshot {
	found := hidden(reflect.ValueOf(sched).Elem(), "nodeInfoSnapshot")
	return found.Interface().(*internalcache.Snapshot)
}

// found is what the plugin keeps of a node that fits.
type found struct {
	results  []resourceapi.AllocationResult
	special  *resourceapi.ResourceClaim
	mappings []corev1.ContainerExtendedResourceRequest
}

// foundOn reads what Filter of the plugin keeps for a node.
func foundOn(state fwk.CycleState, node string) (found, bool) {
	data, err := state.Read(dynamicresources.Name)
	if err != nil {
		return found{}, false
	}
	all := hidden(reflect.ValueOf(data).Elem(), "nodeAllocations")
	entry := all.MapIndex(reflect.ValueOf(node))
	if !entry.IsValid() {
		return found{}, false
	}
	copied := reflect.New(entry.Type()).Elem()
	copied.Set(entry)
	kept := found{
		results: hidden(copied, "allocationResults").Interface().([]resourceapi.AllocationResult),
		special: hidden(copied, "extendedResourceClaim").Interface().(*resourceapi.ResourceClaim),
	}
	// 1.34 reckons them when it writes them.
	const mappings = "containerResourceRequestMappings"
	if copied.FieldByName(mappings).IsValid() {
		kept.mappings = hidden(copied, mappings).Interface().([]corev1.ContainerExtendedResourceRequest)
	}
	return kept, true
}
