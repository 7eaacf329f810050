package robotrie

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

// A Dialect is a way to read a robots.txt.
type Dialect struct {
	id                  byte
	read, line, compile uint32
	maxBytes            int
	agents              uint32
	google, yandex      bool
}

// The dialects: the standard, Google's open-source library, and Yandex's document of 2013.
var (
	RFC9309 = Dialect{line: math.MaxUint32, compile: 8, maxBytes: 512000}
	Google  = Dialect{id: 1, read: 7, line: 16663, compile: 5, maxBytes: math.MaxInt, agents: 9, google: true}
	Yandex  = Dialect{id: 2, line: math.MaxUint32, compile: 26, maxBytes: 512000, agents: 6, yandex: true}
)

// agentLine is a user-agent line.
type agentLine struct {
	firstRule uint32
	line      uint32
}

// fieldLine is a line for the user-agent lines directly above it that is no rule.
type fieldLine struct {
	name, value string
	// The number of user-agent lines before it.
	before int
}

const (
	kindField   = 0
	kindSitemap = 1
)

var (
	// These begin a section of the user-agent lines after them, as rules do.
	sectionFields = []string{"crawl-delay", "request-rate", "visit-time", "content-signal", "content-signals", "content-usage"}
	delayPattern  = regexp.MustCompile(`^(?:[0-9]{1,9}(?:\.[0-9]*)?|\.[0-9]+)$`)
	sitemapURL    = regexp.MustCompile(`^(?i:https?|ftp)://`)
)

// RobotsTxt is a robots.txt, read in one dialect. It is safe for concurrent use.
type RobotsTxt struct {
	data       []byte
	dialect    Dialect
	start, end int
	agents     []agentLine
	fields     []fieldLine
	// Values of Sitemap lines that begin as absolute URLs do.
	sitemaps []string
	rules    uint32

	lock sync.Mutex
	// Compiled already, by agents and by the ranges of rules that they obey.
	byAgents, byRanges map[string]*Matcher
}

// Callers may pass whatever User-Agent comes along.
const mostAgents = 1000

