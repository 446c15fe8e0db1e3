package main

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apimachinery/pkg/watch"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/informers"
	clientset "k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	typedcore "k8s.io/client-go/kubernetes/typed/core/v1"
	typed "k8s.io/client-go/kubernetes/typed/resource/v1"
	k8stesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/events"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/features"
	"k8s.io/kubernetes/pkg/scheduler"
	schedulerapi "k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/latest"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
)

// world is a cluster without nodes' agents: an API with a scheduler and the
// controllers that claims need.
type world struct {
	ctx     context.Context
	client  *fake.Clientset
	sched   *scheduler.Scheduler
	profile framework.Framework
	// chosen is the node that the scheduler shall prefer.
	chosen string
	// order are the Pods in order of creation.
	order []types.NamespacedName
	// waiting are those whose binding has begun and not ended.
	waiting map[types.NamespacedName]bool
	// failed are the messages of the failures since they were last asked for.
	failed []failure
	// evicted are the Pods that were evicted since they were last asked for,
	// told what the controller told about Pods.
	evicted []eviction
	told    map[string][]string
	mutex   sync.Mutex
	version int
	// trying says that an attempt is under way.
	trying bool
	// changed counts Pods that were bound, deleted or given up by themselves.
	changed int
	// start starts the controllers: they act on objects as soon as they see
	// them, and the first ones come one after the other.
	start func()
	stop  func()
}

// failure is what the scheduler would write into a Pod's condition.
type failure struct {
	Pod      string `json:"pod"`
	Text     string `json:"text"`
	Rejected bool   `json:"rejected,omitempty"`
}

// choice prefers the node that was chosen; the scheduler chooses at random
// among equals.
type choice struct{ world *world }

// never is when everything is told anew. Without such a time the reflectors of
// 1.34 wait at a channel from outside the bubble, so that nothing is ever quiet.
const never = 100000 * time.Hour

const choiceName = "Choice"

func (c *choice) Name() string                     { return choiceName }
func (c *choice) ScoreExtensions() scoreExtensions { return nil }
func (c *choice) Score(_ context.Context, _ fwk.CycleState, _ *corev1.Pod, node fwk.NodeInfo) (int64, *fwk.Status) {
	if node.Node().Name == c.world.chosen {
		return maxNodeScore, nil
	}
	return 0, nil
}

func newWorld(parent context.Context) (*world, error) {
	ctx, cancel := context.WithCancel(parent)
	w := &world{ctx: ctx, waiting: map[types.NamespacedName]bool{}, told: map[string][]string{}}
	w.client = fake.NewClientset()
	w.client.PrependReactor("*", "*", w.react)
	config, err := latest.Default()
	if err != nil {
		return nil, err
	}
	hurry(config.Profiles[0].PluginConfig)
	enabled := &config.Profiles[0].Plugins.MultiPoint.Enabled
	*enabled = append(*enabled, schedulerapi.Plugin{Name: choiceName, Weight: 10000})
	registry := frameworkruntime.Registry{
		choiceName: func(context.Context, runtime.Object, handle) (plugin, error) {
			return &choice{w}, nil
		},
	}
	seen := informers.NewSharedInformerFactory(w.client, never)
	seen.InformerFor(&corev1.Pod{}, unfinishedPods)
	recorder := func(string) eventRecorder { return &events.FakeRecorder{} }
	w.sched, err = scheduler.New(ctx, &patient{w.client}, seen, nil, recorder,
		scheduler.WithProfiles(config.Profiles...),
		scheduler.WithFrameworkOutOfTreeRegistry(registry),
		scheduler.WithParallelism(1))
	if err != nil {
		return nil, err
	}
	w.profile = w.sched.Profiles["default-scheduler"]
	handleFailure := w.sched.FailureHandler
	w.sched.FailureHandler = func(ctx context.Context, profile framework.Framework, pod *framework.QueuedPodInfo, status *fwk.Status, nominated *nominatingInfo, start time.Time) {
		w.noteFailure(pod.Pod, status)
		// The node that the Pod was about to be bound to is not kept for it.
		handleFailure(ctx, profile, pod, status, nominated, start)
	}
	all := informers.NewSharedInformerFactory(w.client, never)
	claims, err := claimController(ctx, w.client, all)
	if err != nil {
		return nil, err
	}
	evictor := evictionController(w.client, all)
	var running sync.WaitGroup
	seen.Start(ctx.Done())
	all.Start(ctx.Done())
	seen.WaitForCacheSync(ctx.Done())
	all.WaitForCacheSync(ctx.Done())
	w.start = func() {
		running.Go(func() { claims.Run(ctx, 1) })
		// As kube-controller-manager has it.
		if utilfeature.DefaultFeatureGate.Enabled(features.DRADeviceTaints) {
			running.Go(func() { _ = runEvictor(ctx, evictor) })
		}
	}
	w.stop = func() {
		cancel()
		running.Wait()
		w.sched.SchedulingQueue.Close()
		_ = w.sched.Profiles.Close()
		seen.Shutdown()
		all.Shutdown()
		// Recorders of metrics look for the end once a second.
		time.Sleep(2 * time.Second)
	}
	synctest.Wait()
	return w, nil
}

