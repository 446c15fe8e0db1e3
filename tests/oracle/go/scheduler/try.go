package main

import (
	"sort"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/dynamicresources"
)

// attempt is what came of trying one Pod.
type attempt struct {
	Pod string `json:"pod"`
	// PreEnqueue says why the Pod is not tried at all.
	PreEnqueue string `json:"preEnqueue,omitempty"`
	// PreFilter is the refusal that ends the attempt.
	PreFilter *verdict `json:"preFilter,omitempty"`
	// Nodes are asked one by one in order of their names, each of them.
	Nodes []nodeAnswer `json:"nodes,omitempty"`
	// Node is where the Pod goes.
	Node string `json:"node,omitempty"`
	// Waiting says that binding has not come to its end.
	Waiting bool `json:"waiting,omitempty"`
	// Message is what the scheduler writes into the Pod's condition.
	Message string `json:"message,omitempty"`
	// Rejected says that the Pod is unschedulable; otherwise the scheduler failed.
	Rejected bool `json:"rejected,omitempty"`
}

// verdict is a status of the scheduling framework.
type verdict struct {
	Code    string   `json:"code"`
	Reasons []string `json:"reasons,omitempty"`
	Plugin  string   `json:"plugin,omitempty"`
}

// nodeAnswer is what the filters say of a node.
type nodeAnswer struct {
	Node string `json:"node"`
	// Refusal is absent where the Pod fits.
	Refusal *verdict `json:"refusal,omitempty"`
	// Allocations are what the claims get that are to be allocated.
	Allocations []resourceapi.AllocationResult `json:"allocations,omitempty"`
	// Special are the requests of the claim for extended resources.
	Special  []resourceapi.DeviceRequest               `json:"special,omitempty"`
	Mappings []corev1.ContainerExtendedResourceRequest `json:"mappings,omitempty"`
	// Score is the plugin's, with its weight.
	Score int64 `json:"score,omitempty"`
}

func verdictOf(status *fwk.Status) *verdict {
	if status.IsSuccess() {
		return nil
	}
	return &verdict{Code: status.Code().String(), Reasons: status.Reasons(), Plugin: status.Plugin()}
}

// try tries one Pod: first node by node without consequences, then in earnest.
func (w *world) try(name types.NamespacedName) (*attempt, error) {
	pod, err := w.podNow(name)
	if err != nil {
		return nil, err
	}
	result := &attempt{Pod: name.String()}
	for _, plugin := range w.profile.PreEnqueuePlugins() {
		if status := plugin.PreEnqueue(w.ctx, pod.DeepCopy()); !status.IsSuccess() {
			result.PreEnqueue = status.Message()
			return result, nil
		}
	}
	if err := w.sched.Cache.UpdateSnapshot(klog.FromContext(w.ctx), snapshotOf(w.sched)); err != nil {
		return nil, err
	}
	if err := w.ask(pod.DeepCopy(), result); err != nil {
		return nil, err
	}
	w.chosen = best(result.Nodes)
	info, err := framework.NewPodInfo(pod.DeepCopy())
	if err != nil {
		return nil, err
	}
	next(w.sched, info)
	w.mutex.Lock()
	w.waiting[name], w.trying = true, true
	w.mutex.Unlock()
	w.sched.ScheduleOne(w.ctx)
	synctest.Wait()
	if w.isWaiting(name) {
		// A write that met another one is tried again after 10 milliseconds.
		time.Sleep(20 * time.Millisecond)
		synctest.Wait()
	}
	w.mutex.Lock()
	w.trying = false
	w.mutex.Unlock()
	if failed := w.failures(); len(failed) > 0 {
		result.Message, result.Rejected = failed[0].Text, failed[0].Rejected
		w.failed = failed[1:]
		return result, nil
	}
	result.Node = w.chosen
	result.Waiting = w.isWaiting(name)
	return result, nil
}

// ask runs the filters on every node and the scores on those that fit.
func (w *world) ask(pod *corev1.Pod, result *attempt) error {
	state := framework.NewCycleState()
	all, err := w.profile.SnapshotSharedLister().NodeInfos().List()
	if err != nil {
		return err
	}
	all = append([]fwk.NodeInfo(nil), all...)
	sort.Slice(all, func(i, j int) bool { return all[i].Node().Name < all[j].Node().Name })
	wanted, status, _ := w.profile.RunPreFilterPlugins(w.ctx, state, pod)
	if !status.IsSuccess() {
		result.PreFilter = verdictOf(status)
		return nil
	}
	var fitting []fwk.NodeInfo
	for _, node := range all {
		answer := nodeAnswer{Node: node.Node().Name}
		if !wanted.AllNodes() && !wanted.NodeNames.Has(answer.Node) {
			continue
		}
		answer.Refusal = verdictOf(w.profile.RunFilterPluginsWithNominatedPods(w.ctx, state, pod, node))
		if answer.Refusal == nil {
			fitting = append(fitting, node)
			if kept, ok := foundOn(state, answer.Node); ok {
				for index := range kept.results {
					answer.Allocations = append(answer.Allocations, *plainAllocation(&kept.results[index]))
				}
				if kept.special != nil {
					answer.Special = kept.special.Spec.Devices.Requests
				}
				answer.Mappings = kept.mappings
			}
		}
		result.Nodes = append(result.Nodes, answer)
	}
	if len(fitting) == 0 || !w.profile.RunPreScorePlugins(w.ctx, state, pod, fitting).IsSuccess() {
		return nil
	}
	scores, status := w.profile.RunScorePlugins(w.ctx, state, pod, fitting)
	if !status.IsSuccess() {
		// The attempt in earnest fails then, when there are several nodes to choose from.
		return nil
	}
	for _, score := range scores {
		for index := range result.Nodes {
			if result.Nodes[index].Node != score.Name {
				continue
			}
			for _, plugin := range score.Scores {
				if plugin.Name == dynamicresources.Name {
					result.Nodes[index].Score = plugin.Score
				}
			}
		}
	}
	return nil
}

// best is the node with the highest score that fits, the first one among equals.
func best(nodes []nodeAnswer) string {
	var chosen *nodeAnswer
	for index := range nodes {
		node := &nodes[index]
		if node.Refusal == nil && (chosen == nil || node.Score > chosen.Score) {
			chosen = node
		}
	}
	if chosen == nil {
		return ""
	}
	return chosen.Node
}
