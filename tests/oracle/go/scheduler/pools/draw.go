package main

import (
	"fmt"
	"math/rand"
	"strings"

	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
)

type cluster struct {
	slices []resourcev1.ResourceSlice
	claims []resourcev1.ResourceClaim
	rules  []resourcev1.DeviceTaintRule
}

var drivers = []string{"gpu.example.com", "nic.example.com"}

// The same amount in several spellings, which upstream compares as text.
var amounts = []string{"1", "4Gi", "4096Mi", "4294967296", "1500m", "10", "2G", "2000M", "40Gi"}

type source struct{ *rand.Rand }

func (r source) chance(percent int) bool { return r.Intn(100) < percent }

func (r source) of(texts ...string) string { return texts[r.Intn(len(texts))] }

func (r source) amount() resource.Quantity { return resource.MustParse(r.of(amounts...)) }

func draw(seed int64) *cluster {
	r := source{rand.New(rand.NewSource(seed))}
	c := &cluster{}
	for _, driver := range drivers {
		pools := []string{"node-a", "shared"}
		if r.chance(10) {
			pools = []string{strings.Repeat("long", 15) + "/" + strings.Repeat("name", 15) + "/" + strings.Repeat("pool", 15)}
		}
		for _, pool := range pools {
			if r.chance(70) {
				c.pool(r, driver, pool)
			}
		}
	}
	for i := range r.Intn(6) {
		c.claims = append(c.claims, c.claim(r, i))
	}
	for i := range r.Intn(3) {
		c.rules = append(c.rules, rule(r, i))
	}
	return c
}

func (c *cluster) pool(r source, driver, pool string) {
	slice := func(generation, count int64) *resourcev1.ResourceSlice {
		c.slices = append(c.slices, resourcev1.ResourceSlice{
			ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("slice-%d", len(c.slices))},
			Spec: resourcev1.ResourceSliceSpec{
				Driver: driver,
				Pool:   resourcev1.ResourcePool{Name: pool, Generation: generation, ResourceSliceCount: count},
			},
		})
		added := &c.slices[len(c.slices)-1]
		if pool == "node-a" {
			added.Spec.NodeName = ptr.To(pool)
		} else {
			added.Spec.AllNodes = ptr.To(true)
		}
		return added
	}
	generation := int64(r.Intn(3) + 1)
	if r.chance(15) {
		old := slice(generation-1, 1)
		old.Spec.Devices = []resourcev1.Device{{Name: "d0"}, {Name: "old"}}
	}
	withCounters, inSlices := r.chance(60), r.Intn(2)+1
	count := int64(inSlices)
	if withCounters {
		count++
	}
	if r.chance(12) {
		count++
	}
	if withCounters {
		sets := slice(generation, count)
		for i := range r.Intn(2) + 1 {
			sets.Spec.SharedCounters = append(sets.Spec.SharedCounters, resourcev1.CounterSet{
				Name: fmt.Sprintf("set-%d", i),
				Counters: map[string]resourcev1.Counter{
					"memory": {Value: resource.MustParse(r.of("40Gi", "16Gi", "80Gi"))},
					"slots":  {Value: resource.MustParse(r.of("7", "3500m"))},
				},
			})
		}
	}
	many := withCounters && r.chance(7)
	number := 0
	for range inSlices {
		into := slice(generation, count)
		if chance := map[bool]int{true: 75, false: 6}[withCounters]; many || r.chance(chance) {
			into.Spec.PartitionTypeAttribute = ptr.To(resourcev1.FullyQualifiedName(r.of(driver+"/kind", driver+"/kind", "example.com/kind")))
		}
		devices := r.Intn(6)
		if many {
			devices = 20
		}
		cost := consumption(r)
		for range devices {
			device := device(r, driver, fmt.Sprintf("d%d", number), withCounters, cost)
			if many {
				kind := resourcev1.DeviceAttribute{StringValue: ptr.To(fmt.Sprintf("k%d", number))}
				device.Attributes = map[resourcev1.QualifiedName]resourcev1.DeviceAttribute{"kind": kind, "example.com/kind": kind}
			}
			into.Spec.Devices = append(into.Spec.Devices, device)
			number++
		}
	}
}

func consumption(r source) []resourcev1.DeviceCounterConsumption {
	uses := []resourcev1.DeviceCounterConsumption{{
		CounterSet: "set-0",
		Counters:   map[string]resourcev1.Counter{"memory": {Value: r.amount()}},
	}}
	if r.chance(40) {
		uses[0].Counters["slots"] = resourcev1.Counter{Value: resource.MustParse(r.of("1", "500m", "1500m"))}
	}
	return uses
}