// noteFailure keeps what the scheduler says of a Pod that it gives up.
func (w *world) noteFailure(pod *corev1.Pod, status *fwk.Status) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if !w.trying {
		w.changed++
	}
	w.failed = append(w.failed, failure{
		Pod: pod.Namespace + "/" + pod.Name, Text: status.Message(), Rejected: status.IsRejected(),
	})
	delete(w.waiting, nameOf(pod))
}

// patient creates claims and writes the status of Pods, and lets everybody see
// them before it goes on; the scheduler would otherwise look again a second
// later, or not, as it happens, and forget or keep a node that it nominated.
type patient struct{ clientset.Interface }

type patientCore struct{ typedcore.CoreV1Interface }

type patientPods struct{ typedcore.PodInterface }

func (p *patient) CoreV1() typedcore.CoreV1Interface {
	return &patientCore{p.Interface.CoreV1()}
}

func (p *patientCore) Pods(namespace string) typedcore.PodInterface {
	return &patientPods{p.CoreV1Interface.Pods(namespace)}
}

func (p *patientPods) Patch(ctx context.Context, name string, kind types.PatchType, data []byte, options metav1.PatchOptions, subresources ...string) (*corev1.Pod, error) {
	patched, err := p.PodInterface.Patch(ctx, name, kind, data, options, subresources...)
	// Time goes on when all others have nothing left to do.
	time.Sleep(time.Nanosecond)
	return patched, err
}

type patientResource struct{ typed.ResourceV1Interface }

type patientClaims struct{ typed.ResourceClaimInterface }

func (p *patient) ResourceV1() typed.ResourceV1Interface {
	return &patientResource{p.Interface.ResourceV1()}
}

func (p *patientResource) ResourceClaims(namespace string) typed.ResourceClaimInterface {
	return &patientClaims{p.ResourceV1Interface.ResourceClaims(namespace)}
}

func (p *patientClaims) Create(ctx context.Context, claim *resourceapi.ResourceClaim, options metav1.CreateOptions) (*resourceapi.ResourceClaim, error) {
	created, err := p.ResourceClaimInterface.Create(ctx, claim, options)
	time.Sleep(time.Nanosecond)
	return created, err
}

// unfinishedPods is the scheduler's own view of Pods; the fake clientset knows
// no field selectors.
func unfinishedPods(client clientset.Interface, _ time.Duration) cache.SharedIndexInformer {
	pods := client.CoreV1().Pods("")
	source := &cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
			return pods.List(ctx, options)
		},
		WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
			source, err := pods.Watch(ctx, options)
			if err != nil {
				return nil, err
			}
			seen := &unfinished{Interface: source, out: make(chan watch.Event), done: make(chan struct{})}
			go seen.run()
			return seen, nil
		},
	}
	return cache.NewSharedIndexInformer(listWatcher(source, client), &corev1.Pod{}, never, cache.Indexers{})
}

// unfinished is a watch to which a Pod that ends is gone.
type unfinished struct {
	watch.Interface
	out  chan watch.Event
	done chan struct{}
	once sync.Once
}

func (u *unfinished) ResultChan() <-chan watch.Event { return u.out }

func (u *unfinished) Stop() {
	u.once.Do(func() { close(u.done) })
	u.Interface.Stop()
}

func (u *unfinished) run() {
	defer close(u.out)
	for event := range u.Interface.ResultChan() {
		pod, ok := event.Object.(*corev1.Pod)
		if ok && (pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed) {
			event.Type = watch.Deleted
		}
		select {
		case u.out <- event:
		case <-u.done:
			return
		}
	}
}

