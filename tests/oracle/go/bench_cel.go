package main

import (
	"context"
	"encoding/json"
	"errors"

	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/dynamic-resource-allocation/cel"
)

func init() { benches["cel"] = benchCEL }

// benchCEL measures what compiling an expression and evaluating it on one
// device takes; the record is a CEL case in its short form.
func benchCEL(line []byte) (any, error) {
	var c shortCase
	if err := json.Unmarshal(line, &c); err != nil {
		return nil, err
	}
	env := environment.StoredExpressions
	compiler := cel.GetCompiler(celFeatures(true, c.List))
	options := cel.Options{EnvType: &env}
	compiled := compiler.CompileCELExpression(c.Expr, options)
	if compiled.Error != nil {
		return nil, errors.New(compiled.Error.Detail)
	}
	device := c.device()
	ctx := context.Background()
	return struct {
		Compile  float64 `json:"compile"`
		Evaluate float64 `json:"evaluate"`
	}{
		Compile:  measure(func() { compiler.CompileCELExpression(c.Expr, options) }),
		Evaluate: measure(func() { _, _, _ = compiled.DeviceMatches(ctx, device) }),
	}, nil
}
