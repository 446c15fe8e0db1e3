// Command oracle answers recorded scenarios with the code of one Kubernetes
// release: the structured allocator and the CEL compiler of
// k8s.io/dynamic-resource-allocation, as published.
//
// It reads one JSON record per line on stdin and prints the same record with
// the real answer. The form of a record is recognized by its fields:
//
//	resourceSlices  an allocation scenario, answered in "expected"
//	expr            a CEL case in the short form, answered in "expect"
//	expression      a CEL case on a device, answered in "expected"
//	fields          the fields of the API's types, answered in "lines"
//
// The program is a test tool and never shipped.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"time"
)

// options are the command line flags.
type options struct {
	// repeats is how often a scenario runs where the release visits pools in
	// random order.
	repeats int
	// force names the allocator variant to use when the record names none.
	force string
}

func main() {
	var opts options
	flag.IntVar(&opts.repeats, "repeats", 24, "runs of a scenario whose pool order is random")
	flag.DurationVar(&searchTime, "search-time", 20*time.Second, "bound of one search")
	flag.StringVar(&opts.force, "allocator", "", "variant for records that name none")
	flag.Parse()
	if err := run(opts); err != nil {
		fmt.Fprintln(os.Stderr, "oracle:", err)
		os.Exit(1)
	}
}

func run(opts options) error {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	defer out.Flush()
	version := release()
	for number := 1; ; number++ {
		line, err := in.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			answered, err := answer(line, version, opts)
			if err != nil {
				return fmt.Errorf("record %d: %w", number, err)
			}
			out.Write(answered)
			out.WriteByte('\n')
			// A consumer may wait for the answer before it sends more.
			if in.Buffered() == 0 {
				out.Flush()
			}
		}
		if err != nil {
			return nil
		}
	}
}

// answer prints one record with its answer.
func answer(line []byte, version string, opts options) ([]byte, error) {
	record := map[string]json.RawMessage{}
	if err := json.Unmarshal(line, &record); err != nil {
		return nil, err
	}
	var key string
	var value any
	var err error
	switch {
	case record["bench"] != nil:
		key, value, err = answerBench(line)
	case record["fields"] != nil:
		key = "lines"
		value, err = fieldLines()
	case record["resourceSlices"] != nil:
		key, value, err = answerScenario(line, opts)
	case record["expression"] != nil:
		key, value, err = answerOnDevice(line)
	case record["expr"] != nil:
		key, value, err = answerShort(line)
	default:
		err = fmt.Errorf("unknown form of record")
	}
	if err != nil {
		return nil, err
	}
	return rewrite(line, version, key, value)
}

// rewrite copies a record field by field, in its order, with the answer and
// the release replaced.
func rewrite(line []byte, version, key string, value any) ([]byte, error) {
	dec := json.NewDecoder(bytes.NewReader(line))
	if _, err := dec.Token(); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, `{"kubernetes":%q`, version)
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil, err
		}
		var field json.RawMessage
		if err := dec.Decode(&field); err != nil {
			return nil, err
		}
		// Old traces and upstream's own notes belong to the recorded release.
		if name == "kubernetes" || name == key || name == "trace" || name == "upstream" {
			continue
		}
		fmt.Fprintf(&out, ",%q:", name)
		out.Write(bytes.TrimSpace(field))
	}
	encoded, err := encode(value)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(&out, ",%q:%s}", key, encoded)
	return out.Bytes(), nil
}

// encode writes JSON without escaping <, > and &.
func encode(value any) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(out.Bytes()), nil
}

// release is the Kubernetes version the program was built with.
func release() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, dep := range info.Deps {
		if dep.Path == "k8s.io/dynamic-resource-allocation" {
			return "1." + strings.TrimPrefix(dep.Version, "v0.")
		}
	}
	return "unknown"
}

// minor is the release's minor version, as in 1.36.
func minor() string {
	parts := strings.SplitN(release(), ".", 3)
	if len(parts) < 2 {
		return ""
	}
	return parts[1]
}
