// Command pools draws clusters from a seed and asks the controller of
// ResourcePoolStatusRequests what it makes of each pool. It prints one JSON
// object per line, {"objects": […], "pools": […]}; the recorded file is made by
//
//	go run -modfile=releases/1.37.2.mod ./pools -count 80 > ../../recorded/pools-1.37.2.jsonl
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"io"
	"log"
	"os"
	_ "unsafe" // for go:linkname

	resourcev1 "k8s.io/api/resource/v1"
	resourcev1alpha3 "k8s.io/api/resource/v1alpha3"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller/resourcepoolstatusrequest"
)

// calculate is what the controller computes before it decides whether to
// write it: it tries incomplete pools again later.
//
//go:linkname calculate k8s.io/kubernetes/pkg/controller/resourcepoolstatusrequest.(*Controller).calculatePoolStatus
func calculate(*resourcepoolstatusrequest.Controller, context.Context, *resourcev1alpha3.ResourcePoolStatusRequest) resourcev1alpha3.ResourcePoolStatusRequestStatus

type record struct {
	Objects []any                         `json:"objects"`
	Pools   []resourcev1alpha3.PoolStatus `json:"pools"`
}

func main() {
	log.SetFlags(0)
	klog.SetOutput(io.Discard)
	klog.LogToStderr(false)
	seed := flag.Int64("seed", 1, "where the draws begin")
	count := flag.Int("count", 80, "how many clusters")
	flag.Parse()
	for next := *seed; *count > 0; next++ {
		cluster := draw(next)
		line, err := settled(cluster)
		if err != nil {
			log.Fatal(err)
		}
		if line == nil {
			continue
		}
		*count--
		if _, err := os.Stdout.Write(line); err != nil {
			log.Fatal(err)
		}
	}
}

// settled asks several times, since the controller visits slices in random
// order; nil when the answers differ.
func settled(c *cluster) ([]byte, error) {
	var first []byte
	for range 16 {
		pools, err := ask(c)
		if err != nil {
			return nil, err
		}
		var line bytes.Buffer
		out := json.NewEncoder(&line)
		out.SetEscapeHTML(false)
		if err := out.Encode(record{c.objects(), pools}); err != nil {
			return nil, err
		}
		if first == nil {
			first = line.Bytes()
		} else if !bytes.Equal(first, line.Bytes()) {
			return nil, nil
		}
	}
	return first, nil
}

func ask(c *cluster) ([]resourcev1alpha3.PoolStatus, error) {
	ctx := context.Background()
	factory := informers.NewSharedInformerFactory(fake.NewClientset(), 0)
	v1 := factory.Resource().V1()
	slices, claims, rules := v1.ResourceSlices(), v1.ResourceClaims(), v1.DeviceTaintRules()
	requests := factory.Resource().V1alpha3().ResourcePoolStatusRequests()
	controller, err := resourcepoolstatusrequest.NewController(ctx, nil, requests, slices, claims, rules)
	if err != nil {
		return nil, err
	}
	for i := range c.slices {
		if err := slices.Informer().GetStore().Add(&c.slices[i]); err != nil {
			return nil, err
		}
	}
	for i := range c.claims {
		if err := claims.Informer().GetStore().Add(&c.claims[i]); err != nil {
			return nil, err
		}
	}
	for i := range c.rules {
		if err := rules.Informer().GetStore().Add(&c.rules[i]); err != nil {
			return nil, err
		}
	}
	var pools []resourcev1alpha3.PoolStatus
	for _, driver := range drivers {
		request := &resourcev1alpha3.ResourcePoolStatusRequest{
			ObjectMeta: metav1.ObjectMeta{Name: "r"},
			Spec:       resourcev1alpha3.ResourcePoolStatusRequestSpec{Driver: driver},
		}
		pools = append(pools, calculate(controller, ctx, request).Pools...)
	}
	return pools, nil
}

// objects are those of the cluster as they are written.
func (c *cluster) objects() []any {
	var all []any
	for _, slice := range c.slices {
		slice.TypeMeta = metav1.TypeMeta{APIVersion: resourcev1.SchemeGroupVersion.String(), Kind: "ResourceSlice"}
		all = append(all, slice)
	}
	for _, claim := range c.claims {
		claim.TypeMeta = metav1.TypeMeta{APIVersion: resourcev1.SchemeGroupVersion.String(), Kind: "ResourceClaim"}
		all = append(all, claim)
	}
	for _, rule := range c.rules {
		rule.TypeMeta = metav1.TypeMeta{APIVersion: resourcev1.SchemeGroupVersion.String(), Kind: "DeviceTaintRule"}
		all = append(all, rule)
	}
	return all
}
