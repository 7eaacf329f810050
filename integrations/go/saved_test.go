package robotrie

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

func stored(t *testing.T, name string) []byte {
	data, err := os.ReadFile("../../test/data/stored/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// sealed adds or replaces the checksum: what comes after it in the checks is to be reached.
func sealed(saved []byte) []byte {
	var sum checksum
	saved = slices.Clone(saved)
	if strings.HasPrefix(string(saved), savedMatcher) {
		sum.add(saved[preambleSize:])
		binary.LittleEndian.PutUint32(saved[16:], sum.value())
		return saved
	}
	sum.add(saved)
	return binary.LittleEndian.AppendUint32(saved, sum.value())
}

func with(data []byte, at int, value ...byte) []byte {
	data = slices.Clone(data)
	copy(data[at:], value)
	return data
}

func TestStoredMatchers(t *testing.T) {
	for name, dialect := range dialects {
		data := stored(t, "matcher-"+name+".v1")
		matcher, err := MatcherFromBytes(data)
		if err != nil || matcher.dialect != dialect || !bytes.Equal(matcher.Bytes(), data) {
			t.Error(name, err)
		}
	}
}

// TestDamage changes every byte and cuts at every one: an error, or where no checksum is, what judges as before.
func TestDamage(t *testing.T) {
	robots, _ := Parse([]byte("User-agent: *\nDisallow: /x\nAllow: /*y$\n"), RFC9309)
	made, _ := robots.For("a")
	matcher, index := made.Bytes(), stored(t, "index.v1")
	open := map[string]func([]byte) error{
		"matcher": func(data []byte) error { _, err := MatcherFromBytes(data); return err },
		"index":   func(data []byte) error { _, err := ReadIndex(bytes.NewReader(data)); return err },
	}
	for kind, data := range map[string][]byte{"matcher": matcher, "index": index} {
		step := 1 + len(data)/700
		for at := 0; at < len(data); at += step {
			// The dialect of a matcher is no part of what runs.
			if err := open[kind](with(data, at, data[at]^1)); !errors.Is(err, ErrDamaged) && (kind == "index" || at != 6) {
				t.Errorf("%s with another byte %d: %v", kind, at, err)
			}
			if err := open[kind](data[:at]); !errors.Is(err, ErrDamaged) {
				t.Errorf("%s of %d bytes: %v", kind, at, err)
			}
		}
		if err := open[kind](append(slices.Clone(data), 0)); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s with a byte behind it: %v", kind, err)
		}
	}
	body := index[:len(index)-4]
	table := len(matcher) - int(binary.LittleEndian.Uint32(matcher[12:]))
	cases := []struct {
		what, says string
		err        error
	}{
		{"no kind", "begin with \"RTM\"", open["matcher"](index)},
		{"the other kind", "begin with \"RTO\"", open["index"](matcher)},
		{"nothing", "0 bytes are fewer than the 20", open["index"](nil)},
		{"another version", "have version 2", open["index"](sealed(with(body, 4, 2)))},
		{"no dialect", "no dialect 3", open["matcher"](with(matcher, 6, 3))},
		{"a program that is none", "not a program: reason", open["matcher"](sealed(with(matcher, preambleSize+4, 9)))},
		{"no room for a program", "a program of 0 bytes", open["matcher"](sealed(append([]byte("RTM\x00\x01\x00\x00\x00"), make([]byte, 12)...)))},
		{"a pattern that is too long", "rule table is cut off", open["matcher"](sealed(with(matcher, table+5, 255, 255, 255, 255)))},
		{"a pattern that is too short", "rule table is", open["matcher"](sealed(with(matcher, table+5, 1)))},
		{"no agents", "no list of names", open["index"](sealed(with(body, 20, '{')))},
		{"a byte more", "checksum", open["index"](sealed(append(slices.Clone(body), 1)))},
		{"a byte less", "not sound", open["index"](sealed(body[:len(body)-1]))},
		{"more origins", "not sound", open["index"](sealed(with(body, 16, 255, 255, 255, 255)))},
		{"fewer origins", "checksum", open["index"](sealed(with(body, 16, 1, 0, 0, 0)))},
	}
	for _, c := range cases {
		if !errors.Is(c.err, ErrDamaged) || !strings.Contains(c.err.Error(), c.says) {
			t.Error(c.what, c.err)
		}
	}
	// A program that an entry has is verified, too: some byte of the entries is an opcode.
	refused := 0
	for at := 24; at < len(body); at++ {
		if x, err := ReadIndex(bytes.NewReader(sealed(with(body, at, body[at]^0x80)))); err != nil {
			refused++
		} else {
			x.Close()
		}
	}
	if refused < len(body)/4 {
		t.Error(refused, len(body))
	}
}

// TestLater judges by an index of which test/stored-forms.test.ts says what it holds; the last URL is left to a parser of the URL standard.
func TestLater(t *testing.T) {
	index, err := ReadIndex(bytes.NewReader(stored(t, "index-later.v1")))
	if err != nil {
		t.Fatal(err)
	}
	urls := []string{"https://b.example/", "https://c.example/", "https://C.example:443/x"}
	wanted := []Verdict{Disallowed, Later, Later}
	if verdicts, err := index.MatchMany(urls); err != nil || !reflect.DeepEqual(verdicts, wanted) {
		t.Error(verdicts, err)
	}
}

func TestReading(t *testing.T) {
	data := stored(t, "index.v1")
	path := filepath.Join(t.TempDir(), "sites.index")
	os.WriteFile(path, data, 0o600)
	loaded, err := LoadIndex(path)
	if err != nil || loaded.Len() == 0 || len(loaded.Agents()) == 0 {
		t.Fatal(err)
	}
	inBytes, err := ReadIndex(iotest.OneByteReader(bytes.NewReader(data)))
	if err != nil || inBytes.Len() != loaded.Len() {
		t.Error(err)
	}
	if _, err := LoadIndex(path + ".missing"); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	for _, after := range []int64{0, 10, 22, 100} {
		cut := io.MultiReader(bytes.NewReader(data[:after]), iotest.ErrReader(io.ErrClosedPipe))
		if _, err := ReadIndex(cut); !errors.Is(err, io.ErrClosedPipe) {
			t.Error(after, err)
		}
	}
	loaded.Close()
	if _, err := loaded.Match("https://example.com/"); !errors.Is(err, os.ErrClosed) || err.Error() != "robotrie: the index is closed: file already closed" {
		t.Error(err)
	}
}

func TestIndexInBulk(t *testing.T) {
	index, err := ReadIndex(bytes.NewReader(stored(t, "index.v1")))
	if err != nil {
		t.Fatal(err)
	}
	some := []string{"no url", "https://unknown.invalid/", "https://u:p@unknown.invalid/", "https://unknown.invalid/a\nb", ""}
	verdicts := []Verdict{Invalid, Unknown, Unknown, Unknown, Invalid}
	// As long as a chunk, less and more.
	for size := chunk - 2; size < chunk+3; size++ {
		some, verdicts = append(some, "https://u.invalid/"+strings.Repeat("x", size-18)), append(verdicts, Unknown)
	}
	urls, wanted := slices.Clone(some), slices.Clone(verdicts)
	for range 3000 {
		urls, wanted = append(urls, some[:5]...), append(wanted, verdicts[:5]...)
	}
	if verdicts, err := index.MatchMany(urls); err != nil || !reflect.DeepEqual(verdicts, wanted) {
		t.Error(verdicts, err)
	}
	for _, lines := range []string{"no url\r\nhttps://U@unknown.invalid/\r\n", "no url\nhttps://U@unknown.invalid/"} {
		if verdicts, err := index.MatchLines([]byte(lines)); err != nil || !reflect.DeepEqual(verdicts, []Verdict{Invalid, Unknown}) {
			t.Error(verdicts, err)
		}
	}
	// Unknown for the URL standard: the parser is stricter about signs in names of other letters, as the README says.
	if verdict, err := index.Match("https://a_\u00e4.invalid/"); verdict != Invalid || err != nil {
		t.Error(verdict, err)
	}
	if verdicts, err := index.MatchLines(nil); err != nil || len(verdicts) != 0 {
		t.Error(verdicts, err)
	}
}

// TestNothingFirst: the first input of an engine may have no bytes, and lies nowhere else than others do.
func TestNothingFirst(t *testing.T) {
	e, err := newEngine(compiledMain)
	if err != nil {
		t.Fatal(err)
	}
	if at, err := e.inputFor(0); at == 0 || err != nil {
		t.Error(at, err)
	}
}

// TestTrap bypasses the verifier: the call is an error, and so is each one after it.
func TestTrap(t *testing.T) {
	robots, _ := Parse([]byte("User-agent: *\nDisallow: /a\n"), RFC9309)
	made, _ := robots.For("x")
	e, err := newEngine(compiledMain)
	if err != nil {
		t.Fatal(err)
	}
	program := slices.Clone(made.program)
	for at := 28; at < len(program); at++ {
		program[at] = 255
	}
	m, err := e.load(&Matcher{program: program})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if allowed, err := m.IsAllowed("/abc"); err == nil || allowed || !strings.Contains(err.Error(), "the engine stopped") {
			t.Error(allowed, err)
		}
	}
	if allowed, err := made.IsAllowed("/abc"); allowed || err != nil {
		t.Error(allowed, err)
	}
	runtime.KeepAlive(m)
}
