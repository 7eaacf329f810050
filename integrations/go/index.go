package robotrie

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/netip"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/nlnwa/whatwg-url/url"
	"golang.org/x/text/unicode/norm"
)

// An Index has the rules of many sites for one crawler. It is safe for concurrent use; its memory is freed when it is garbage-collected.
//
// The module knows the origin of nearly every URL; the others take a parser of the URL standard.
type Index struct {
	engine  *engine
	dialect Dialect
	agents  []string
}

const (
	savedIndex   = "RTO"
	piece        = 256 * 1024
	unusual      = Verdict(255)
	noRoom       = 10
	largestPiece = maxLine
	// Rows of the tables that are made at once on the word of a file that may be damaged.
	expected = 1 << 16
)

// LoadIndex reads an index from a file that `robotrie index` wrote. It is safe with any file: every program is verified. Errors for files that
// are no index are ErrDamaged.
func LoadIndex(path string) (*Index, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return ReadIndex(file)
}

// ReadIndex is LoadIndex for a stream, which must end with the index.
func ReadIndex(from io.Reader) (*Index, error) {
	in := bufio.NewReaderSize(from, piece)
	head := make([]byte, preambleSize)
	size, err := io.ReadFull(in, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, err
	}
	dialect, fields, err := openSaved(savedIndex, head[:size])
	if err != nil {
		return nil, err
	}
	names, err := io.ReadAll(io.LimitReader(in, int64(fields[0])))
	if err != nil {
		return nil, err
	}
	x := &Index{dialect: dialect}
	if x.agents, err = agentsOf(names); err != nil {
		return nil, err
	}
	if x.engine, err = newEngine(compiledIndex); err != nil {
		return nil, err
	}
	runtime.SetFinalizer(x, (*Index).Close)
	if err := x.open(fields[2], fields[1]); err != nil {
		return nil, err
	}
	var sum checksum
	sum.add(head)
	sum.add(names)
	rest, err := x.load(in, fields[2], fields[1], &sum)
	if err != nil {
		x.Close()
		return nil, err
	}
	if len(rest) != 4 || binary.LittleEndian.Uint32(rest) != sum.value() {
		x.Close()
		return nil, damaged("the checksum is wrong, so these bytes were cut off or changed")
	}
	return x, nil
}

// agentsOf reads a JSON array of strings. Unmarshal would take a null for an empty string, and what is no UTF-8 for U+FFFD.
func agentsOf(names []byte) ([]string, error) {
	var found []*string
	err := json.Unmarshal(names, &found)
	if err != nil || len(found) == 0 || slices.Contains(found, nil) || !utf8.Valid(names) {
		return nil, damaged("the agents of the index are no list of names")
	}
	agents := make([]string, len(found))
	for i, name := range found {
		agents[i] = *name
	}
	return agents, nil
}

// open makes an empty index.
func (x *Index) open(origins, programs uint32) error {
	at, err := x.engine.call("hashKeys")
	if err != nil {
		return err
	}
	var keys [32]byte
	rand.Read(keys[:])
	x.engine.memory.Write(at, keys[:])
	if _, err := x.engine.must("openOrigins", math.MaxUint32); err != nil {
		return err
	}
	_, err = x.engine.must("expect", min(origins, expected), min(programs, expected))
	return err
}

// load reads the entries, and returns what follows them, of which it needs no more than five bytes.
func (x *Index) load(in io.Reader, origins, programs uint32, sum *checksum) ([]byte, error) {
	e := x.engine
	var data []byte
	read := uint32(0)
	for size := piece; ; {
		more, err := io.ReadAll(io.LimitReader(in, int64(max(size-len(data), 0))))
		if err != nil {
			return nil, err
		}
		data = append(data, more...)
		if read == origins {
			break
		}
		at, err := e.inputFor(len(data))
		if err != nil {
			return nil, err
		}
		e.memory.Write(at, data)
		done, err := e.call("loadEntries", at, uint32(len(data)), origins-read)
		if err != nil {
			return nil, err
		}
		failure, err := e.call("loadFailure")
		if err != nil {
			return nil, err
		}
		if read, err = e.call("originsRead"); err != nil {
			return nil, err
		}
		if failure == noRoom {
			return nil, ErrNoMemory
		}
		if failure != 0 || done == 0 && len(data) < size {
			return nil, damaged("origin %d of %d is not sound: reason %d", read+1, origins, failure)
		}
		sum.add(data[:done])
		data = append(data[:0], data[done:]...)
		if done == 0 {
			size *= 2
		} else {
			size = piece
		}
		if size > largestPiece {
			return nil, damaged("origin %d of %d is too long", read+1, origins)
		}
	}
	found, err := e.call("programsRead")
	if err != nil {
		return nil, err
	}
	if found > programs {
		return nil, damaged("%d of %d programs", found, programs)
	}
	_, err = e.call("endLoading")
	return data, err
}

// Close frees the memory of the index now. It cannot be used afterwards: errors are os.ErrClosed.
func (x *Index) Close() error {
	x.engine.Lock()
	defer x.engine.Unlock()
	runtime.SetFinalizer(x, nil)
	x.engine.broken = fmt.Errorf("robotrie: the index is closed: %w", os.ErrClosed)
	return x.engine.module.Close(background)
}

// Len gives the number of origins.
func (x *Index) Len() int {
	x.engine.Lock()
	defer x.engine.Unlock()
	defer runtime.KeepAlive(x)
	count, _ := x.engine.call("originCount")
	return int(count)
}

