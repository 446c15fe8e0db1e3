package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
)

// workerVariable is set in the environment of the process that answers.
const workerVariable = "DRA_PLAYGROUND_ORACLE_WORKER"

const (
	// noEnd is the exit code of a worker whose record has no end: nothing can
	// stop the goroutines of a bubble but the end of their process.
	noEnd = 3
	// crashed is the exit code of a worker whose scheduler crashed.
	crashed = 2
)

func isWorker() bool {
	return os.Getenv(workerVariable) != ""
}

// worker is a process that answers one record after another.
type worker struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
}

func startWorker() (*worker, error) {
	command := exec.Command(os.Args[0], os.Args[1:]...)
	command.Env = append(os.Environ(), workerVariable+"=yes")
	in, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &worker{command, in, bufio.NewReaderSize(out, 1<<20)}, command.Start()
}

// supervise hands records to a worker, and to another one when it had to end.
func supervise(from io.Reader, to io.Writer) error {
	in := bufio.NewReaderSize(from, 1<<20)
	out := bufio.NewWriterSize(to, 1<<20)
	defer out.Flush()
	var current *worker
	defer func() {
		if current != nil {
			current.in.Close()
			_ = current.command.Wait()
		}
	}()
	for number := 1; ; number++ {
		line, end := in.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			if current == nil {
				started, err := startWorker()
				if err != nil {
					return err
				}
				current = started
			}
			answered, err := current.ask(line)
			if err != nil {
				var exit *exec.ExitError
				if !errors.As(err, &exit) {
					return fmt.Errorf("record %d: %w", number, err)
				}
				why := map[int]string{noEnd: "noEnd", crashed: "crash"}[exit.ExitCode()]
				if why == "" {
					return fmt.Errorf("record %d: %w", number, err)
				}
				current = nil
				if answered, err = leftOut(line, why); err != nil {
					return err
				}
			}
			out.Write(answered)
			if in.Buffered() == 0 {
				out.Flush()
			}
		}
		if end != nil {
			return nil
		}
	}
}

// ask gives the answer to one record, or how the worker ended.
func (w *worker) ask(line []byte) ([]byte, error) {
	if _, err := w.in.Write(append(line, '\n')); err != nil {
		return nil, err
	}
	answered, err := w.out.ReadBytes('\n')
	if err == nil {
		return answered, nil
	}
	if ended := w.command.Wait(); ended != nil {
		return nil, ended
	}
	return nil, err
}

// leftOut is a record that has no answer but what became of it.
func leftOut(line []byte, why string) ([]byte, error) {
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(line, &fields); err != nil {
		return nil, err
	}
	fields["expected"] = json.RawMessage(`{"` + why + `":true}`)
	fields["kubernetes"] = json.RawMessage(fmt.Sprintf("%q", release()))
	answered, err := plain(fields)
	return append(answered, '\n'), err
}
