package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/dynamic-resource-allocation/cel"
	"k8s.io/dynamic-resource-allocation/structured"
)

// searchTime bounds one Allocate call, a flag.
var searchTime time.Duration

// timeout is the kind of an answer that took longer; the scenario is left then.
const timeout = "timeout"

// scenario is a record of allocation.
type scenario struct {
	Mode            string                       `json:"mode"`
	Features        map[string]bool              `json:"features"`
	Allocator       string                       `json:"allocator"`
	NoDefaults      bool                         `json:"noDefaults"`
	Nodes           []*corev1.Node               `json:"nodes"`
	DeviceClasses   []*resourceapi.DeviceClass   `json:"deviceClasses"`
	ResourceSlices  []*resourceapi.ResourceSlice `json:"resourceSlices"`
	Claims          []*resourceapi.ResourceClaim `json:"claims"`
	AllocatedClaims []*resourceapi.ResourceClaim `json:"allocatedClaims"`
}

// scenarioAnswer is the "expected" of a scenario.
type scenarioAnswer struct {
	Allocator string       `json:"allocator"`
	PerNode   []nodeAnswer `json:"perNode"`
	Sequence  []stepAnswer `json:"sequence,omitempty"`
	// Unstable marks a sequence that differs from run to run.
	Unstable bool `json:"unstable,omitempty"`
}

// nodeAnswer is one Allocate call with all claims on one node.
type nodeAnswer struct {
	Node             string                         `json:"node"`
	Result           []resourceapi.AllocationResult `json:"result"`
	Error            string                         `json:"error,omitempty"`
	ErrorKind        string                         `json:"errorKind,omitempty"`
	AllocateOneCalls int64                          `json:"allocateOneCalls,omitempty"`
	InputMutated     bool                           `json:"inputMutated,omitempty"`
	Nondeterministic bool                           `json:"nondeterministic,omitempty"`
	// Others are the further answers seen where the pool order is random.
	Others []nodeAnswer `json:"others,omitempty"`
}

// stepAnswer is one claim of the sequence.
type stepAnswer struct {
	Claim    string                        `json:"claim"`
	Node     string                        `json:"node,omitempty"`
	Result   *resourceapi.AllocationResult `json:"result"`
	Error    string                        `json:"error,omitempty"`
	Attempts []attemptAnswer               `json:"attempts"`
}

// attemptAnswer is one node tried for a claim of the sequence.
type attemptAnswer struct {
	Node         string `json:"node"`
	Outcome      string `json:"outcome"`
	Error        string `json:"error,omitempty"`
	ErrorKind    string `json:"errorKind,omitempty"`
	InputMutated bool   `json:"inputMutated,omitempty"`
}

func answerScenario(line []byte, opts options) (string, any, error) {
	first, err := runScenario(line, opts)
	if err != nil {
		return "", nil, err
	}
	if !randomOrder(first.Allocator) || timedOut(first) {
		return "expected", first, nil
	}
	for i := 1; i < opts.repeats; i++ {
		next, err := runScenario(line, opts)
		if err != nil {
			return "", nil, err
		}
		for n := range first.PerNode {
			addOther(&first.PerNode[n], next.PerNode[n])
		}
		if !reflect.DeepEqual(first.Sequence, next.Sequence) {
			first.Unstable = true
		}
	}
	return "expected", first, nil
}

// timedOut says whether some search took too long, so that it is not made again.
func timedOut(answer *scenarioAnswer) bool {
	for _, node := range answer.PerNode {
		if node.ErrorKind == timeout {
			return true
		}
	}
	return false
}

// randomOrder says whether a variant visits pools in Go map order.
func randomOrder(variant string) bool {
	return variant == "stable" || minor() == "34" || minor() == "35"
}

func addOther(first *nodeAnswer, next nodeAnswer) {
	plain := *first
	plain.Nondeterministic, plain.Others = false, nil
	if reflect.DeepEqual(plain, next) {
		return
	}
	first.Nondeterministic = true
	for _, other := range first.Others {
		if reflect.DeepEqual(other, next) {
			return
		}
	}
	first.Others = append(first.Others, next)
}

func runScenario(line []byte, opts options) (*scenarioAnswer, error) {
	s, err := readScenario(line)
	if err != nil {
		return nil, err
	}
	if s.Allocator == "" {
		s.Allocator = opts.force
	}
	var out scenarioAnswer
	variant, err := s.variant()
	if err != nil {
		return nil, err
	}
	out.Allocator = variant
	shares := newShareNames()
	for at := range s.Nodes {
		// Some inputs are changed by the real code, so start from the record.
		forced := s.Allocator
		if s, err = readScenario(line); err != nil {
			return nil, err
		}
		s.Allocator = forced
		node := s.Nodes[at]
		shares.restart()
		call := s.allocate(s.newAllocator, node, s.Claims, s.AllocatedClaims)
		shares.rename(call.result)
		out.PerNode = append(out.PerNode, nodeAnswer{
			Node: node.Name, Result: call.result, Error: call.text, ErrorKind: call.kind,
			AllocateOneCalls: call.calls, InputMutated: call.mutated,
		})
		if call.kind == timeout {
			return &out, nil
		}
	}
	if s.Mode == "both" || s.Mode == "sequence" {
		forced := s.Allocator
		if s, err = readScenario(line); err != nil {
			return nil, err
		}
		s.Allocator = forced
		out.Sequence = s.sequence()
	}
	return &out, nil
}

