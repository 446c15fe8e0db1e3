package main

import (
	"context"
	"encoding/json"
	"fmt"

	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/dynamic-resource-allocation/cel"
)

// compiled is what the compiler says of an expression.
type compiled struct {
	result cel.CompilationResult
	// text and kind are the compile error, empty when it compiles.
	text, kind string
}

func compile(expression string, features cel.Features, env environment.Type, limit *uint64) (out compiled) {
	// A constant map with a key that Go cannot hash brings the compiler down.
	defer func() {
		if reason := recover(); reason != nil {
			out = compiled{text: fmt.Sprintf("panic: %v", reason), kind: "Panic"}
		}
	}()
	result := cel.GetCompiler(features).CompileCELExpression(expression, cel.Options{EnvType: &env, CostLimit: limit})
	if result.Error != nil {
		return compiled{result: result, text: result.Error.Detail, kind: string(result.Error.Type)}
	}
	return compiled{result: result}
}

// evaluated is one evaluation.
type evaluated struct {
	value bool
	text  string
	cost  uint64
}

func evaluate(c cel.CompilationResult, device cel.Device) evaluated {
	value, details, err := c.DeviceMatches(context.Background(), device)
	out := evaluated{value: value}
	if details != nil && details.ActualCost() != nil {
		out.cost = *details.ActualCost()
	}
	if err != nil {
		out.text = err.Error()
	}
	return out
}

// shortCase is the short form of a CEL case.
type shortCase struct {
	Expr       string                                                    `json:"expr"`
	Driver     string                                                    `json:"driver"`
	Attributes map[resourceapi.QualifiedName]resourceapi.DeviceAttribute `json:"attrs"`
	Capacities map[resourceapi.QualifiedName]resource.Quantity           `json:"caps"`
	Multi      bool                                                      `json:"multi"`
	List       bool                                                      `json:"list"`
	New        bool                                                      `json:"new"`
	Consumable bool                                                      `json:"cc"`
	Limit      *uint64                                                   `json:"limit"`
}

// shortAnswer is its "expect".
type shortAnswer struct {
	CompileError string `json:"compileError,omitempty"`
	OutputType   string `json:"outputType,omitempty"`
	MaxCost      uint64 `json:"maxCost,omitempty"`
	Result       string `json:"result,omitempty"`
	Error        string `json:"error,omitempty"`
	Cost         uint64 `json:"cost"`
	CostMayVary  bool   `json:"costMayVary,omitempty"`
}

func answerShort(line []byte) (string, any, error) {
	var c shortCase
	if err := json.Unmarshal(line, &c); err != nil {
		return "", nil, err
	}
	env := environment.StoredExpressions
	if c.New {
		env = environment.NewExpressions
	}
	device := func() cel.Device { return c.device() }
	expression := compile(c.Expr, celFeatures(c.Consumable || !c.New, c.List), env, c.Limit)
	if expression.text != "" {
		return "expect", shortAnswer{CompileError: expression.text}, nil
	}
	out := shortAnswer{OutputType: expression.result.OutputType.String(), MaxCost: expression.result.MaxCost}
	run := evaluate(expression.result, device())
	out.Cost, out.Error = run.cost, run.text
	if run.text == "" {
		out.Result = "false"
		if run.value {
			out.Result = "true"
		}
	}
	out.CostMayVary = varies(run, expression.result, device)
	return "expect", out, nil
}

// varies says whether repeated evaluations disagree: Go map order shows.
func varies(first evaluated, c cel.CompilationResult, device func() cel.Device) bool {
	for range 40 {
		if evaluate(c, device()) != first {
			return true
		}
	}
	return false
}

// device makes fresh values: an expression can change a quantity in place.
func (c *shortCase) device() cel.Device {
	capacities := map[resourceapi.QualifiedName]resourceapi.DeviceCapacity{}
	for name, value := range c.Capacities {
		capacities[name] = resourceapi.DeviceCapacity{Value: value.DeepCopy()}
	}
	return cel.Device{
		Driver: c.Driver, AllowMultipleAllocations: &c.Multi,
		Attributes: c.Attributes, Capacity: capacities,
	}
}