// react does what the API server does beside storing.
func (w *world) react(action k8stesting.Action) (bool, runtime.Object, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	tracker := w.client.Tracker()
	kind, namespace := action.GetResource(), action.GetNamespace()
	switch action := action.(type) {
	case k8stesting.CreateActionImpl:
		if binding, ok := action.GetObject().(*corev1.Binding); ok {
			return true, binding, w.bind(namespace, binding)
		}
		if event, ok := action.GetObject().(*corev1.Event); ok {
			if about := event.InvolvedObject; event.Reason == "DeviceTaintManagerEviction" {
				pod := about.Namespace + "/" + about.Name
				w.told[pod] = append(w.told[pod], event.Message)
			}
			return true, event, nil
		}
		object, err := meta.Accessor(action.GetObject())
		if err != nil {
			return true, action.GetObject(), err
		}
		if owner := metav1.GetControllerOf(object); owner != nil && w.isDone(namespace, owner.Name) {
			return true, nil, apierrors.NewForbidden(kind.GroupResource(), object.GetName(), errDone)
		}
		w.created(kind, namespace, object)
		return false, nil, nil
	case k8stesting.UpdateActionImpl:
		object, err := meta.Accessor(action.GetObject())
		if err != nil {
			return true, nil, err
		}
		stored, err := tracker.Get(kind, namespace, object.GetName())
		if err != nil {
			return true, nil, err
		}
		if known, err := meta.Accessor(stored); err != nil || object.GetResourceVersion() != "" && object.GetResourceVersion() != known.GetResourceVersion() {
			return true, nil, apierrors.NewConflict(kind.GroupResource(), object.GetName(), errStale)
		}
		if w.reservesForDone(stored, action.GetObject()) {
			return true, nil, apierrors.NewConflict(kind.GroupResource(), object.GetName(), errDone)
		}
		if err := tooMany(action.GetObject()); err != nil {
			return true, nil, err
		}
		wholeSeconds(action.GetObject())
		if same(stored, action.GetObject()) {
			return true, stored, nil
		}
		w.version++
		object.SetResourceVersion(strconv.Itoa(w.version))
		_, result, err := k8stesting.ObjectReaction(tracker)(action)
		if err == nil && object.GetDeletionTimestamp() != nil && len(object.GetFinalizers()) == 0 {
			err = tracker.Delete(kind, namespace, object.GetName())
		}
		return true, result, err
	case k8stesting.PatchActionImpl:
		if stored, known := w.isKnown(action); known {
			return true, stored, nil
		}
		_, result, err := k8stesting.ObjectReaction(tracker)(action)
		if err != nil {
			return true, result, err
		}
		object, err := meta.Accessor(result)
		if err != nil {
			return true, nil, err
		}
		w.version++
		object.SetResourceVersion(strconv.Itoa(w.version))
		return true, result, tracker.Update(kind, result, namespace)
	case k8stesting.DeleteActionImpl:
		if kind.Resource == "pods" {
			w.changed++
		}
		stored, err := tracker.Get(kind, namespace, action.GetName())
		if err != nil {
			return true, nil, err
		}
		if pod, ok := stored.(*corev1.Pod); ok {
			w.noteEviction(pod)
		}
		object, err := meta.Accessor(stored)
		if err != nil || len(object.GetFinalizers()) == 0 {
			return false, nil, err
		}
		if object.GetDeletionTimestamp() == nil {
			now := metav1.Now()
			object.SetDeletionTimestamp(&now)
			w.version++
			object.SetResourceVersion(strconv.Itoa(w.version))
			err = tracker.Update(kind, stored, namespace)
		}
		return true, stored, err
	}
	return false, nil, nil
}

// noteEviction keeps why a Pod is deleted, when its condition says so.
func (w *world) noteEviction(pod *corev1.Pod) {
	for _, condition := range pod.Status.Conditions {
		if condition.Type == corev1.DisruptionTarget {
			w.evicted = append(w.evicted, eviction{
				Pod: nameOf(pod).String(), At: time.Now().Unix(), Reason: condition.Reason, Message: condition.Message,
			})
		}
	}
}

// wholeSeconds is what becomes of an allocation's time on its way to the server.
func wholeSeconds(wanted runtime.Object) {
	claim, ok := wanted.(*resourceapi.ResourceClaim)
	if !ok || claim.Status.Allocation == nil || claim.Status.Allocation.AllocationTimestamp == nil {
		return
	}
	*claim.Status.Allocation.AllocationTimestamp = claim.Status.Allocation.AllocationTimestamp.Rfc3339Copy()
}

