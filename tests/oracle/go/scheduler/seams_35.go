//go:build !minor_34

package main

import (
	"context"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clientset "k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/controller/devicetainteviction"
	schedulerapi "k8s.io/kubernetes/pkg/scheduler/apis/config"
)

type (
	nominatingInfo  = fwk.NominatingInfo
	scoreExtensions = fwk.ScoreExtensions
	handle          = fwk.Handle
	plugin          = fwk.Plugin
)

const maxNodeScore = fwk.MaxNodeScore

func conditionsOf(rule *taintRule) []metav1.Condition { return rule.Status.Conditions }

func runEvictor(ctx context.Context, evictor *devicetainteviction.Controller) error {
	return evictor.Run(ctx, 1)
}

func listWatcher(source *cache.ListWatch, client clientset.Interface) cache.ListerWatcher {
	return cache.ToListWatcherWithWatchListSemantics(source, client)
}

// hurry lets waiting for binding conditions end just before the look that is due
// at the same moment: looks lag behind a real clock, and never behind this one.
// Without the gate there is no timeout.
func hurry(plugins []schedulerapi.PluginConfig) {
	for _, plugin := range plugins {
		if args, ok := plugin.Args.(*schedulerapi.DynamicResourcesArgs); ok && args.BindingTimeout != nil {
			args.BindingTimeout.Duration -= time.Nanosecond
		}
	}
}
