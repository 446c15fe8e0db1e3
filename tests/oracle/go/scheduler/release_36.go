//go:build minor_36

package main

import (
	"context"

	resourceapi "k8s.io/api/resource/v1beta2"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/informers"
	clientset "k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller/devicetainteviction"
	"k8s.io/kubernetes/pkg/controller/resourceclaim"
	"k8s.io/kubernetes/pkg/features"
)

// startup is no time: controllers hear of it when their caches are full.
const startup = 0

type eventRecorder = events.EventRecorderLogger

type taintRule = resourceapi.DeviceTaintRule

var ruleResource = resourceapi.SchemeGroupVersion.WithResource("devicetaintrules")

func claimController(ctx context.Context, client clientset.Interface, from informers.SharedInformerFactory) (*resourceclaim.Controller, error) {
	enabled := utilfeature.DefaultFeatureGate.Enabled
	wanted := resourceclaim.Features{
		AdminAccess:            enabled(features.DRAAdminAccess),
		PrioritizedList:        enabled(features.DRAPrioritizedList),
		WorkloadResourceClaims: enabled(features.DRAWorkloadResourceClaims),
	}
	return resourceclaim.NewController(klog.FromContext(ctx), wanted, client,
		from.Core().V1().Pods(), from.Scheduling().V1alpha2().PodGroups(),
		from.Resource().V1().ResourceClaims(), from.Resource().V1().ResourceClaimTemplates())
}

func evictionController(client clientset.Interface, from informers.SharedInformerFactory) *devicetainteviction.Controller {
	return devicetainteviction.New(client, from.Core().V1().Pods(),
		from.Resource().V1().ResourceClaims(), from.Resource().V1().ResourceSlices(),
		from.Resource().V1beta2().DeviceTaintRules(), from.Resource().V1().DeviceClasses(), "oracle", false)
}
