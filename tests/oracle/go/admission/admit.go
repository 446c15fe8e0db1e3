package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	jsonserializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/warning"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	podutil "k8s.io/kubernetes/pkg/api/pod"
	"k8s.io/kubernetes/pkg/apis/apps"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	"k8s.io/kubernetes/pkg/apis/batch"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	"k8s.io/kubernetes/pkg/apis/core"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	corevalidation "k8s.io/kubernetes/pkg/apis/core/validation"
	"k8s.io/kubernetes/pkg/apis/resource"
	_ "k8s.io/kubernetes/pkg/apis/resource/install"
	"k8s.io/kubernetes/pkg/registry/resource/deviceclass"
	"k8s.io/kubernetes/pkg/registry/resource/devicetaintrule"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaim"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaimtemplate"
	"k8s.io/kubernetes/pkg/registry/resource/resourceslice"
	"sigs.k8s.io/yaml"
)

// admitted is what becomes of a document.
type admitted struct {
	// GatesRefused says why the server would not start with these gates.
	GatesRefused string `json:"gatesRefused,omitempty"`
	// Panicked says how the server's code fails.
	Panicked string `json:"panicked,omitempty"`
	// Unreadable says why the text is no YAML or no known object.
	Unreadable string `json:"unreadable,omitempty"`
	// Strict is the refusal of strict decoding; the rest answers as if it had
	// been asked to ignore unknown fields.
	Strict string `json:"strict,omitempty"`
	// Invalid is what validation refuses.
	Invalid []fault `json:"invalid,omitempty"`
	// Warnings are what the server would say beside accepting.
	Warnings []string `json:"warnings,omitempty"`
	// Object is the object in the newest version, as it would be stored.
	Object json.RawMessage `json:"object,omitempty"`
}

// fault is one error of validation.
type fault struct {
	Path string `json:"path"`
	Kind string `json:"kind"`
	Text string `json:"text"`
}

func admit(question record) (*admitted, error) {
	if err := setGates(question.Gates); err != nil {
		return &admitted{GatesRefused: err.Error()}, nil
	}
	data := []byte(question.Text)
	if !json.Valid(data) {
		var err error
		if data, err = yaml.YAMLToJSON(data); err != nil {
			return &admitted{Unreadable: "error converting YAML to JSON: " + err.Error()}, nil
		}
	}
	data, err := asSent(data)
	if err != nil {
		return &admitted{Unreadable: err.Error()}, nil
	}
	result := &admitted{}
	object, gvk, err := decode(data, true)
	if runtime.IsStrictDecodingError(err) {
		result.Strict = err.Error()
		object, gvk, err = decode(data, false)
	}
	if err != nil {
		result.Unreadable = err.Error()
		return result, nil
	}
	if template, path := templateOf(object); template != nil {
		result.Invalid, err = admitTemplate(template, path)
		return result, err
	}
	strategy := strategyOf(object, namespaces(question.Namespaces))
	if strategy == nil {
		return nil, fmt.Errorf("no strategy for %v", gvk)
	}
	recorder := &recorder{}
	accessor, err := meta.Accessor(object)
	if err != nil {
		return nil, err
	}
	ctx := warning.WithWarningRecorder(context.Background(), recorder)
	namespace := ""
	if strategy.NamespaceScoped() {
		namespace = accessor.GetNamespace()
		if namespace == "" {
			namespace = "default"
		}
	}
	ctx = genericapirequest.WithNamespace(ctx, namespace)
	ctx = genericapirequest.WithRequestInfo(ctx, &genericapirequest.RequestInfo{
		IsResourceRequest: true, Verb: "create", Namespace: namespace,
		APIGroup: gvk.Group, APIVersion: gvk.Version,
	})
	status := statusOf(object)
	rest.WipeObjectMetaSystemFields(accessor)
	rest.FillObjectMetaSystemFields(accessor)
	if len(accessor.GetGenerateName()) > 0 && len(accessor.GetName()) == 0 {
		// Five characters follow, always the same here.
		base := accessor.GetGenerateName()
		accessor.SetName(base[:min(len(base), 58)] + "bbbbb")
	}
	if err := rest.BeforeCreate(strategy, ctx, object); err != nil {
		faults, err := faultsOf(err)
		if err != nil {
			return nil, err
		}
		result.Invalid = faults
	}
	if status != nil {
		faults, err := admitStatus(ctx, object, status, gvk, namespaces(question.Namespaces))
		if err != nil {
			return nil, err
		}
		for _, fault := range faults {
			// The metadata was judged when the claim was created.
			if strings.HasPrefix(fault.Path, "status") {
				result.Invalid = append(result.Invalid, fault)
			}
		}
	}
	result.Warnings = recorder.texts
	result.Object, err = stored(object)
	return result, err
}

