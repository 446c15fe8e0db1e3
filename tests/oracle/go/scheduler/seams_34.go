//go:build minor_34

package main

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clientset "k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/kubernetes/pkg/controller/devicetainteviction"
	schedulerapi "k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

type (
	nominatingInfo  = framework.NominatingInfo
	scoreExtensions = framework.ScoreExtensions
	handle          = framework.Handle
	plugin          = framework.Plugin
)

const maxNodeScore = framework.MaxNodeScore

// conditionsOf knows that rules have no status yet.
func conditionsOf(*taintRule) []metav1.Condition { return nil }

func runEvictor(ctx context.Context, evictor *devicetainteviction.Controller) error {
	return evictor.Run(ctx)
}

func listWatcher(source *cache.ListWatch, _ clientset.Interface) cache.ListerWatcher {
	return source
}

// hurry has nothing to set: the plugin knows no timeout of binding.
func hurry([]schedulerapi.PluginConfig) {}