// Parse reads a robots.txt; data must not change afterwards. Any content is accepted but lines of more than 16 MiB. The dialect is RFC9309,
// Google or Yandex: the zero Dialect, which would read nothing and so allow everything, is an error.
func Parse(data []byte, dialect Dialect) (*RobotsTxt, error) {
	if dialect == (Dialect{}) {
		return nil, errors.New("robotrie: no dialect is given: RFC9309, Google or Yandex")
	}
	read := min(len(data), dialect.maxBytes)
	isCut := read < len(data)
	if !dialect.google && (bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff"))) {
		data = decodeUTF16(data[:read])
		read = len(data)
	}
	r := &RobotsTxt{data: data, dialect: dialect, end: read}
	if isCut {
		r.end = wholeLines(data, read)
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
	if err := r.withLists(r.readLines); err != nil {
		return nil, err
	}
	return r, nil
}

// withLists calls what needs the file's lists of records, in the engine that it locks.
func (r *RobotsTxt) withLists(use func(e *engine, lists []uint32) error) error {
	e, err := shared()
	if err != nil {
		return err
	}
	e.Lock()
	defer e.Unlock()
	if e.current != r {
		if err := r.tokenise(e); err != nil {
			return err
		}
	}
	return use(e, e.lists)
}

// readLines reads the records of all lines but rules.
func (r *RobotsTxt) readLines(e *engine, lists []uint32) error {
	r.rules = lists[1]
	records := e.words(lists[2], int(lists[3])*6)
	for ; len(records) > 0; records = records[6:] {
		r.agents = append(r.agents, agentLine{line: records[3], firstRule: records[4]})
	}
	others := e.words(lists[4], int(lists[5])*8)
	for ; len(others) > 0; others = others[8:] {
		name, value := lower(string(r.data[others[1]:others[2]])), string(r.data[others[3]:others[4]])
		switch {
		case others[0] == kindSitemap && sitemapURL.MatchString(value):
			r.sitemaps = append(r.sitemaps, strings.ToValidUTF8(value, "\ufffd"))
		case others[0] == kindField && slices.Contains(sectionFields, name):
			r.fields = append(r.fields, fieldLine{name, value, int(others[6])})
		}
	}
	return nil
}

// tokenise makes the lists of records, which hold until the next file.
func (r *RobotsTxt) tokenise(e *engine) error {
	if r.end >= 1<<29 {
		return ErrNoMemory
	}
	e.current = nil
	if _, err := e.place("placeText", uint32(r.end)+1, r.data[:r.end]); err != nil {
		return err
	}
	at, err := e.must("tokenise", uint32(r.start), uint32(r.end), r.dialect.read, r.dialect.line)
	if err != nil {
		return err
	}
	lists := e.words(at, 9)
	if lists[7] != 0 {
		return fmt.Errorf("robotrie: line %d of a robots.txt has %d bytes, more than 16777216", lists[7], lists[8])
	}
	e.current, e.lists = r, lists
	return nil
}

// For gives the compiled rules of a crawler: its product token or its User-Agent header, or several tokens, the most specific first. For
// well-known crawlers the table adds what they fall back to (Googlebot-News, then Googlebot), and whether groups for * hold for them; to a
// list it adds nothing. The Google dialect knows no crawlers. It is an error to give none.
func (r *RobotsTxt) For(agents ...string) (*Matcher, error) {
	if len(agents) == 0 {
		return nil, errors.New("robotrie: no agent is given: a product token, or several")
	}
	r.lock.Lock()
	defer r.lock.Unlock()
	key := strings.Join(agents, "\n")
	// A name with a line end would be taken for two.
	isKey := strings.Count(key, "\n") == len(agents)-1
	if m := r.byAgents[key]; m != nil && isKey {
		return m, nil
	}
	ranges, err := r.ranges(agents)
	if err != nil {
		return nil, err
	}
	pairs := make([]byte, 0, 8)
	for _, number := range ranges {
		pairs = binary.LittleEndian.AppendUint32(pairs, number)
	}
	m := r.byRanges[string(pairs)]
	if m == nil {
		err := r.withLists(func(e *engine, lists []uint32) (err error) {
			m, err = r.compile(e, lists, pairs)
			return err
		})
		if err != nil {
			return nil, err
		}
		if r.byRanges == nil {
			r.byRanges = map[string]*Matcher{}
		}
		r.byRanges[string(pairs)] = m
	}
	if r.byAgents == nil || len(r.byAgents) >= mostAgents {
		r.byAgents = map[string]*Matcher{}
	}
	if isKey {
		r.byAgents[key] = m
	}
	return m, nil
}

// compile makes a matcher of ranges of the rules.
func (r *RobotsTxt) compile(e *engine, lists []uint32, pairs []byte) (*Matcher, error) {
	count := uint32(len(pairs) / 8)
	if _, err := e.place("placeRanges", max(count, 1), pairs); err != nil {
		return nil, err
	}
	if _, err := e.must("gather", count, r.dialect.compile); err != nil {
		return nil, err
	}
	at, err := e.must("compile", r.dialect.compile)
	if err != nil {
		return nil, err
	}
	if at == 1 {
		return nil, fmt.Errorf("%w: the rules need more than the %d bytes that a program may have", ErrNoMemory, maxProgram)
	}
	size, err := e.call("programLength", at)
	if err != nil {
		return nil, err
	}
	stored, _ := e.memory.Read(at, size)
	m := &Matcher{dialect: r.dialect, program: slices.Clone(stored), text: r.data}
	sources, err := e.call("rankedSources")
	if err != nil {
		return nil, err
	}
	for _, source := range e.words(sources, int(binary.LittleEndian.Uint32(m.program[ranksOfProgram:]))) {
		var rule rank
		if source < r.rules {
			fields := e.words(lists[0]+16*source, 4)
			rule = rank{fields[0], fields[1], fields[2], fields[3]}
		}
		m.ranks = append(m.ranks, rule)
	}
	return e.load(m)
}

// IsAllowed says whether a crawler may fetch a URL. For many URLs the matcher of For is faster.
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
	// Without memory, none: those who ask for rules get the error.
	chosen, _ := r.chosen(agents)
	for _, line := range r.agents {
		if int(line.firstRule) != last {
			if _, isChosen := slices.BinarySearch(chosen, line.firstRule); isChosen {
				lines = append(lines, int(line.line))
			}
		}
		last = int(line.firstRule)
	}
	return lines
}