func device(r source, driver, name string, counters bool, cost []resourcev1.DeviceCounterConsumption) resourcev1.Device {
	device := resourcev1.Device{Name: name}
	if counters && r.chance(80) {
		device.ConsumesCounters = cost
		if r.chance(6) {
			device.ConsumesCounters = consumption(r)
		}
	}
	kind := r.of("half", "full", "k\"uote")
	if len(cost) > 0 && r.chance(70) {
		kind = "half"
	}
	if r.chance(98) {
		device.Attributes = map[resourcev1.QualifiedName]resourcev1.DeviceAttribute{}
		for _, key := range []string{"kind", driver + "/kind", "example.com/kind"} {
			if key != driver+"/kind" || r.chance(20) {
				device.Attributes[resourcev1.QualifiedName(key)] = resourcev1.DeviceAttribute{StringValue: ptr.To(kind)}
			}
		}
		if r.chance(1) {
			device.Attributes["kind"] = resourcev1.DeviceAttribute{IntValue: ptr.To(int64(1))}
		}
	}
	if r.chance(40) {
		device.Capacity = map[resourcev1.QualifiedName]resourcev1.DeviceCapacity{}
		for range r.Intn(3) + 1 {
			name := resourcev1.QualifiedName(r.of("memory", "bandwidth", driver+"/memory"))
			device.Capacity[name] = resourcev1.DeviceCapacity{Value: r.amount()}
		}
		device.AllowMultipleAllocations = ptr.To(r.chance(80))
	}
	if r.chance(2) {
		device.AllowMultipleAllocations = ptr.To(true)
		device.Capacity = map[resourcev1.QualifiedName]resourcev1.DeviceCapacity{}
		for i := range r.Intn(20) + 30 {
			device.Capacity[resourcev1.QualifiedName(fmt.Sprintf("c%d", i+r.Intn(20)))] = resourcev1.DeviceCapacity{Value: r.amount()}
		}
	}
	if r.chance(12) {
		effect := resourcev1.DeviceTaintEffect(r.of("NoSchedule", "NoExecute", "None"))
		device.Taints = []resourcev1.DeviceTaint{{Key: "example.com/t", Effect: effect}}
	}
	return device
}

func (c *cluster) claim(r source, number int) resourcev1.ResourceClaim {
	claim := resourcev1.ResourceClaim{
		ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("claim-%d", number), Namespace: "default"},
	}
	claim.Spec.Devices.Requests = []resourcev1.DeviceRequest{{
		Name:    "r",
		Exactly: &resourcev1.ExactDeviceRequest{DeviceClassName: "any", AllocationMode: "ExactCount", Count: 8},
	}}
	if r.chance(15) || len(c.slices) == 0 {
		return claim
	}
	var results []resourcev1.DeviceRequestAllocationResult
	for range r.Intn(3) + 1 {
		slice := c.slices[r.Intn(len(c.slices))]
		result := resourcev1.DeviceRequestAllocationResult{
			Request: "r", Driver: slice.Spec.Driver, Pool: slice.Spec.Pool.Name,
			Device: fmt.Sprintf("d%d", r.Intn(8)),
		}
		if r.chance(12) {
			result.Device = "gone"
		}
		if r.chance(12) {
			result.AdminAccess = ptr.To(true)
		}
		if r.chance(35) {
			result.ShareID = ptr.To(shareID(r))
			result.ConsumedCapacity = map[resourcev1.QualifiedName]resource.Quantity{
				resourcev1.QualifiedName(r.of("memory", "bandwidth", "other")): r.amount(),
			}
		}
		results = append(results, result)
	}
	claim.Status.Allocation = &resourcev1.AllocationResult{
		Devices: resourcev1.DeviceAllocationResult{Results: results},
	}
	return claim
}

func rule(r source, number int) resourcev1.DeviceTaintRule {
	rule := resourcev1.DeviceTaintRule{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("rule-%d", number)}}
	rule.Spec.Taint = resourcev1.DeviceTaint{
		Key:    "example.com/t",
		Effect: resourcev1.DeviceTaintEffect(r.of("NoSchedule", "NoExecute", "None")),
	}
	if r.chance(25) {
		return rule
	}
	rule.Spec.DeviceSelector = &resourcev1.DeviceTaintSelector{}
	if r.chance(50) {
		rule.Spec.DeviceSelector.Driver = ptr.To(r.of(drivers...))
	}
	if r.chance(40) {
		rule.Spec.DeviceSelector.Pool = ptr.To(r.of("node-a", "shared"))
	}
	if r.chance(60) {
		rule.Spec.DeviceSelector.Device = ptr.To(fmt.Sprintf("d%d", r.Intn(4)))
	}
	return rule
}

// shareID is a share's name, which has the form of a UID.
func shareID(r source) types.UID {
	return types.UID(fmt.Sprintf("%08x-0000-4000-8000-%012x", r.Uint32(), r.Uint32()))
}
