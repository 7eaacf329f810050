// Package robotrie says whether a crawler may fetch a URL: robots.txt (RFC 9309) compiled to byte-code by a WebAssembly module, which runs in
// wazero. Contracts of the module are those of docs/hosting.md.
package robotrie

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

//go:embed robotrie.simd.wasm
var wasm []byte

// A Verdict says what bulk matching says about a URL.
type Verdict byte

// Verdicts.
const (
	Disallowed Verdict = 0
	Allowed    Verdict = 1
	Invalid    Verdict = 3
)

const (
	padding = 96
	maxLine = 134216704
	chunk   = 128 * 1024
)

// ErrInvalidURL is returned for text that is neither an absolute URL nor a path that begins with "/".
var ErrInvalidURL = errors.New("robotrie: neither an absolute URL nor a path that begins with \"/\"")

// ErrNoMemory is returned when WebAssembly memory cannot grow: a block of it ends at 512 MiB, all of it at 4 GiB.
var ErrNoMemory = errors.New("robotrie: no memory")

// engine is an instance of the module; its lock is what makes the package safe for goroutines.
type engine struct {
	sync.Mutex
	memory    api.Memory
	functions map[string]api.Function
	input     uint32
	room      uint32
}

var shared = sync.OnceValues(newEngine)

func newEngine() (*engine, error) {
	ctx := context.Background()
	module, err := wazero.NewRuntime(ctx).Instantiate(ctx, wasm)
	if err != nil {
		return nil, fmt.Errorf("robotrie: %w", err)
	}
	e := &engine{memory: module.Memory(), functions: map[string]api.Function{}}
	for name := range module.ExportedFunctionDefinitions() {
		e.functions[name] = module.ExportedFunction(name)
	}
	if version, err := e.call("moduleVersion"); err != nil || version != 1 {
		return nil, fmt.Errorf("robotrie: the module has version %d", version)
	}
	return e, nil
}

func (e *engine) call(name string, args ...uint32) (uint32, error) {
	var stack [6]uint64
	for i, arg := range args {
		stack[i] = uint64(arg)
	}
	if err := e.functions[name].CallWithStack(context.Background(), stack[:max(len(args), 1)]); err != nil {
		return 0, fmt.Errorf("robotrie: %w", err)
	}
	return uint32(stack[0]), nil
}

// place calls what gives an address, and writes data there.
func (e *engine) place(name string, size uint32, data []byte) (uint32, error) {
	at, err := e.call(name, size)
	if err != nil {
		return 0, err
	}
	if at == 0 {
		return 0, ErrNoMemory
	}
	e.memory.Write(at, data)
	return at, nil
}

// inputFor gives the input region, which moves only when more is asked for than before.
func (e *engine) inputFor(size int) (uint32, error) {
	if size > 2*maxLine {
		return 0, ErrNoMemory
	}
	if uint32(size) > e.room {
		at, err := e.place("input", uint32(size), nil)
		if err != nil {
			return 0, err
		}
		e.input, e.room = at, uint32(size)
	}
	return e.input, nil
}

func (e *engine) words(at uint32, count int) []uint32 {
	data, _ := e.memory.Read(at, uint32(count)*4)
	words := make([]uint32, count)
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(data[4*i:])
	}
	return words
}

// A Matcher is the compiled rules of one crawler. It is safe for concurrent use; its memory is freed when it is garbage-collected.
type Matcher struct {
	engine  *engine
	program []byte
	address uint32
	// Of each rank the line of its rule, 0 for no rule of the file.
	lines []uint32
}

// load copies a program to where it can run.
func (e *engine) load(program []byte, lines []uint32) (*Matcher, error) {
	at, err := e.place("allocate", uint32(len(program)), program)
	if err != nil {
		return nil, err
	}
	if reserved, err := e.call("reserveVisited", at); err != nil || reserved == 0 {
		e.call("release", at)
		return nil, errors.Join(err, ErrNoMemory)
	}
	m := &Matcher{e, program, at, lines}
	runtime.SetFinalizer(m, func(m *Matcher) {
		m.engine.Lock()
		defer m.engine.Unlock()
		m.engine.call("release", m.address)
	})
	return m, nil
}

