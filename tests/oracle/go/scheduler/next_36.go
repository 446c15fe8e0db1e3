//go:build minor_34 || minor_35 || minor_36

package main

import (
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// next makes a Pod the one that the scheduler tries next.
func next(sched *scheduler.Scheduler, pod *framework.PodInfo) {
	sched.NextPod = func(klog.Logger) (*framework.QueuedPodInfo, error) {
		return &framework.QueuedPodInfo{PodInfo: pod}, nil
	}
}
