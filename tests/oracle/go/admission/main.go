// Command admission answers what the API server of one Kubernetes release makes
// of a document: strict decoding, defaulting, conversion, fields dropped behind
// feature gates, and validation, with the strategies of k8s.io/kubernetes as
// published.
//
// It reads one JSON record per line on stdin and prints the same record with
// the real answer in "expected":
//
//	text        one document as kubectl reads it, YAML or JSON
//	gates       feature gates that differ from their defaults
//	namespaces  namespaces with the admin access label
//
// The program is a test tool and never shipped.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
)

// record is a question.
type record struct {
	Text       string          `json:"text"`
	Gates      map[string]bool `json:"gates,omitempty"`
	Namespaces []string        `json:"namespaces,omitempty"`
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "admission:", err)
		os.Exit(1)
	}
}

func run() error {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	defer out.Flush()
	version := release()
	for number := 1; ; number++ {
		line, err := in.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			answered, err := answer(line, version)
			if err != nil {
				return fmt.Errorf("record %d: %w", number, err)
			}
			out.Write(answered)
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
func answer(line []byte, version string) ([]byte, error) {
	fields := map[string]json.RawMessage{}
	var question record
	if err := json.Unmarshal(line, &fields); err != nil {
		return nil, err
	}
	if fields["bench"] != nil {
		return bench(line)
	}
	if err := json.Unmarshal(line, &question); err != nil {
		return nil, err
	}
	admitted, err := admitSafely(question)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(admitted); err != nil {
		return nil, err
	}
	fields["expected"] = bytes.TrimSpace(out.Bytes())
	fields["kubernetes"] = json.RawMessage(fmt.Sprintf("%q", version))
	var whole bytes.Buffer
	enc = json.NewEncoder(&whole)
	enc.SetEscapeHTML(false)
	err = enc.Encode(fields)
	return whole.Bytes(), err
}

// admitSafely also answers where the real code panics.
func admitSafely(question record) (answer *admitted, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			answer, err = &admitted{Panicked: fmt.Sprint(reason)}, nil
		}
	}()
	return admit(question)
}

// release is the Kubernetes version the program was built with.
func release() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, dep := range info.Deps {
		if dep.Path == "k8s.io/kubernetes" {
			return strings.TrimPrefix(dep.Version, "v")
		}
	}
	return "unknown"
}