// one gives the rank of the deciding rule, times 2, plus 1 for allow; 0 for no rule.
func (m *Matcher) one(url string) (int32, error) {
	e := m.engine
	e.Lock()
	defer e.Unlock()
	defer runtime.KeepAlive(m)
	if len(url) > maxLine {
		return 0, ErrNoMemory
	}
	at, err := e.inputFor(len(url))
	if err != nil {
		return 0, err
	}
	e.memory.WriteString(at, url)
	best, err := e.call("matchOne", m.address, at, uint32(len(url)))
	switch {
	case err != nil:
		return 0, err
	case int32(best) == -1:
		return 0, ErrInvalidURL
	case int32(best) < 0:
		return 0, fmt.Errorf("robotrie: matchOne returned %d", int32(best))
	}
	return int32(best), nil
}

// IsAllowed says whether the crawler may fetch a URL: an absolute one, or a path that begins with "/".
func (m *Matcher) IsAllowed(url string) (bool, error) {
	best, err := m.one(url)
	return err == nil && (best == 0 || best&1 == 1), err
}

// Line gives the number of the line that decides about a URL, 0 if none does.
func (m *Matcher) Line(url string) (int, error) {
	best, err := m.one(url)
	if err != nil || best < 2 {
		return 0, err
	}
	return int(m.lines[best>>1-1]), nil
}

// MatchLines gives a verdict for each line of data, ended by LF or CRLF; the last one may lack it.
func (m *Matcher) MatchLines(data []byte) ([]Verdict, error) {
	e := m.engine
	e.Lock()
	defer e.Unlock()
	defer runtime.KeepAlive(m)
	verdicts := make([]Verdict, 0, bytes.Count(data, []byte("\n"))+1)
	for len(data) > 0 {
		size := len(data)
		if size > chunk {
			size = bytes.LastIndexByte(data[:chunk], '\n') + 1
			if size == 0 {
				size = bytes.IndexByte(data, '\n') + 1
			}
			if size == 0 {
				size = len(data)
			}
		}
		if size > maxLine {
			return nil, ErrNoMemory
		}
		at, err := e.inputFor(2*size + padding + 1)
		if err != nil {
			return nil, err
		}
		e.memory.Write(at, data[:size])
		to := at + uint32(size) + padding
		count, err := e.call("matchLines", m.address, at, uint32(size), to)
		if err != nil || int32(count) < 0 {
			return nil, errors.Join(err, fmt.Errorf("robotrie: matchLines returned %d", int32(count)))
		}
		judged, _ := e.memory.Read(to, count)
		for _, verdict := range judged {
			verdicts = append(verdicts, Verdict(verdict))
		}
		data = data[size:]
	}
	return verdicts, nil
}

// MatchMany gives a verdict for each URL.
func (m *Matcher) MatchMany(urls []string) ([]Verdict, error) {
	var lines bytes.Buffer
	var odd []int
	for i, url := range urls {
		// Line ends within a URL count as bytes: it is judged by itself.
		if bytes.IndexByte([]byte(url), '\n') >= 0 || len(url) > 0 && url[len(url)-1] == '\r' {
			odd = append(odd, i)
		} else {
			lines.WriteString(url)
		}
		lines.WriteByte('\n')
	}
	verdicts, err := m.MatchLines(lines.Bytes())
	for _, i := range odd {
		allowed, wrong := m.IsAllowed(urls[i])
		switch {
		case errors.Is(wrong, ErrInvalidURL):
			verdicts[i] = Invalid
		case wrong != nil:
			return nil, wrong
		case allowed:
			verdicts[i] = Allowed
		default:
			verdicts[i] = Disallowed
		}
	}
	return verdicts, err
}