// readScenario decodes a scenario as the API server would hand it on.
func readScenario(line []byte) (*scenario, error) {
	var s scenario
	if err := json.Unmarshal(line, &s); err != nil {
		return nil, err
	}
	if s.NoDefaults {
		return &s, nil
	}
	for _, claim := range append(append([]*resourceapi.ResourceClaim{}, s.Claims...), s.AllocatedClaims...) {
		setClaimDefaults(claim)
	}
	// Stored objects carry quantities in their canonical form.
	stored, err := json.Marshal(&s)
	if err != nil {
		return nil, err
	}
	var again scenario
	if err := json.Unmarshal(stored, &again); err != nil {
		return nil, err
	}
	return &again, nil
}

func setClaimDefaults(claim *resourceapi.ResourceClaim) {
	requests := claim.Spec.Devices.Requests
	for i := range requests {
		if exactly := requests[i].Exactly; exactly != nil {
			setRequestDefaults(&exactly.AllocationMode, &exactly.Count, exactly.Tolerations)
		}
		for j := range requests[i].FirstAvailable {
			sub := &requests[i].FirstAvailable[j]
			setRequestDefaults(&sub.AllocationMode, &sub.Count, sub.Tolerations)
		}
	}
}

func setRequestDefaults(mode *resourceapi.DeviceAllocationMode, count *int64, tolerations []resourceapi.DeviceToleration) {
	if *mode == "" {
		*mode = resourceapi.DeviceAllocationModeExactCount
	}
	if *mode == resourceapi.DeviceAllocationModeExactCount && *count == 0 {
		*count = 1
	}
	for i := range tolerations {
		if tolerations[i].Operator == "" {
			tolerations[i].Operator = resourceapi.DeviceTolerationOpEqual
		}
	}
}

// structuredFeatures sets the allocator features by name; a release lacks
// some of them.
func (s *scenario) structuredFeatures() structured.Features {
	var features structured.Features
	fields := reflect.ValueOf(&features).Elem()
	set := func(name string, on bool) {
		if field := fields.FieldByName(name); field.IsValid() {
			field.SetBool(on)
		}
	}
	for name, on := range s.Features {
		set(name, on)
		if name == "DeviceBindingAndStatus" {
			// Two separate features in 1.34.
			set("DeviceBinding", on)
			set("DeviceStatus", on)
		}
	}
	if s.Allocator == "experimental" {
		// In 1.34, where no variant can be forced, this one feature selects it.
		set("DeviceStatus", true)
	}
	return features
}

func (s *scenario) celFeatures() cel.Features {
	return celFeatures(s.Features["ConsumableCapacity"], s.Features["ListTypeAttributes"])
}

// celFeatures sets the CEL features by name; a release lacks some of them.
func celFeatures(consumableCapacity, listAttributes bool) cel.Features {
	var features cel.Features
	fields := reflect.ValueOf(&features).Elem()
	for name, on := range map[string]bool{
		"EnableConsumableCapacity": consumableCapacity,
		"EnableListTypeAttributes": listAttributes,
	} {
		if field := fields.FieldByName(name); field.IsValid() {
			field.SetBool(on)
		}
	}
	return features
}

func (s *scenario) newAllocator(allocated []*resourceapi.ResourceClaim) (structured.Allocator, error) {
	forceVariant(s.Allocator)
	return structured.NewAllocator(context.Background(), s.structuredFeatures(),
		committed(allocated, s.Features["ConsumableCapacity"]),
		classLister(s.DeviceClasses), s.ResourceSlices, cel.NewCache(10, s.celFeatures()))
}

// variant names the allocator's variant: the package of its type.
func (s *scenario) variant() (string, error) {
	allocator, err := s.newAllocator(nil)
	if err != nil {
		return "", err
	}
	path := reflect.TypeOf(allocator).Elem().PkgPath()
	return path[strings.LastIndex(path, "/")+1:], nil
}

// committed gathers what allocated claims hold, as the scheduler does.
func committed(claims []*resourceapi.ResourceClaim, consumableCapacity bool) structured.AllocatedState {
	state := structured.AllocatedState{
		AllocatedDevices:         sets.New[structured.DeviceID](),
		AllocatedSharedDeviceIDs: sets.New[structured.SharedDeviceID](),
		AggregatedCapacity:       structured.NewConsumedCapacityCollection(),
	}
	for _, claim := range claims {
		if claim.Status.Allocation == nil {
			continue
		}
		for _, result := range claim.Status.Allocation.Devices.Results {
			if result.AdminAccess != nil && *result.AdminAccess {
				continue
			}
			id := structured.MakeDeviceID(result.Driver, result.Pool, result.Device)
			if !consumableCapacity || result.ShareID == nil {
				state.AllocatedDevices.Insert(id)
				continue
			}
			state.AllocatedSharedDeviceIDs.Insert(structured.MakeSharedDeviceID(id, result.ShareID))
			if result.ConsumedCapacity != nil {
				state.AggregatedCapacity.Insert(structured.NewDeviceConsumedCapacity(id, result.ConsumedCapacity))
			}
		}
	}
	return state
}