// asSent is JSON as kubectl sends it: it reads the fields of any object and
// writes them anew. Of a list it sends the items; only the first one here.
func asSent(data []byte) ([]byte, error) {
	object, err := runtime.Decode(unstructured.UnstructuredJSONScheme, data)
	if err != nil {
		return nil, err
	}
	if list, ok := object.(*unstructured.UnstructuredList); ok && len(list.Items) > 0 {
		object = &list.Items[0]
	}
	return runtime.Encode(unstructured.UnstructuredJSONScheme, object)
}

// decode reads JSON as a request body is read.
func decode(data []byte, strict bool) (runtime.Object, *schema.GroupVersionKind, error) {
	scheme := legacyscheme.Scheme
	serializer := jsonserializer.NewSerializerWithOptions(jsonserializer.DefaultMetaFactory, scheme, scheme, jsonserializer.SerializerOptions{Strict: strict})
	decoder := legacyscheme.Codecs.DecoderToVersion(serializer, runtime.InternalGroupVersioner)
	return decoder.Decode(data, nil, nil)
}

func strategyOf(object runtime.Object, ns typedcorev1.NamespaceInterface) rest.RESTCreateStrategy {
	switch object.(type) {
	case *resource.ResourceSlice:
		return resourceslice.Strategy
	case *resource.DeviceClass:
		return deviceclass.Strategy
	case *resource.ResourceClaim:
		return resourceclaim.NewStrategy(ns, nil)
	case *resource.ResourceClaimTemplate:
		return resourceclaimtemplate.NewStrategy(ns)
	case *resource.DeviceTaintRule:
		return devicetaintrule.Strategy
	case *core.Pod:
		return podStrategy{}
	case *core.Node:
		return nodeStrategy{}
	}
	return nil
}

// podStrategy looks at what concerns devices alone.
type podStrategy struct{ rest.RESTCreateStrategy }

func (podStrategy) NamespaceScoped() bool                                     { return true }
func (podStrategy) Canonicalize(runtime.Object)                               {}
func (podStrategy) WarningsOnCreate(context.Context, runtime.Object) []string { return nil }
func (podStrategy) GenerateName(base string) string                           { return base + "00000" }
func (podStrategy) ObjectKinds(object runtime.Object) ([]schema.GroupVersionKind, bool, error) {
	return legacyscheme.Scheme.ObjectKinds(object)
}
func (podStrategy) Recognizes(gvk schema.GroupVersionKind) bool {
	return legacyscheme.Scheme.Recognizes(gvk)
}

func (podStrategy) PrepareForCreate(_ context.Context, object runtime.Object) {
	pod := object.(*core.Pod)
	pod.Status = core.PodStatus{Phase: core.PodPending}
	podutil.DropDisabledPodFields(pod, nil)
}

// aboutDevices are the paths that the playground validates.
var aboutDevices = regexp.MustCompile(`spec\.resourceClaims|\.resources\.claims`)

func (podStrategy) Validate(_ context.Context, object runtime.Object) field.ErrorList {
	pod := object.(*core.Pod)
	options := podutil.GetValidationOptionsFromPodSpecAndMeta(&pod.Spec, nil, &pod.ObjectMeta, nil)
	var kept field.ErrorList
	for _, err := range corevalidation.ValidatePodCreate(pod, options) {
		if aboutDevices.MatchString(err.Field) {
			kept = append(kept, err)
		}
	}
	return kept
}

// nodeStrategy looks at the metadata alone.
type nodeStrategy struct{ podStrategy }

func (nodeStrategy) NamespaceScoped() bool                            { return false }
func (nodeStrategy) PrepareForCreate(context.Context, runtime.Object) {}

func (nodeStrategy) Validate(_ context.Context, object runtime.Object) field.ErrorList {
	var kept field.ErrorList
	for _, err := range corevalidation.ValidateNode(object.(*core.Node)) {
		// UPSTREAM: taints are told below the metadata.
		if strings.HasPrefix(err.Field, "metadata") && !strings.HasPrefix(err.Field, "metadata.taints") {
			kept = append(kept, err)
		}
	}
	return kept
}

// templateOf is the Pod template of a workload, and where it stands.
func templateOf(object runtime.Object) (*core.PodTemplateSpec, *field.Path) {
	path := field.NewPath("spec", "template")
	switch object := object.(type) {
	case *apps.Deployment:
		return &object.Spec.Template, path
	case *apps.ReplicaSet:
		return &object.Spec.Template, path
	case *apps.StatefulSet:
		return &object.Spec.Template, path
	case *apps.DaemonSet:
		return &object.Spec.Template, path
	case *core.ReplicationController:
		return object.Spec.Template, path
	case *batch.Job:
		return &object.Spec.Template, path
	case *batch.CronJob:
		return &object.Spec.JobTemplate.Spec.Template, field.NewPath("spec", "jobTemplate", "spec", "template")
	}
	return nil, nil
}

