package robotrie

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
)

// A Rule is a rule as it stands in a robots.txt.
type Rule struct {
	Allow   bool
	Pattern string
	Line    int // from 1
}

// A Matcher is the compiled rules of one crawler. It is safe for concurrent use; its memory is freed when it is garbage-collected.
type Matcher struct {
	engine  *engine
	dialect Dialect
	program []byte
	address uint32
	// The rule of each rank, whose pattern lies in text.
	text  []byte
	ranks []rank
}

// rank has line 0 where the dialect adds a rule that the file has not.
type rank struct{ from, to, allow, line uint32 }

// Of a saved matcher: "RTM", and behind the program for each rank line, allow, and the pattern's length and bytes.
const (
	savedMatcher   = "RTM"
	ruleHead       = 9
	maxProgram     = 1<<24 - 1
	ranksOfProgram = 8
	headOfProgram  = 12
)

// load copies a program to where it can run.
func (e *engine) load(m *Matcher) (*Matcher, error) {
	at, err := e.place("allocate", uint32(len(m.program)), m.program)
	if err != nil {
		return nil, err
	}
	if _, err := e.must("reserveVisited", at); err != nil {
		return nil, errors.Join(err, e.release(at))
	}
	m.engine, m.address = e, at
	runtime.SetFinalizer(m, func(m *Matcher) {
		m.engine.Lock()
		defer m.engine.Unlock()
		m.engine.release(m.address)
	})
	return m, nil
}

func (e *engine) release(at uint32) error {
	_, err := e.call("release", at)
	return err
}

// best gives the rank of the deciding rule, times 2, plus 1 for allow; 0 for no rule.
func (m *Matcher) best(url string) (int32, error) {
	e := m.engine
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
	case int32(best) == -2:
		return 0, ErrNoMemory
	case int32(best) < 0:
		return 0, fmt.Errorf("robotrie: matchOne returned %d", int32(best))
	}
	return int32(best), nil
}

func (m *Matcher) one(url string) (int32, error) {
	m.engine.Lock()
	defer m.engine.Unlock()
	defer runtime.KeepAlive(m)
	return m.best(url)
}

// IsAllowed says whether the crawler may fetch a URL: an absolute one, or a path that begins with "/".
func (m *Matcher) IsAllowed(url string) (bool, error) {
	best, err := m.one(url)
	return err == nil && (best == 0 || best&1 == 1), err
}

// Match gives the rule that decides about a URL, nil if none does.
func (m *Matcher) Match(url string) (*Rule, error) {
	best, err := m.one(url)
	if err != nil || best < 2 || m.ranks[best>>1-1].line == 0 {
		return nil, err
	}
	rank := m.ranks[best>>1-1]
	return &Rule{rank.allow == 1, string(m.text[rank.from:rank.to]), int(rank.line)}, nil
}

// Line gives the number of the line that decides about a URL, 0 if none does.
func (m *Matcher) Line(url string) (int, error) {
	best, err := m.one(url)
	if err != nil || best < 2 {
		return 0, err
	}
	return int(m.ranks[best>>1-1].line), nil
}

// MatchLines gives a verdict for each line of data, ended by LF or CRLF; the last one may lack it.
func (m *Matcher) MatchLines(data []byte) ([]Verdict, error) {
	m.engine.Lock()
	defer m.engine.Unlock()
	defer runtime.KeepAlive(m)
	return m.engine.judgeLines(m, data)
}

// MatchMany gives a verdict for each URL: Disallowed, Allowed or Invalid.
func (m *Matcher) MatchMany(urls []string) ([]Verdict, error) {
	m.engine.Lock()
	defer m.engine.Unlock()
	defer runtime.KeepAlive(m)
	return m.engine.judgeRows(m, urls)
}

func (m *Matcher) roomFor(size int) int { return 2*size + padding + 1 }