// Sitemaps gives the absolute URLs of the Sitemap lines, as written. They apply to all crawlers.
func (r *RobotsTxt) Sitemaps() []string {
	return slices.DeleteFunc(slices.Clone(r.sitemaps), func(text string) bool { return !isURL(text) })
}

// CrawlDelay gives the time between two requests: the first valid Crawl-delay directly below the crawler's user-agent lines; false if there is
// none.
func (r *RobotsTxt) CrawlDelay(agents ...string) (time.Duration, bool) {
	if len(r.fields) == 0 {
		return 0, false
	}
	begins := map[int]bool{}
	for _, field := range r.fields {
		begins[field.before] = true
	}
	sections := make([]int, len(r.agents))
	for i := 1; i < len(r.agents); i++ {
		sections[i] = sections[i-1]
		if begins[i] || r.agents[i].firstRule != r.agents[i-1].firstRule {
			sections[i]++
		}
	}
	obeyed := map[int]bool{}
	chosen, _ := r.chosenLines(agents)
	for _, i := range chosen {
		obeyed[sections[i]] = true
	}
	for _, field := range r.fields {
		if field.name == "crawl-delay" && field.before > 0 && obeyed[sections[field.before-1]] && delayPattern.MatchString(field.value) {
			seconds, err := strconv.ParseFloat(field.value, 64)
			return time.Duration(math.Round(seconds * float64(time.Second))), err == nil
		}
	}
	return 0, false
}

// chosen gives the first rules of the groups that a crawler obeys, in file order. All of this takes linear time: a hostile file may have a
// million groups.
func (r *RobotsTxt) chosen(agents []string) ([]uint32, error) {
	lines, err := r.chosenLines(agents)
	var found []uint32
	for _, i := range lines {
		found = append(found, r.agents[i].firstRule)
	}
	return slices.Compact(found), err
}

// chosenLines gives the user-agent lines by which a crawler goes ("Choosing groups" of docs/hosting.md).
func (r *RobotsTxt) chosenLines(agents []string) (chosen []uint32, err error) {
	var texts []byte
	for _, agent := range agents {
		agent = strings.ToValidUTF8(agent, "\ufffd")
		texts = binary.LittleEndian.AppendUint32(texts, uint32(len(agent)))
		texts = append(texts, agent...)
	}
	if len(texts) >= 1<<29 {
		return nil, ErrNoMemory
	}
	err = r.withLists(func(e *engine, _ []uint32) error {
		if _, err := e.place("placeAgents", uint32(len(texts)), texts); err != nil {
			return err
		}
		if _, err := e.must("readAgents", uint32(len(agents)), r.dialect.agents); err != nil {
			return err
		}
		at, err := e.must("chooseLines")
		if err != nil {
			return err
		}
		chosen = e.words(at+4, int(e.words(at, 1)[0]))
		return nil
	})
	return chosen, err
}

// ranges gives the first rule of each group and the one after its last.
func (r *RobotsTxt) ranges(agents []string) ([]uint32, error) {
	chosen, err := r.chosen(agents)
	var ranges []uint32
	at := 0
	for _, first := range chosen {
		for at < len(r.agents) && r.agents[at].firstRule <= first {
			at++
		}
		after := r.rules
		if at < len(r.agents) {
			after = r.agents[at].firstRule
		}
		ranges = append(ranges, first, after)
	}
	return ranges, err
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

// decodeUTF16 makes UTF-8 of UTF-16 with a byte order mark; half a character is U+FFFD.
func decodeUTF16(data []byte) []byte {
	var order binary.ByteOrder = binary.LittleEndian
	if bytes.HasPrefix(data, []byte("\xfe\xff")) {
		order = binary.BigEndian
	}
	units := make([]uint16, 0, len(data)/2+1)
	for at := 2; at < len(data); at += 2 {
		if at+1 == len(data) {
			units = append(units, utf8.RuneError)
		} else {
			units = append(units, order.Uint16(data[at:]))
		}
	}
	return []byte(string(utf16.Decode(units)))
}

// wholeLines is where the last line ends that does so within a limit: half a rule could say the opposite of the whole one.
func wholeLines(data []byte, most int) int {
	if most < len(data) && (data[most] == '\n' || data[most] == '\r') {
		return most
	}
	return bytes.LastIndexAny(data[:most], "\r\n") + 1
}
