package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing/synctest"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	k8stesting "k8s.io/client-go/testing"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/resource/install"
)

// kinds are the kinds that a record can have.
var kinds = map[string]struct {
	resource schema.GroupVersionResource
	empty    func() runtime.Object
}{
	"Namespace":             {corev1.SchemeGroupVersion.WithResource("namespaces"), func() runtime.Object { return &corev1.Namespace{} }},
	"Node":                  {corev1.SchemeGroupVersion.WithResource("nodes"), func() runtime.Object { return &corev1.Node{} }},
	"Pod":                   {corev1.SchemeGroupVersion.WithResource("pods"), func() runtime.Object { return &corev1.Pod{} }},
	"DeviceClass":           {resourceapi.SchemeGroupVersion.WithResource("deviceclasses"), func() runtime.Object { return &resourceapi.DeviceClass{} }},
	"ResourceSlice":         {resourceapi.SchemeGroupVersion.WithResource("resourceslices"), func() runtime.Object { return &resourceapi.ResourceSlice{} }},
	"ResourceClaim":         {resourceapi.SchemeGroupVersion.WithResource("resourceclaims"), func() runtime.Object { return &resourceapi.ResourceClaim{} }},
	"ResourceClaimTemplate": {resourceapi.SchemeGroupVersion.WithResource("resourceclaimtemplates"), func() runtime.Object { return &resourceapi.ResourceClaimTemplate{} }},
	"DeviceTaintRule":       {ruleResource, func() runtime.Object { return &taintRule{} }},
}

// burst is how many objects may be created before those who watch have to have
// seen them.
const burst = 20

// decode reads an object and gives it the API's defaults.
func decode(data []byte) (runtime.Object, schema.GroupVersionResource, error) {
	var head metav1.TypeMeta
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, schema.GroupVersionResource{}, err
	}
	kind, known := kinds[head.Kind]
	if !known {
		return nil, kind.resource, fmt.Errorf("unknown kind %q", head.Kind)
	}
	object := kind.empty()
	if err := json.Unmarshal(data, object); err != nil {
		return nil, kind.resource, err
	}
	legacyscheme.Scheme.Default(object)
	accessor, err := meta.Accessor(object)
	if err != nil {
		return nil, kind.resource, err
	}
	switch object := object.(type) {
	case *corev1.Node:
		roomy(object)
	case *corev1.Pod, *resourceapi.ResourceClaim, *resourceapi.ResourceClaimTemplate:
		if accessor.GetNamespace() == "" {
			accessor.SetNamespace("default")
		}
	}
	return object, kind.resource, nil
}

// roomy gives a node the label that its kubelet sets, and room for everything
// that it does not speak of.
func roomy(node *corev1.Node) {
	if node.Labels == nil {
		node.Labels = map[string]string{}
	}
	if _, given := node.Labels[corev1.LabelHostname]; !given {
		node.Labels[corev1.LabelHostname] = node.Name
	}
	if node.Status.Allocatable == nil {
		node.Status.Allocatable = corev1.ResourceList{}
	}
	for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceEphemeralStorage, corev1.ResourcePods} {
		if _, given := node.Status.Allocatable[name]; !given {
			room := "1000000"
			if name == corev1.ResourceMemory || name == corev1.ResourceEphemeralStorage {
				room = "1000000Gi"
			}
			node.Status.Allocatable[name] = resource.MustParse(room)
		}
	}
}

// apply creates an object or replaces it.
func (w *world) apply(data []byte) error {
	object, kind, err := decode(data)
	if err != nil {
		return err
	}
	accessor, err := meta.Accessor(object)
	if err != nil {
		return err
	}
	namespace := accessor.GetNamespace()
	if old, err := w.client.Tracker().Get(kind, namespace, accessor.GetName()); err == nil {
		before, err := meta.Accessor(old)
		if err != nil {
			return err
		}
		accessor.SetUID(before.GetUID())
		accessor.SetCreationTimestamp(before.GetCreationTimestamp())
		accessor.SetDeletionTimestamp(before.GetDeletionTimestamp())
		keep(object, old)
		_, err = w.client.Invokes(k8stesting.NewUpdateAction(kind, namespace, object), object)
		return err
	}
	if pod, ok := object.(*corev1.Pod); ok {
		w.order = append(w.order, nameOf(pod))
	}
	_, err = w.client.Invokes(k8stesting.NewCreateAction(kind, namespace, object), object)
	return err
}