func (m *Matcher) judgeInput(at, size uint32, verdicts []Verdict) (int, error) {
	to := at + size + padding
	count, err := m.engine.call("matchLines", m.address, at, size, to)
	if err != nil {
		return 0, err
	}
	return m.engine.judged("matchLines", to, count, verdicts)
}

func (m *Matcher) judgeOne(url string) (Verdict, error) {
	best, err := m.best(url)
	switch {
	case errors.Is(err, ErrInvalidURL):
		return Invalid, nil
	case err != nil:
		return Invalid, err
	case best == 0:
		return Allowed, nil
	}
	return Verdict(best & 1), nil
}

// Bytes gives the matcher as bytes, for any platform and language: those of the npm package's Matcher.toBytes.
func (m *Matcher) Bytes() []byte {
	body := slices.Clone(m.program)
	for _, rank := range m.ranks {
		body = binary.LittleEndian.AppendUint32(body, rank.line)
		body = binary.LittleEndian.AppendUint32(append(body, byte(rank.allow)), rank.to-rank.from)
		body = append(body, m.text[rank.from:rank.to]...)
	}
	var sum checksum
	sum.add(body)
	saved := preamble(savedMatcher, m.dialect, uint32(len(m.program)), uint32(len(body)-len(m.program)), sum.value())
	return append(saved, body...)
}

// MatcherFromBytes makes a matcher of the bytes of Bytes. It is safe with any bytes: they are verified. Errors for bytes that are no matcher
// are ErrDamaged.
func MatcherFromBytes(data []byte) (*Matcher, error) {
	dialect, fields, err := openSaved(savedMatcher, data)
	if err != nil {
		return nil, err
	}
	body := slices.Clone(data[preambleSize:])
	if uint64(fields[0])+uint64(fields[1]) != uint64(len(body)) {
		return nil, damaged("%d bytes, where the preamble says %d", len(body), uint64(fields[0])+uint64(fields[1]))
	}
	var sum checksum
	if sum.add(body); sum.value() != fields[2] {
		return nil, damaged("the checksum is wrong, so these bytes were cut off or changed")
	}
	program := body[:fields[0]]
	e, err := shared()
	if err != nil {
		return nil, err
	}
	e.Lock()
	defer e.Unlock()
	if err := e.verify(program); err != nil {
		return nil, err
	}
	m := &Matcher{dialect: dialect, program: program, text: body[fields[0]:]}
	if m.ranks, err = readRules(m.text, binary.LittleEndian.Uint32(program[ranksOfProgram:])); err != nil {
		return nil, err
	}
	return e.load(m)
}

// verify asks the module whether bytes are a program.
func (e *engine) verify(program []byte) error {
	if len(program) < headOfProgram || len(program) > maxProgram {
		return damaged("a program of %d bytes", len(program))
	}
	at, err := e.place("allocate", uint32(len(program)), program)
	if err != nil {
		return err
	}
	reason, err := e.call("verify", at, uint32(len(program)))
	if err := errors.Join(err, e.release(at)); err != nil {
		return err
	}
	switch {
	case int32(reason) == -1:
		return ErrNoMemory
	case reason != 0:
		return damaged("not a program: reason %d", int32(reason))
	}
	return nil
}

func readRules(table []byte, count uint32) ([]rank, error) {
	if uint64(count)*ruleHead > uint64(len(table)) {
		return nil, damaged("the rule table is cut off")
	}
	ranks := make([]rank, 0, count)
	at := uint64(0)
	for range count {
		if at+ruleHead > uint64(len(table)) {
			return nil, damaged("the rule table is cut off")
		}
		head := table[at:]
		at += ruleHead
		end := at + uint64(binary.LittleEndian.Uint32(head[5:]))
		if end > min(uint64(len(table)), math.MaxUint32) {
			return nil, damaged("the rule table is cut off")
		}
		ranks = append(ranks, rank{uint32(at), uint32(end), uint32(head[4] & 1), binary.LittleEndian.Uint32(head)})
		at = end
	}
	if at != uint64(len(table)) {
		return nil, damaged("the rule table is longer than its rules")
	}
	return ranks, nil
}