// deviceCase is a CEL case with a device in its API form.
type deviceCase struct {
	Expression string `json:"expression"`
	Device     struct {
		Driver                   string                                                    `json:"driver"`
		Attributes               map[resourceapi.QualifiedName]resourceapi.DeviceAttribute `json:"attributes"`
		Capacity                 map[resourceapi.QualifiedName]resourceapi.DeviceCapacity  `json:"capacity"`
		AllowMultipleAllocations *bool                                                     `json:"allowMultipleAllocations"`
	} `json:"device"`
	Features struct {
		EnableConsumableCapacity bool
		EnableListTypeAttributes bool
	} `json:"features"`
	EnvType   string  `json:"envType"`
	CostLimit *uint64 `json:"costLimit"`
}

// checkAnswer is what the compiler says.
type checkAnswer struct {
	CompileError     string  `json:"compileError,omitempty"`
	CompileErrorType string  `json:"compileErrorType,omitempty"`
	OutputType       string  `json:"outputType,omitempty"`
	MaxCost          *uint64 `json:"maxCost,omitempty"`
	ExceedsCostLimit bool    `json:"exceedsCostLimit,omitempty"`
}

// deviceAnswer is its "expected".
type deviceAnswer struct {
	checkAnswer
	Result               *bool        `json:"result,omitempty"`
	RuntimeError         string       `json:"runtimeError,omitempty"`
	EnhancedRuntimeError string       `json:"enhancedRuntimeError,omitempty"`
	ActualCost           *uint64      `json:"actualCost,omitempty"`
	NewExpressions       *checkAnswer `json:"newExpressions,omitempty"`
	CostMayVary          bool         `json:"costMayVary,omitempty"`
}

func answerOnDevice(line []byte) (string, any, error) {
	var c deviceCase
	if err := json.Unmarshal(line, &c); err != nil {
		return "", nil, err
	}
	features := celFeatures(c.Features.EnableConsumableCapacity, c.Features.EnableListTypeAttributes)
	env := environment.StoredExpressions
	if c.EnvType == "new" {
		env = environment.NewExpressions
	}
	expression := compile(c.Expression, features, env, c.CostLimit)
	out := deviceAnswer{checkAnswer: expression.check()}
	if env == environment.StoredExpressions {
		fresh := compile(c.Expression, features, environment.NewExpressions, c.CostLimit).check()
		if !equalJSON(fresh, out.checkAnswer) {
			out.NewExpressions = &fresh
		}
	}
	if expression.text == "" {
		device := func() cel.Device {
			var again deviceCase
			_ = json.Unmarshal(line, &again)
			d := again.Device
			return cel.Device{
				Driver: d.Driver, AllowMultipleAllocations: d.AllowMultipleAllocations,
				Attributes: d.Attributes, Capacity: d.Capacity,
			}
		}
		run := evaluate(expression.result, device())
		out.ActualCost, out.RuntimeError = &run.cost, run.text
		if run.text == "" {
			out.Result = &run.value
		} else if enhanced := enhance(run.text); enhanced != run.text {
			out.EnhancedRuntimeError = enhanced
		}
		out.CostMayVary = varies(run, expression.result, device)
	}
	return "expected", out, nil
}

// check is the compiler's part of an answer.
func (c compiled) check() checkAnswer {
	if c.text != "" {
		return checkAnswer{CompileError: c.text, CompileErrorType: c.kind}
	}
	cost := c.result.MaxCost
	return checkAnswer{
		OutputType: c.result.OutputType.String(), MaxCost: &cost,
		ExceedsCostLimit: cost > resourceapi.CELSelectorExpressionMaxCost,
	}
}

func equalJSON(a, b any) bool {
	left, _ := json.Marshal(a)
	right, _ := json.Marshal(b)
	return string(left) == string(right)
}
