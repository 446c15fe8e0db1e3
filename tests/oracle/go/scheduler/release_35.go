//go:build minor_34 || minor_35

package main

import (
	"context"
	"time"

	resourceapi "k8s.io/api/resource/v1alpha3"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/informers"
	clientset "k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller/devicetainteviction"
	"k8s.io/kubernetes/pkg/controller/resourceclaim"
	"k8s.io/kubernetes/pkg/features"
)

// startup is the time in which controllers look whether their caches are full.
const startup = 250 * time.Millisecond

type eventRecorder = events.EventRecorder

type taintRule = resourceapi.DeviceTaintRule

var ruleResource = resourceapi.SchemeGroupVersion.WithResource("devicetaintrules")

func claimController(ctx context.Context, client clientset.Interface, from informers.SharedInformerFactory) (*resourceclaim.Controller, error) {
	enabled := utilfeature.DefaultFeatureGate.Enabled
	wanted := resourceclaim.Features{
		AdminAccess:     enabled(features.DRAAdminAccess),
		PrioritizedList: enabled(features.DRAPrioritizedList),
	}
	return resourceclaim.NewController(klog.FromContext(ctx), wanted, client,
		from.Core().V1().Pods(),
		from.Resource().V1().ResourceClaims(), from.Resource().V1().ResourceClaimTemplates())
}

func evictionController(client clientset.Interface, from informers.SharedInformerFactory) *devicetainteviction.Controller {
	return devicetainteviction.New(client, from.Core().V1().Pods(),
		from.Resource().V1().ResourceClaims(), from.Resource().V1().ResourceSlices(),
		from.Resource().V1alpha3().DeviceTaintRules(), from.Resource().V1().DeviceClasses(), "oracle")
}
