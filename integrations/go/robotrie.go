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
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// A Verdict says what bulk matching says about a URL.
type Verdict byte

// Verdicts. Only Allowed is a permission.
const (
	Disallowed Verdict = 0
	Allowed    Verdict = 1
	Unknown    Verdict = 2 // its origin is not in the index
	Invalid    Verdict = 3 // not a URL
	Later      Verdict = 4 // of an index: the origin's robots.txt could not be had; neither fetch nor drop the URL
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

// ErrDamaged is wrapped by the errors for saved bytes that are not what was saved.
var ErrDamaged = errors.New("not what robotrie saved")

//go:embed robotrie.simd.wasm
var mainModule []byte

//go:embed robotrie-index.simd.wasm
var indexModule []byte

var (
	background = context.Background()
	// Compiled modules share what wazero keeps for them.
	runtimeOfAll  = sync.OnceValue(func() wazero.Runtime { return wazero.NewRuntime(background) })
	compiledMain  = sync.OnceValues(func() (wazero.CompiledModule, error) { return compile(mainModule) })
	compiledIndex = sync.OnceValues(func() (wazero.CompiledModule, error) { return compile(indexModule) })
	// The instance in which all robots.txt are read and all matchers run.
	shared = sync.OnceValues(func() (*engine, error) { return newEngine(compiledMain) })
)

func compile(wasm []byte) (wazero.CompiledModule, error) {
	return runtimeOfAll().CompileModule(background, wasm)
}

// engine is an instance of a module; its lock is what makes the package safe for goroutines.
type engine struct {
	sync.Mutex
	module    api.Module
	memory    api.Memory
	functions map[string]api.Function
	input     uint32
	room      uint32
	// Why a call stopped, after which the instance is of no more use. The modules trap only where a host is wrong.
	broken error
	// The file whose records lie in memory, and where.
	current *RobotsTxt
	lists   []uint32
}

func newEngine(compiled func() (wazero.CompiledModule, error)) (*engine, error) {
	code, err := compiled()
	if err != nil {
		return nil, fmt.Errorf("robotrie: %w", err)
	}
	// Without a name there may be many instances.
	module, err := runtimeOfAll().InstantiateModule(background, code, wazero.NewModuleConfig().WithName(""))
	if err != nil {
		return nil, fmt.Errorf("robotrie: %w", err)
	}
	e := &engine{module: module, memory: module.Memory(), functions: map[string]api.Function{}}
	for name := range module.ExportedFunctionDefinitions() {
		e.functions[name] = module.ExportedFunction(name)
	}
	if version, err := e.call("moduleVersion"); err != nil || version != 1 {
		return nil, fmt.Errorf("robotrie: the module has version %d", version)
	}
	return e, nil
}

func (e *engine) call(name string, args ...uint32) (uint32, error) {
	if e.broken != nil {
		return 0, e.broken
	}
	var stack [6]uint64
	for i, arg := range args {
		stack[i] = uint64(arg)
	}
	if err := e.functions[name].CallWithStack(background, stack[:max(len(args), 1)]); err != nil {
		e.broken = fmt.Errorf("robotrie: the engine stopped: %w", err)
		return 0, e.broken
	}
	return uint32(stack[0]), nil
}

// must is call for what is 0 when memory cannot grow.
func (e *engine) must(name string, args ...uint32) (uint32, error) {
	result, err := e.call(name, args...)
	if err == nil && result == 0 {
		err = ErrNoMemory
	}
	return result, err
}

// place calls what gives an address, and writes data there.
func (e *engine) place(name string, size uint32, data []byte) (uint32, error) {
	at, err := e.must(name, size)
	if err == nil {
		e.memory.Write(at, data)
	}
	return at, err
}

// inputFor gives the input region, which moves only when more is asked for than before.
func (e *engine) inputFor(size int) (uint32, error) {
	if size > 4*maxLine+padding+8 {
		return 0, ErrNoMemory
	}
	if e.input == 0 || uint32(size) > e.room {
		at, err := e.must("input", uint32(size))
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

// A judge judges in an engine that it has locked.
type judge interface {
	// The bytes of the input region that lines of so many bytes need.
	roomFor(size int) int
	// Writes a verdict for each of the lines in the input region, and returns their number.
	judgeInput(at, size uint32, verdicts []Verdict) (int, error)
	judgeOne(url string) (Verdict, error)
}

// judgeLines judges whole lines in chunks that stay in a processor's cache.
func (e *engine) judgeLines(j judge, data []byte) ([]Verdict, error) {
	lines := bytes.Count(data, []byte("\n"))
	if len(data) > 0 && data[len(data)-1] != '\n' {
		lines++
	}
	verdicts := make([]Verdict, lines)
	for done := 0; len(data) > 0; {
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
		at, err := e.inputFor(j.roomFor(size))
		if err != nil {
			return nil, err
		}
		e.memory.Write(at, data[:size])
		judged, err := j.judgeInput(at, uint32(size), verdicts[done:])
		if err != nil {
			return nil, err
		}
		done, data = done+judged, data[size:]
	}
	return verdicts, nil
}

// judgeRows judges URLs joined to lines. What cannot be a line, or is longer than a chunk, is an empty line there and judged by itself.
func (e *engine) judgeRows(j judge, urls []string) ([]Verdict, error) {
	verdicts := make([]Verdict, len(urls))
	for first := 0; first < len(urls); {
		at, err := e.inputFor(j.roomFor(chunk))
		if err != nil {
			return nil, err
		}
		lines, _ := e.memory.Read(at, chunk)
		var alone []int
		next, used := first, 0
		for ; next < len(urls) && used < chunk; next++ {
			url := urls[next]
			if len(url) >= chunk || isOdd(url) {
				alone = append(alone, next)
				url = ""
			} else if used+len(url) >= chunk {
				break
			}
			used += copy(lines[used:], url)
			lines[used] = '\n'
			used++
		}
		judged, err := j.judgeInput(at, uint32(used), verdicts[first:next])
		if err != nil {
			return nil, err
		}
		if judged != next-first {
			return nil, fmt.Errorf("robotrie: %d verdicts for %d URLs", judged, next-first)
		}
		for _, row := range alone {
			if verdicts[row], err = j.judgeOne(urls[row]); err != nil {
				return nil, err
			}
		}
		first = next
	}
	return verdicts, nil
}

// isOdd says whether a URL cannot be a line: line ends within it count as bytes.
func isOdd(url string) bool {
	for i := range len(url) {
		if url[i] == '\n' {
			return true
		}
	}
	return len(url) > 0 && url[len(url)-1] == '\r'
}

// judged reads the verdicts of `count` lines, or what the module says instead of a count.
func (e *engine) judged(name string, at, count uint32, verdicts []Verdict) (int, error) {
	switch {
	case int32(count) == -1:
		return 0, ErrNoMemory
	case int32(count) < 0 || int(count) > len(verdicts):
		return 0, fmt.Errorf("robotrie: %s returned %d for at most %d lines", name, int32(count), len(verdicts))
	}
	data, _ := e.memory.Read(at, count)
	for i, verdict := range data {
		verdicts[i] = Verdict(verdict)
	}
	return int(count), nil
}