// admitTemplate validates what concerns devices in the template of a workload.
func admitTemplate(template *core.PodTemplateSpec, path *field.Path) ([]fault, error) {
	options := podutil.GetValidationOptionsFromPodTemplate(template, nil)
	var kept field.ErrorList
	for _, err := range corevalidation.ValidatePodTemplateSpec(template, path, options) {
		if aboutDevices.MatchString(err.Field) {
			kept = append(kept, err)
		}
	}
	if len(kept) == 0 {
		return nil, nil
	}
	return faultsOf(apierrors.NewInvalid(schema.GroupKind{Kind: "Pod"}, "", kept))
}

// statusOf is a copy of a claim that has something allocated.
func statusOf(object runtime.Object) *resource.ResourceClaim {
	claim, ok := object.(*resource.ResourceClaim)
	if !ok || claim.Status.Allocation == nil && claim.Status.ReservedFor == nil && claim.Status.Devices == nil {
		return nil
	}
	return claim.DeepCopy()
}

// admitStatus writes the status of a claim that has been created.
func admitStatus(ctx context.Context, created runtime.Object, wanted *resource.ResourceClaim, gvk *schema.GroupVersionKind, ns typedcorev1.NamespaceInterface) ([]fault, error) {
	old := created.(*resource.ResourceClaim)
	old.ResourceVersion = "1"
	updated := old.DeepCopy()
	updated.Status = wanted.Status
	ctx = genericapirequest.WithRequestInfo(ctx, &genericapirequest.RequestInfo{
		IsResourceRequest: true, Verb: "update", Namespace: old.Namespace, Subresource: "status",
		APIGroup: gvk.Group, APIVersion: gvk.Version,
	})
	strategy := resourceclaim.NewStatusStrategy(resourceclaim.NewStrategy(ns, nil))
	if err := rest.BeforeUpdate(strategy, ctx, updated, old); err != nil {
		return faultsOf(err)
	}
	old.Status = updated.Status
	return nil, nil
}

func faultsOf(err error) ([]fault, error) {
	var status *apierrors.StatusError
	if !errors.As(err, &status) || status.ErrStatus.Details == nil {
		return nil, err
	}
	var faults []fault
	for _, cause := range status.ErrStatus.Details.Causes {
		faults = append(faults, fault{Path: cause.Field, Kind: string(cause.Type), Text: cause.Message})
	}
	return faults, nil
}

// stored is the object in its newest version, without what the server adds.
func stored(object runtime.Object) (json.RawMessage, error) {
	accessor, err := meta.Accessor(object)
	if err != nil {
		return nil, err
	}
	accessor.SetUID("")
	accessor.SetCreationTimestamp(metav1.Time{})
	accessor.SetResourceVersion("")
	group := schema.GroupVersion{Group: "resource.k8s.io", Version: "v1"}
	switch object := object.(type) {
	case *core.Node:
		group = schema.GroupVersion{Version: "v1"}
	case *core.Pod:
		group = schema.GroupVersion{Version: "v1"}
		object.Status = core.PodStatus{}
	case *resource.ResourceSlice:
		for _, device := range object.Spec.Devices {
			for at := range device.Taints {
				forgetNow(&device.Taints[at])
			}
		}
	case *resource.DeviceTaintRule:
		forgetNow(&object.Spec.Taint)
		if !legacyscheme.Scheme.Recognizes(group.WithKind("DeviceTaintRule")) {
			group.Version = "v1beta2"
		}
	}
	return runtime.Encode(legacyscheme.Codecs.LegacyCodec(group), object)
}

// forgetNow removes the time that the server has filled in.
func forgetNow(taint *resource.DeviceTaint) {
	if taint.TimeAdded != nil && time.Since(taint.TimeAdded.Time).Abs() < time.Hour {
		taint.TimeAdded = nil
	}
}

// namespaces answers with namespaces; those named have the admin label.
type namespaceReader struct {
	typedcorev1.NamespaceInterface
	admin []string
}

func namespaces(admin []string) typedcorev1.NamespaceInterface {
	return namespaceReader{admin: admin}
}

func (reader namespaceReader) Get(_ context.Context, name string, _ metav1.GetOptions) (*corev1.Namespace, error) {
	found := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID(name)}}
	for _, admin := range reader.admin {
		if admin == name {
			found.Labels = map[string]string{"resource.kubernetes.io/admin-access": "true"}
		}
	}
	return found, nil
}

// recorder keeps warnings.
type recorder struct{ texts []string }

func (r *recorder) AddWarning(_, text string) { r.texts = append(r.texts, text) }