// tooMany is the validation of a claim's consumers.
func tooMany(wanted runtime.Object) error {
	claim, ok := wanted.(*resourceapi.ResourceClaim)
	if !ok || len(claim.Status.ReservedFor) <= resourceapi.ResourceClaimReservedForMaxSize {
		return nil
	}
	path := field.NewPath("status", "reservedFor")
	return apierrors.NewInvalid(resourceapi.SchemeGroupVersion.WithKind("ResourceClaim").GroupKind(), claim.Name, field.ErrorList{
		field.TooMany(path, len(claim.Status.ReservedFor), resourceapi.ResourceClaimReservedForMaxSize),
	})
}

// isKnown says whether a patch applies names of claims that a Pod's status has.
func (w *world) isKnown(action k8stesting.PatchActionImpl) (runtime.Object, bool) {
	stored, err := w.client.Tracker().Get(action.GetResource(), action.GetNamespace(), action.GetName())
	pod, ok := stored.(*corev1.Pod)
	var wanted corev1.Pod
	if err != nil || !ok || action.GetPatchType() != types.ApplyPatchType || json.Unmarshal(action.GetPatch(), &wanted) != nil {
		return nil, false
	}
	return stored, equality.Semantic.DeepEqual(pod.Status.ResourceClaimStatuses, wanted.Status.ResourceClaimStatuses)
}

// errStale refuses an update of what was changed meanwhile.
var errStale = errors.New("the object has been modified")

// errDone refuses a claim or a reservation for a Pod that is done; the claim
// controller would try without end.
var errDone = errors.New("the Pod is done")

// reservesForDone says whether an update adds a Pod to a claim that has ended.
// The claim controller does so while others use the claim, and takes it away
// again, for ever: without an end there is nothing to compare.
func (w *world) reservesForDone(stored, wanted runtime.Object) bool {
	before, ok := stored.(*resourceapi.ResourceClaim)
	if !ok {
		return false
	}
	after := wanted.(*resourceapi.ResourceClaim)
	for _, consumer := range after.Status.ReservedFor {
		if slices.Contains(before.Status.ReservedFor, consumer) {
			continue
		}
		if w.isDone(after.Namespace, consumer.Name) {
			return true
		}
	}
	return false
}

// isDone says whether a Pod has ended.
func (w *world) isDone(namespace, name string) bool {
	found, err := w.client.Tracker().Get(corev1.SchemeGroupVersion.WithResource("pods"), namespace, name)
	if err != nil {
		return false
	}
	phase := found.(*corev1.Pod).Status.Phase
	return phase == corev1.PodSucceeded || phase == corev1.PodFailed
}

// same says whether an update changes nothing: the API server then stores
// nothing and tells nobody.
func same(stored, wanted runtime.Object) bool {
	objects := []runtime.Object{stored.DeepCopyObject(), wanted.DeepCopyObject()}
	for _, object := range objects {
		if accessor, err := meta.Accessor(object); err == nil {
			accessor.SetResourceVersion("")
			accessor.SetManagedFields(nil)
		}
	}
	return equality.Semantic.DeepEqual(objects[0], objects[1])
}

// created fills in what the API server gives a new object.
func (w *world) created(kind schema.GroupVersionResource, namespace string, object metav1.Object) {
	w.version++
	object.SetResourceVersion(strconv.Itoa(w.version))
	if object.GetName() == "" {
		// Five random characters follow in a cluster.
		base := strings.TrimSuffix(object.GetGenerateName(), "-")
		name := base
		for number := 2; ; number++ {
			if _, err := w.client.Tracker().Get(kind, namespace, name); apierrors.IsNotFound(err) {
				break
			}
			name = base + "-" + strconv.Itoa(number)
		}
		object.SetName(name)
	}
	if object.GetUID() == "" {
		object.SetUID(types.UID("uid-" + object.GetName() + "-" + strconv.Itoa(w.version)))
	}
	if created := object.GetCreationTimestamp(); created.IsZero() {
		object.SetCreationTimestamp(metav1.Now())
	}
}

// bind sends a Pod to its node, where it runs at once.
func (w *world) bind(namespace string, binding *corev1.Binding) error {
	kind := corev1.SchemeGroupVersion.WithResource("pods")
	stored, err := w.client.Tracker().Get(kind, namespace, binding.Name)
	if err != nil {
		return err
	}
	pod := stored.(*corev1.Pod).DeepCopy()
	pod.Spec.NodeName = binding.Target.Name
	pod.Status.Phase = corev1.PodRunning
	w.changed++
	w.version++
	pod.ResourceVersion = strconv.Itoa(w.version)
	delete(w.waiting, nameOf(pod))
	return w.client.Tracker().Update(kind, pod, namespace)
}

func nameOf(object metav1.Object) types.NamespacedName {
	return types.NamespacedName{Namespace: object.GetNamespace(), Name: object.GetName()}
}
