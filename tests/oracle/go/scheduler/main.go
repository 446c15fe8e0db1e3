// Command scheduler answers what kube-scheduler and the controllers of Dynamic
// Resource Allocation of one Kubernetes release do with a scenario, with the
// code of k8s.io/kubernetes as published: the scheduler with its default
// profile, the controllers resourceclaim and devicetainteviction, over a fake
// clientset and in a bubble of testing/synctest, where time is fake and "all is
// done" is exact.
//
// It reads one JSON record per line on stdin and prints the same record with
// the real answer in "expected":
//
//	objects  objects in the order in which they are created
//	gates    feature gates that differ from their defaults
//	now      time at the beginning, in seconds since 1970
//	steps    what happens then: apply, delete, advance, finish, setConditions,
//	         as in a scenario document
//
// At the beginning and after every step each pending Pod is tried once, in
// order of creation, and all of them again while a claim was freed. Where
// controllers answer each other for ever, "expected" says noEnd.
//
// The program is a test tool and never shipped.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"
)

// patience is how long one record may take: controllers that answer each other
// for ever move no clock.
const patience = 20 * time.Second

func main() {
	if !isWorker() {
		if err := supervise(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, "scheduler:", err)
			os.Exit(1)
		}
		return
	}
	klog.SetLogger(logr.Discard())
	// The default handlers limit their rate by the real clock, which a bubble
	// never reaches.
	utilruntime.ErrorHandlers = []utilruntime.ErrorHandler{
		func(context.Context, error, string, ...any) {},
	}
	// The runtime's watcher of signals must not begin in a bubble.
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt)
	signal.Stop(signals)
	// A bubble needs a test.
	match := func(string, string) (bool, error) { return true, nil }
	tests := []testing.InternalTest{{Name: "oracle", F: func(t *testing.T) {
		if err := run(t, os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, "scheduler:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}}}
	testing.Main(match, tests, nil, nil)
}

func run(t *testing.T, from io.Reader, to io.Writer) error {
	in := bufio.NewReaderSize(from, 1<<20)
	out := bufio.NewWriterSize(to, 1<<20)
	defer out.Flush()
	version := release()
	for number := 1; ; number++ {
		line, err := in.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			answered, err := answer(t, line, version)
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
func answer(t *testing.T, line []byte, version string) ([]byte, error) {
	fields := map[string]json.RawMessage{}
	var question record
	if err := json.Unmarshal(line, &fields); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(line, &question); err != nil {
		return nil, err
	}
	result := &outcome{}
	if err := setGates(question.Gates); err != nil {
		result.GatesRefused = err.Error()
	} else {
		tooLong := time.AfterFunc(patience, func() {
			os.Exit(noEnd)
		})
		synctest.Test(t, func(t *testing.T) {
			result, err = play(t.Context(), &question)
		})
		tooLong.Stop()
		if err != nil {
			return nil, err
		}
	}
	expected, err := plain(result)
	if err != nil {
		return nil, err
	}
	fields["expected"] = expected
	fields["kubernetes"] = json.RawMessage(fmt.Sprintf("%q", version))
	answered, err := plain(fields)
	return append(answered, '\n'), err
}

// plain is JSON without escaped signs.
func plain(value any) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	err := enc.Encode(value)
	return bytes.TrimSpace(out.Bytes()), err
}

// release is the Kubernetes release that the program was built for: that of its
// modules. k8s.io/kubernetes itself may be an older patch where the newest one
// is not published.
func release() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, dep := range info.Deps {
		if dep.Path == "k8s.io/dynamic-resource-allocation" && dep.Replace != nil {
			return "1" + strings.TrimPrefix(dep.Replace.Version, "v0")
		}
	}
	return "unknown"
}