type classLister []*resourceapi.DeviceClass

func (l classLister) List() ([]*resourceapi.DeviceClass, error) { return l, nil }

func (l classLister) Get(name string) (*resourceapi.DeviceClass, error) {
	for _, class := range l {
		if class.Name == name {
			return class, nil
		}
	}
	return nil, apierrors.NewNotFound(schema.GroupResource{Group: "resource.k8s.io", Resource: "deviceclass"}, name)
}

// call is what one Allocate call gave.
type call struct {
	result  []resourceapi.AllocationResult
	text    string
	kind    string
	calls   int64
	mutated bool
}

type newAllocator func([]*resourceapi.ResourceClaim) (structured.Allocator, error)

// allocate runs one call with a fresh allocator. A crash of the real code is
// an answer: kind "crash" with the text of the panic.
func (s *scenario) allocate(create newAllocator, node *corev1.Node, claims, allocated []*resourceapi.ResourceClaim) (out call) {
	allocator, err := create(allocated)
	if err != nil {
		return call{text: err.Error(), kind: "fatal"}
	}
	return s.allocateWith(allocator, node, claims)
}

func (s *scenario) allocateWith(allocator structured.Allocator, node *corev1.Node, claims []*resourceapi.ResourceClaim) (out call) {
	earlier := searchCalls(allocator)
	defer func() {
		if cause := recover(); cause != nil {
			out = call{text: fmt.Sprint(cause), kind: "crash", calls: searchCalls(allocator) - earlier}
		}
	}()
	before, _ := json.Marshal(s)
	ctx, cancel := context.WithTimeout(context.Background(), searchTime)
	defer cancel()
	result, err := allocator.Allocate(ctx, node, claims)
	after, _ := json.Marshal(s)
	out = call{result: result, calls: searchCalls(allocator) - earlier, mutated: string(before) != string(after)}
	if err != nil {
		out.result, out.text, out.kind = nil, err.Error(), "fatal"
		if err.Error() == "invalid resource pools were encountered" {
			out.kind = "node"
		}
		if errors.Is(err, context.DeadlineExceeded) {
			out.kind = timeout
		}
	}
	return out
}

// searchCalls reads the allocator's own count of search steps. Its type is
// internal to the library. The stable variant did not count before 1.36.
func searchCalls(allocator structured.Allocator) int64 {
	stats := reflect.Indirect(reflect.ValueOf(allocator).MethodByName("GetStats").Call(nil)[0])
	if !stats.IsValid() {
		return 0
	}
	return stats.FieldByName("NumAllocateOneInvocations").Int()
}

// sequence allocates claims one after another, each on the first node that
// fits.
func (s *scenario) sequence() []stepAnswer {
	shares := newShareNames()
	allocated := append([]*resourceapi.ResourceClaim{}, s.AllocatedClaims...)
	steps := []stepAnswer{}
	for _, claim := range s.Claims {
		step := stepAnswer{Claim: claim.Name, Attempts: []attemptAnswer{}}
		for _, node := range s.Nodes {
			call := s.allocate(s.newAllocator, node, []*resourceapi.ResourceClaim{claim}, allocated)
			attempt := attemptAnswer{Node: node.Name, Error: call.text, ErrorKind: call.kind, InputMutated: call.mutated}
			switch {
			case call.text != "":
				attempt.Outcome = "error"
			case call.result == nil:
				attempt.Outcome = "null"
			default:
				attempt.Outcome = "allocated"
			}
			step.Attempts = append(step.Attempts, attempt)
			if attempt.Outcome == "allocated" {
				// The next attempts see real share ids; only the answer is renamed.
				holder := claim.DeepCopy()
				holder.Status.Allocation = call.result[0].DeepCopy()
				allocated = append(allocated, holder)
				shares.rename(call.result)
				step.Node, step.Result = node.Name, &call.result[0]
				break
			}
			if attempt.Outcome == "error" && attempt.ErrorKind != "node" {
				step.Error = call.text
				break
			}
		}
		steps = append(steps, step)
	}
	return steps
}

// shareNames renames random share ids in order of appearance.
type shareNames struct {
	names map[types.UID]types.UID
}

func newShareNames() *shareNames {
	return &shareNames{names: map[types.UID]types.UID{}}
}

func (s *shareNames) restart() { s.names = map[types.UID]types.UID{} }

func (s *shareNames) rename(results []resourceapi.AllocationResult) {
	for i := range results {
		devices := results[i].Devices.Results
		for j := range devices {
			if devices[j].ShareID == nil {
				continue
			}
			name, ok := s.names[*devices[j].ShareID]
			if !ok {
				name = types.UID(fmt.Sprintf("share-%d", len(s.names)+1))
				s.names[*devices[j].ShareID] = name
			}
			devices[j].ShareID = &name
		}
	}
}