// Agents gives the crawler's names for which the rules were compiled, the most specific first.
func (x *Index) Agents() []string { return append([]string(nil), x.agents...) }

// Match gives the verdict for an absolute URL: Disallowed, Allowed, Unknown, Later or Invalid.
func (x *Index) Match(url string) (Verdict, error) {
	verdicts, err := x.MatchMany([]string{url})
	if err != nil {
		return Unknown, err
	}
	return verdicts[0], nil
}

// MatchMany gives a verdict for each absolute URL.
func (x *Index) MatchMany(urls []string) ([]Verdict, error) {
	x.engine.Lock()
	defer x.engine.Unlock()
	defer runtime.KeepAlive(x)
	return x.engine.judgeRows(x, urls)
}

// MatchLines gives a verdict for each line of data, ended by LF or CRLF; the last one may lack it.
func (x *Index) MatchLines(data []byte) ([]Verdict, error) {
	x.engine.Lock()
	defer x.engine.Unlock()
	defer runtime.KeepAlive(x)
	return x.engine.judgeLines(x, data)
}

func (x *Index) roomFor(size int) int { return 4*size + padding + 8 }

func (x *Index) judgeInput(at, size uint32, verdicts []Verdict) (int, error) {
	e := x.engine
	to := at + size + padding
	list := (to + size + 1 + 3) &^ 3
	google := uint32(0)
	if x.dialect.google {
		google = 1
	}
	count, err := e.call("matchOrigins", at, size, to, list, google)
	if err != nil {
		return 0, err
	}
	lines, err := e.judged("matchOrigins", to, count, verdicts)
	if err != nil || lines == 0 {
		return lines, err
	}
	end, err := e.call("endOfUnusual")
	if err != nil || end == list {
		return lines, err
	}
	// Copied, since judging them one by one uses the same region.
	input, _ := e.memory.Read(at, size)
	var urls []string
	for _, start := range e.words(list, int(end-list)/4) {
		line, _, _ := bytes.Cut(input[start-at:], []byte("\n"))
		urls = append(urls, string(bytes.TrimSuffix(line, []byte("\r"))))
	}
	row := 0
	for _, one := range urls {
		// Unusual lines come in order, so each is the next marked one.
		for verdicts[row] != unusual {
			row++
		}
		if verdicts[row], err = x.judgeOne(one); err != nil {
			return 0, err
		}
	}
	return lines, nil
}

// isURL says whether the URL standard takes a text for a URL.
func isURL(text string) bool {
	return parseURL(text) != nil
}

// parseURL reads a URL by the URL standard, nil if it is none. Of two kinds of hosts the library makes other hosts, whose verdicts would be
// another site's: it reads numbers with a sign as parts of an address ("+80" is 0.0.0.80), and cuts "xn--" off labels of nothing but ASCII.
// Neither is a name that DNS has, so they count as none.
func parseURL(text string) *url.Url {
	var written string
	keep := url.WithPreParseHostFunc(func(_ *url.Url, host string) string {
		written = host
		return host
	})
	parsed, err := url.NewParser(keep).Parse(strings.ToValidUTF8(text, "\ufffd"))
	if err != nil {
		return nil
	}
	host := parsed.Hostname()
	// As the library reads it: decoded, full-width letters as plain ones, invisible ones dropped.
	mapped := strings.ToLower(norm.NFKC.String(percentDecode(written)))
	mapped = strings.Map(func(c rune) rune {
		if unicode.In(c, unicode.Cf, unicode.Variation_Selector) {
			return -1
		}
		return c
	}, mapped)
	address, err := netip.ParseAddr(host)
	if err == nil && address.Is4() && strings.ContainsAny(mapped, "+-") {
		return nil
	}
	for _, label := range strings.Split(strings.ReplaceAll(mapped, "\u3002", "."), ".") {
		if strings.HasPrefix(label, "xn--") && !strings.Contains("."+host+".", "."+label+".") {
			return nil
		}
	}
	return parsed
}

func percentDecode(text string) string {
	decoded := make([]byte, 0, len(text))
	for at := 0; at < len(text); at++ {
		if text[at] == '%' && at+2 < len(text) {
			if value, err := strconv.ParseUint(text[at+1:at+3], 16, 8); err == nil {
				decoded = append(decoded, byte(value))
				at += 2
				continue
			}
		}
		decoded = append(decoded, text[at])
	}
	return string(decoded)
}

// judgeOne judges a URL by its origin as the URL standard reads it.
func (x *Index) judgeOne(text string) (Verdict, error) {
	parsed := parseURL(text)
	// Without a host ("mailto:a@b") it is of no site.
	if parsed == nil || parsed.Host() == "" {
		return Invalid, nil
	}
	e := x.engine
	origin := parsed.Protocol() + "//" + parsed.Host()
	if max(len(origin), len(text)) > maxLine {
		return Unknown, ErrNoMemory
	}
	at, err := e.inputFor(max(len(origin), len(text)))
	if err != nil {
		return Unknown, err
	}
	e.memory.WriteString(at, origin)
	program, err := e.call("findOrigin", at, uint32(len(origin)))
	if err != nil || program == 0 {
		return Unknown, err
	}
	e.memory.WriteString(at, text)
	verdict, err := e.call("matchOne", program, at, uint32(len(text)))
	switch {
	case err != nil:
		return Unknown, err
	case int32(verdict) == -2:
		return Unknown, ErrNoMemory
	case int32(verdict) < 0:
		return Unknown, fmt.Errorf("robotrie: matchOne returned %d", int32(verdict))
	}
	return Verdict(verdict), nil
}