// keep keeps what an update by `kubectl apply` does not touch: finalizers of
// others, and status, which is a resource of its own.
func keep(object, old runtime.Object) {
	switch object := object.(type) {
	case *resourceapi.ResourceClaim:
		before := old.(*resourceapi.ResourceClaim)
		for _, finalizer := range before.Finalizers {
			if !slices.Contains(object.Finalizers, finalizer) {
				object.Finalizers = append(object.Finalizers, finalizer)
			}
		}
		if object.Status.Allocation == nil {
			object.Status = before.Status
		}
	case *corev1.Pod:
		before := old.(*corev1.Pod)
		if object.Spec.NodeName == "" {
			object.Spec.NodeName = before.Spec.NodeName
		}
		if object.Status.Phase == "" {
			object.Status = before.Status
		}
	}
}

func (w *world) applyAll(objects []json.RawMessage) error {
	for number, object := range objects {
		if err := w.apply(object); err != nil {
			return err
		}
		if number%burst == burst-1 {
			synctest.Wait()
		}
	}
	return nil
}

// addStrangers creates the Pods that claims are reserved for and that are not
// among the objects: they count as running somewhere.
func (w *world) addStrangers(objects []json.RawMessage) error {
	known := map[types.NamespacedName]bool{}
	var claims []*resourceapi.ResourceClaim
	for _, data := range objects {
		object, _, err := decode(data)
		if err != nil {
			return err
		}
		switch object := object.(type) {
		case *corev1.Pod:
			known[nameOf(object)] = true
		case *resourceapi.ResourceClaim:
			claims = append(claims, object)
		}
	}
	for _, claim := range claims {
		for _, consumer := range claim.Status.ReservedFor {
			name := types.NamespacedName{Namespace: claim.Namespace, Name: consumer.Name}
			if consumer.Resource != "pods" || known[name] {
				continue
			}
			known[name] = true
			pod := &corev1.Pod{
				ObjectMeta: metav1.ObjectMeta{Name: name.Name, Namespace: name.Namespace, UID: consumer.UID},
				// Without claims of its own: nothing evicts it.
				Spec:   corev1.PodSpec{NodeName: "elsewhere", SchedulerName: "default-scheduler"},
				Status: corev1.PodStatus{Phase: corev1.PodRunning},
			}
			if _, err := w.client.CoreV1().Pods(name.Namespace).Create(w.ctx, pod, metav1.CreateOptions{}); err != nil {
				return err
			}
			if len(known)%burst == 0 {
				synctest.Wait()
			}
		}
	}
	return nil
}

// collectGarbage deletes claims whose Pod is gone, as the garbage collector
// does; it says whether there were any.
func (w *world) collectGarbage() (bool, error) {
	claims, err := w.client.ResourceV1().ResourceClaims("").List(w.ctx, metav1.ListOptions{})
	if err != nil {
		return false, err
	}
	collected := false
	for _, claim := range claims.Items {
		owner := metav1.GetControllerOf(&claim)
		if owner == nil || owner.Kind != "Pod" || claim.DeletionTimestamp != nil {
			continue
		}
		pod, err := w.client.CoreV1().Pods(claim.Namespace).Get(w.ctx, owner.Name, metav1.GetOptions{})
		if err == nil && pod.UID == owner.UID {
			continue
		}
		collected = true
		if err := w.client.ResourceV1().ResourceClaims(claim.Namespace).Delete(w.ctx, claim.Name, metav1.DeleteOptions{}); err != nil {
			return false, err
		}
	}
	return collected, nil
}
