package main

import (
	"context"
	"encoding/json"
	"fmt"
	"sort"
	"strings"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	k8stesting "k8s.io/client-go/testing"
)

// record is a question.
type record struct {
	Objects []json.RawMessage `json:"objects"`
	Gates   map[string]bool   `json:"gates"`
	Now     int64             `json:"now"`
	Steps   []step            `json:"steps"`
}

// step is what happens between attempts; one field is set.
type step struct {
	Apply  []json.RawMessage `json:"apply"`
	Delete *struct {
		Kind      string `json:"kind"`
		Namespace string `json:"namespace"`
		Name      string `json:"name"`
	} `json:"delete"`
	Advance string `json:"advance"`
	Finish  *struct {
		Pod   string          `json:"pod"`
		Phase corev1.PodPhase `json:"phase"`
	} `json:"finish"`
	SetConditions *struct {
		Claim      string             `json:"claim"`
		Device     string             `json:"device"`
		Conditions []metav1.Condition `json:"conditions"`
	} `json:"setConditions"`
}

// outcome is the answer.
type outcome struct {
	// GatesRefused says why the scheduler would not start with these gates.
	GatesRefused string `json:"gatesRefused,omitempty"`
	// Steps are what came of the objects, then of each step.
	Steps []moment `json:"steps,omitempty"`
}

// moment is what happened in a step, and what is there after it.
type moment struct {
	Attempts []attempt `json:"attempts,omitempty"`
	// Failures are those of bindings that began in an earlier attempt.
	Failures  []failure    `json:"failures,omitempty"`
	Evictions []eviction   `json:"evictions,omitempty"`
	Pods      []podState   `json:"pods,omitempty"`
	Claims    []claimState `json:"claims,omitempty"`
	Rules     []ruleState  `json:"rules,omitempty"`
}

// eviction is a Pod that the controller of device taints deleted.
type eviction struct {
	Pod string `json:"pod"`
	// At is the time, in seconds since 1970.
	At int64 `json:"at"`
	// Events are what it told about the Pod.
	Events []string `json:"events,omitempty"`
	// Reason and Message are those of the condition DisruptionTarget.
	Reason  string `json:"reason,omitempty"`
	Message string `json:"message,omitempty"`
}

