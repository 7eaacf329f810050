package robotrie

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
)

// A Dialect is a way to read a robots.txt.
type Dialect struct {
	read, line, compile uint32
	maxBytes            int
	google, yandex      bool
}

// The dialects: the standard, Google's open-source library, and Yandex's document of 2013.
var (
	RFC9309 = Dialect{line: math.MaxUint32, compile: 8, maxBytes: 512000}
	Google  = Dialect{read: 7, line: 16663, compile: 5, maxBytes: math.MaxInt, google: true}
	Yandex  = Dialect{line: math.MaxUint32, compile: 26, maxBytes: 512000, yandex: true}
)

// agentLine is a user-agent line.
type agentLine struct {
	names     []string
	global    bool
	firstRule uint32
	line      uint32
}

// RobotsTxt is a robots.txt, read in one dialect. It is safe for concurrent use.
type RobotsTxt struct {
	data       []byte
	dialect    Dialect
	start, end int
	agents     []agentLine
	rules      uint32
}

// Parse reads a robots.txt; data must not change afterwards. Any content is accepted but lines of more than 16 MiB.
func Parse(data []byte, dialect Dialect) (*RobotsTxt, error) {
	r := &RobotsTxt{data: data, dialect: dialect, end: len(data)}
	if r.end > dialect.maxBytes {
		r.end = wholeLines(data, dialect.maxBytes)
		if dialect.yandex {
			r.end = 0
		}
	}
	for bom := "\xef\xbb\xbf"; bom != ""; bom = bom[:len(bom)-1] {
		if bytes.HasPrefix(data[:r.end], []byte(bom)) {
			r.start = len(bom)
			break
		}
		if !dialect.google {
			break
		}
	}
	e, lists, err := r.tokenise()
	if err != nil {
		return nil, err
	}
	defer e.Unlock()
	r.rules = lists[1]
	records := e.words(lists[2], int(lists[3])*5)
	for ; len(records) > 0; records = records[5:] {
		value, token := data[records[0]:records[1]], data[records[0]:records[2]]
		line := agentLine{global: isGlobal(value), line: records[3], firstRule: records[4]}
		switch {
		case line.global:
		case dialect.yandex:
			line.names = strings.FieldsFunc(lower(string(value)), func(c rune) bool { return !isToken(c) })
		default:
			line.names = []string{lower(string(token))}
		}
		r.agents = append(r.agents, line)
	}
	return r, nil
}

// tokenise gives the engine, which its caller has to unlock, and the fields of its lists of records. After an error it is not locked.
func (r *RobotsTxt) tokenise() (e *engine, lists []uint32, err error) {
	if e, err = shared(); err != nil {
		return nil, nil, err
	}
	e.Lock()
	defer func() {
		if err != nil {
			e.Unlock()
		}
	}()
	if r.end >= 1<<29 {
		return e, nil, ErrNoMemory
	}
	if _, err = e.place("placeText", uint32(r.end)+1, r.data[:r.end]); err != nil {
		return e, nil, err
	}
	at, err := e.call("tokenise", uint32(r.start), uint32(r.end), r.dialect.read, r.dialect.line)
	if err != nil {
		return e, nil, err
	}
	if at == 0 {
		return e, nil, ErrNoMemory
	}
	if lists = e.words(at, 9); lists[7] != 0 {
		return e, nil, fmt.Errorf("robotrie: line %d of a robots.txt has %d bytes, more than 16777216", lists[7], lists[8])
	}
	return e, lists, nil
}

