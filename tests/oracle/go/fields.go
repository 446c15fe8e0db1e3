package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"sort"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	resourcev1alpha3 "k8s.io/api/resource/v1alpha3"
	resourcev1beta1 "k8s.io/api/resource/v1beta1"
	resourcev1beta2 "k8s.io/api/resource/v1beta2"
	"k8s.io/apimachinery/pkg/runtime"
)

// kinds whose types are printed.
var kinds = map[string]bool{
	"ResourceSlice": true, "DeviceClass": true, "ResourceClaim": true,
	"ResourceClaimTemplate": true, "DeviceTaintRule": true,
	"Pod": true, "Node": true, "Namespace": true, "ReplicationController": true,
	"Deployment": true, "ReplicaSet": true, "StatefulSet": true, "DaemonSet": true,
	"Job": true, "CronJob": true,
}

var unmarshaler = reflect.TypeFor[json.Unmarshaler]()

// fieldLines tells what the types of the API have: a line "kind" for each kind
// with the type it is, and a line "field" for each field of a type with its
// name in JSON, its type in Go without pointers, the type it leads to, and
// whether it is written when it is empty.
func fieldLines() ([]string, error) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		resourcev1.AddToScheme, resourcev1alpha3.AddToScheme, resourcev1beta1.AddToScheme,
		resourcev1beta2.AddToScheme, corev1.AddToScheme, appsv1.AddToScheme, batchv1.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			return nil, err
		}
	}
	seen := map[string][]string{}
	var lines []string
	for gvk, kind := range scheme.AllKnownTypes() {
		if kinds[gvk.Kind] && gvk.Version != runtime.APIVersionInternal {
			group, version := gvk.ToAPIVersionAndKind()
			lines = append(lines, fmt.Sprintf("kind %s %s %s", group, version, typeID(kind)))
			describe(kind, seen)
		}
	}
	sort.Strings(lines)
	var names []string
	for name := range seen {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		lines = append(lines, seen[name]...)
	}
	return lines, nil
}

// describe adds the fields of a type and of all types below it.
func describe(of reflect.Type, seen map[string][]string) {
	id := typeID(of)
	if _, ok := seen[id]; ok {
		return
	}
	seen[id] = nil
	for _, field := range flat(of) {
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		shown := field.Type
		if shown.Kind() == reflect.Pointer {
			shown = shown.Elem()
		}
		leads := "-"
		if below := below(field.Type); below != nil {
			leads = typeID(below)
			describe(below, seen)
		}
		written := "always"
		if strings.Contains(options, "omit") {
			written = "omitted"
		}
		goType := strings.ReplaceAll(shown.String(), " ", "")
		seen[id] = append(seen[id], fmt.Sprintf("field %s %s %s %s %s", id, name, goType, leads, written))
	}
}

// flat are the fields of a type with those of types that are embedded in it.
func flat(of reflect.Type) []reflect.StructField {
	var fields []reflect.StructField
	for i := range of.NumField() {
		field := of.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case name == "-" || !field.IsExported():
		case name == "" && field.Anonymous:
			fields = append(fields, flat(field.Type)...)
		default:
			fields = append(fields, field)
		}
	}
	return fields
}

// below is the type with fields that a field leads to, if there is one.
func below(of reflect.Type) reflect.Type {
	for {
		if reflect.PointerTo(of).Implements(unmarshaler) {
			return nil
		}
		switch of.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Map:
			of = of.Elem()
		case reflect.Struct:
			return of
		default:
			return nil
		}
	}
}

// typeID names a type with the folder of its package.
func typeID(of reflect.Type) string {
	path := strings.TrimPrefix(of.PkgPath(), "k8s.io/api/")
	return strings.TrimPrefix(path, "k8s.io/apimachinery/pkg/") + "." + of.Name()
}