// ruleState is what the controller writes into the status of a rule.
type ruleState struct {
	Rule       string             `json:"rule"`
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

type podState struct {
	Pod      string                                 `json:"pod"`
	Node     string                                 `json:"node,omitempty"`
	Waiting  bool                                   `json:"waiting,omitempty"`
	Claims   []corev1.PodResourceClaimStatus        `json:"resourceClaimStatuses,omitempty"`
	Extended *corev1.PodExtendedResourceClaimStatus `json:"extendedResourceClaimStatus,omitempty"`
}

type claimState struct {
	Claim       string                        `json:"claim"`
	Deleting    bool                          `json:"deleting,omitempty"`
	Allocation  *resourceapi.AllocationResult `json:"allocation,omitempty"`
	ReservedFor []string                      `json:"reservedFor,omitempty"`
}

// rounds is how often pending Pods are tried again because a claim was freed.
const rounds = 16

func play(ctx context.Context, question *record) (*outcome, error) {
	time.Sleep(time.Until(time.Unix(question.Now, 0)))
	w, err := newWorld(ctx)
	if err != nil {
		return nil, err
	}
	defer w.stop()
	err = w.addStrangers(question.Objects)
	if err == nil {
		err = w.applyAll(question.Objects)
	}
	synctest.Wait()
	// Controllers end only after they began.
	w.start()
	time.Sleep(startup)
	if err != nil {
		return nil, err
	}
	result := &outcome{}
	for number := -1; number < len(question.Steps); number++ {
		now := &moment{}
		if number >= 0 {
			// What is gone already cannot be changed.
			if err := w.do(&question.Steps[number], now); err != nil && !apierrors.IsNotFound(err) {
				return nil, fmt.Errorf("step %d: %w", number, err)
			}
		}
		if err := w.settle(now); err != nil {
			return nil, err
		}
		if err := w.describe(now); err != nil {
			return nil, err
		}
		result.Steps = append(result.Steps, *now)
	}
	return result, nil
}

// settle lets everybody act until nothing more happens at this time.
func (w *world) settle(now *moment) error {
	for range rounds {
		if err := w.quiet(); err != nil {
			return err
		}
		now.Failures = append(now.Failures, w.failures()...)
		freed := false
		for _, name := range w.pending() {
			tried, err := w.try(name)
			if err != nil {
				return err
			}
			freed = freed || strings.Contains(tried.Message, "of ResourceClaim completed")
			now.Attempts = append(now.Attempts, *tried)
		}
		if !freed {
			break
		}
	}
	return w.quiet()
}

func (w *world) quiet() error {
	for {
		synctest.Wait()
		again, err := w.collectGarbage()
		if err != nil || !again {
			return err
		}
	}
}

func (w *world) evictions() []eviction {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	for index := range w.evicted {
		w.evicted[index].Events = w.told[w.evicted[index].Pod]
	}
	sort.Slice(w.evicted, func(i, j int) bool { return w.evicted[i].Pod < w.evicted[j].Pod })
	evicted := w.evicted
	w.evicted, w.told = nil, map[string][]string{}
	return evicted
}

func (w *world) failures() []failure {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	failed := w.failed
	w.failed = nil
	return failed
}

// pending are the Pods to be tried, in order of creation.
func (w *world) pending() []types.NamespacedName {
	var names []types.NamespacedName
	for _, name := range w.order {
		pod, err := w.podNow(name)
		if err != nil || pod.Spec.NodeName != "" || pod.DeletionTimestamp != nil || w.isWaiting(name) {
			continue
		}
		names = append(names, name)
	}
	return names
}

// podNow is a Pod as the scheduler sees it.
func (w *world) podNow(name types.NamespacedName) (*corev1.Pod, error) {
	return w.profile.SharedInformerFactory().Core().V1().Pods().Lister().Pods(name.Namespace).Get(name.Name)
}

func (w *world) isWaiting(name types.NamespacedName) bool {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.waiting[name]
}

// do does a step.
func (w *world) do(step *step, now *moment) error {
	switch {
	case step.Apply != nil:
		return w.applyAll(step.Apply)
	case step.Delete != nil:
		_, err := w.client.Invokes(k8stesting.NewDeleteAction(kinds[step.Delete.Kind].resource, step.Delete.Namespace, step.Delete.Name), nil)
		return err
	case step.Advance != "":
		return w.advance(step.Advance, now)
	case step.Finish != nil:
		namespace, name, _ := strings.Cut(step.Finish.Pod, "/")
		pod, err := w.client.CoreV1().Pods(namespace).Get(w.ctx, name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		pod.Status.Phase = step.Finish.Phase
		_, err = w.client.CoreV1().Pods(namespace).UpdateStatus(w.ctx, pod, metav1.UpdateOptions{})
		return err
	case step.SetConditions != nil:
		return w.setConditions(step)
	}
	return fmt.Errorf("nothing to do")
}

// advance moves the clock on, and stops where a Pod comes or goes.
func (w *world) advance(by string, now *moment) error {
	duration, err := time.ParseDuration(by)
	if err != nil {
		return err
	}
	for left := int(duration.Seconds()); left > 0; left-- {
		before := w.changes()
		time.Sleep(time.Second)
		synctest.Wait()
		if left > 1 && w.changes() != before {
			// Another attempt comes later than what called for it.
			time.Sleep(time.Millisecond)
			if err := w.settle(now); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *world) changes() int {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.changed
}

// setConditions does what a driver does whose device becomes ready or fails.
func (w *world) setConditions(step *step) error {
	wanted := step.SetConditions
	namespace, name, _ := strings.Cut(wanted.Claim, "/")
	claims := w.client.ResourceV1().ResourceClaims(namespace)
	claim, err := claims.Get(w.ctx, name, metav1.GetOptions{})
	if err != nil || claim.Status.Allocation == nil {
		return err
	}
	for _, result := range claim.Status.Allocation.Devices.Results {
		if result.Device != wanted.Device {
			continue
		}
		var status *resourceapi.AllocatedDeviceStatus
		for index := range claim.Status.Devices {
			device := &claim.Status.Devices[index]
			if device.Driver == result.Driver && device.Pool == result.Pool && device.Device == result.Device {
				status = device
			}
		}
		if status == nil {
			claim.Status.Devices = append(claim.Status.Devices, resourceapi.AllocatedDeviceStatus{
				Driver: result.Driver, Pool: result.Pool, Device: result.Device, ShareID: (*string)(result.ShareID),
			})
			status = &claim.Status.Devices[len(claim.Status.Devices)-1]
		}
		for _, condition := range wanted.Conditions {
			kept := status.Conditions[:0]
			for _, old := range status.Conditions {
				if old.Type != condition.Type {
					kept = append(kept, old)
				}
			}
			status.Conditions = append(kept, condition)
		}
	}
	_, err = claims.UpdateStatus(w.ctx, claim, metav1.UpdateOptions{})
	return err
}

// describe writes down what is there.
func (w *world) describe(now *moment) error {
	now.Failures = append(now.Failures, w.failures()...)
	for _, name := range w.order {
		pod, err := w.client.CoreV1().Pods(name.Namespace).Get(w.ctx, name.Name, metav1.GetOptions{})
		if err != nil {
			continue
		}
		now.Pods = append(now.Pods, podState{
			Pod: name.String(), Node: pod.Spec.NodeName, Waiting: w.isWaiting(name),
			Claims: pod.Status.ResourceClaimStatuses, Extended: pod.Status.ExtendedResourceClaimStatus,
		})
	}
	claims, err := w.client.ResourceV1().ResourceClaims("").List(w.ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, claim := range claims.Items {
		state := claimState{
			Claim: claim.Namespace + "/" + claim.Name, Deleting: claim.DeletionTimestamp != nil,
			Allocation: plainAllocation(claim.Status.Allocation),
		}
		for _, consumer := range claim.Status.ReservedFor {
			state.ReservedFor = append(state.ReservedFor, consumer.Name)
		}
		now.Claims = append(now.Claims, state)
	}
	sort.Slice(now.Claims, func(i, j int) bool { return now.Claims[i].Claim < now.Claims[j].Claim })
	now.Evictions = w.evictions()
	return w.describeRules(now)
}

// describeRules writes down what is said of the rules.
func (w *world) describeRules(now *moment) error {
	rules, err := w.client.Tracker().List(ruleResource, ruleResource.GroupVersion().WithKind("DeviceTaintRule"), "")
	if err != nil {
		return err
	}
	return meta.EachListItem(rules, func(object runtime.Object) error {
		rule := object.(*taintRule)
		now.Rules = append(now.Rules, ruleState{Rule: rule.Name, Conditions: conditionsOf(rule)})
		return nil
	})
}

// plainAllocation leaves out what is random.
func plainAllocation(allocation *resourceapi.AllocationResult) *resourceapi.AllocationResult {
	if allocation == nil {
		return nil
	}
	allocation = allocation.DeepCopy()
	for index := range allocation.Devices.Results {
		if result := &allocation.Devices.Results[index]; result.ShareID != nil {
			share := "share"
			result.ShareID = (*types.UID)(&share)
		}
	}
	return allocation
}