// For compiles the rules of a crawler: its product token, or several, the most specific first.
func (r *RobotsTxt) For(agents ...string) (*Matcher, error) {
	ranges := r.ranges(agents)
	e, lists, err := r.tokenise()
	if err != nil {
		return nil, err
	}
	defer e.Unlock()
	pairs := make([]byte, 0, len(ranges)*4)
	for _, number := range ranges {
		pairs = binary.LittleEndian.AppendUint32(pairs, number)
	}
	count := uint32(len(ranges) / 2)
	if _, err := e.place("placeRanges", max(count, 1), pairs); err != nil {
		return nil, err
	}
	if gathered, err := e.call("gather", count, r.dialect.compile); err != nil || gathered == 0 {
		return nil, ErrNoMemory
	}
	at, err := e.call("compile", r.dialect.compile)
	if err != nil || at <= 1 {
		return nil, ErrNoMemory
	}
	size, _ := e.call("programLength", at)
	stored, _ := e.memory.Read(at, size)
	program := slices.Clone(stored)
	sources, _ := e.call("rankedSources")
	lines := e.words(sources, int(binary.LittleEndian.Uint32(program[8:])))
	for rank, source := range lines {
		lines[rank] = 0
		if source < r.rules {
			lines[rank] = e.words(lists[0]+16*source+12, 1)[0]
		}
	}
	return e.load(program, lines)
}

// IsAllowed says whether a crawler may fetch a URL. For many URLs a Matcher is faster.
func (r *RobotsTxt) IsAllowed(url string, agents ...string) (bool, error) {
	m, err := r.For(agents...)
	if err != nil {
		return false, err
	}
	return m.IsAllowed(url)
}

// Groups gives the lines of the groups that a crawler obeys: that of the first user-agent line of each.
func (r *RobotsTxt) Groups(agents ...string) []int {
	lines := []int{}
	last := -1
	chosen := r.chosen(agents)
	for _, line := range r.agents {
		if int(line.firstRule) != last && slices.Contains(chosen, line.firstRule) {
			lines = append(lines, int(line.line))
		}
		last = int(line.firstRule)
	}
	return lines
}

// chosen gives the first rules of the groups that a crawler obeys, in file order ("Choosing groups" of docs/hosting.md).
func (r *RobotsTxt) chosen(agents []string) []uint32 {
	named := func(isWanted func(line agentLine) bool) []uint32 {
		var found []uint32
		for _, line := range r.agents {
			if isWanted(line) && !slices.Contains(found, line.firstRule) {
				found = append(found, line.firstRule)
			}
		}
		return found
	}
	tokens := make([]string, 0, len(agents)+1)
	for _, agent := range agents {
		if !r.dialect.google {
			agent = strings.TrimSpace(agent)
			agent = agent[:len(agent)-len(strings.TrimLeftFunc(agent, isToken))]
		}
		tokens = append(tokens, lower(agent))
	}
	if r.dialect.google {
		if found := named(func(line agentLine) bool {
			return slices.ContainsFunc(tokens, func(token string) bool { return slices.Contains(line.names, token) })
		}); found != nil {
			return found
		}
		tokens = nil
	}
	if r.dialect.yandex && slices.ContainsFunc(tokens, func(token string) bool { return strings.HasPrefix(token, "yandex") }) {
		tokens = append(tokens, "yandex")
	}
	for _, token := range tokens {
		if found := named(func(line agentLine) bool { return token != "" && slices.Contains(line.names, token) }); found != nil {
			return found
		}
	}
	return named(func(line agentLine) bool { return line.global })
}

// ranges gives the first rule of each group and the one after its last.
func (r *RobotsTxt) ranges(agents []string) []uint32 {
	var ranges []uint32
	for _, first := range r.chosen(agents) {
		after := r.rules
		for _, line := range r.agents {
			if line.firstRule > first {
				after = line.firstRule
				break
			}
		}
		ranges = append(ranges, first, after)
	}
	return ranges
}

func isGlobal(value []byte) bool {
	return len(value) > 0 && value[0] == '*' && (len(value) == 1 || value[1] == ' ' || value[1] >= '\t' && value[1] <= '\r')
}

func isToken(c rune) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}

// lower makes capital letters of ASCII small ones; others have no case.
func lower(text string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'A' && c <= 'Z' {
			return c + 'a' - 'A'
		}
		return c
	}, text)
}

// wholeLines is where the last line ends that does so within a limit: half a rule could say the opposite of the whole one.
func wholeLines(data []byte, most int) int {
	if data[most] == '\n' || data[most] == '\r' {
		return most
	}
	return bytes.LastIndexAny(data[:most], "\r\n") + 1
}
