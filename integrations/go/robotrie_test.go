package robotrie

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
)

var dialects = map[string]Dialect{"rfc9309": RFC9309, "google": Google, "yandex": Yandex}

type row struct {
	Robots    *string
	RobotsB64 string `json:"robots_b64"`
	Agent     any
	URL       string
	Kind      string
	Dialect   string
	Allowed   bool
	Line      int
	Groups    []int
	Seconds   *float64
	Form      string
	BytesB64  string `json:"bytes_b64"`
	Where     string
	IndexB64  string `json:"index_b64"`
	Matcher   Verdict
	Index     Verdict
	RefusedBy []string `json:"refused_by"`
}

func (r row) agents() []string {
	if name, ok := r.Agent.(string); ok {
		return []string{name}
	}
	var names []string
	for _, name := range r.Agent.([]any) {
		names = append(names, name.(string))
	}
	return names
}

func (r row) parse(t *testing.T) *RobotsTxt {
	data, _ := base64.StdEncoding.DecodeString(r.RobotsB64)
	if r.Robots != nil {
		data = []byte(*r.Robots)
	}
	robots, err := Parse(data, dialects[r.Dialect])
	if err != nil {
		t.Fatal(err)
	}
	return robots
}

func rows(t *testing.T, name string) []row {
	text, err := os.ReadFile("../../conformance/" + name + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var all []row
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		var one row
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
	return all
}

func TestVerdicts(t *testing.T) {
	wrong := 0
	for _, row := range rows(t, "verdicts") {
		matcher, err := row.parse(t).For(row.agents()...)
		if err != nil {
			t.Fatal(err)
		}
		allowed, err := matcher.IsAllowed(row.URL)
		line, _ := matcher.Line(row.URL)
		verdicts, bulk := matcher.MatchMany([]string{row.URL, "/robots.txt"})
		loaded, err := MatcherFromBytes(matcher.Bytes())
		if err != nil {
			t.Fatal(row, err)
		}
		if again, _ := loaded.IsAllowed(row.URL); again != row.Allowed {
			t.Error("saved", row)
		}
		if err != nil || bulk != nil || allowed != row.Allowed || line != row.Line || len(verdicts) != 2 || (verdicts[0] == Allowed) != row.Allowed {
			if wrong++; wrong < 5 {
				t.Error(row, allowed, line, verdicts, err, bulk)
			}
		}
	}
}

func TestOddURLs(t *testing.T) {
	for _, row := range rows(t, "urls") {
		matcher, err := row.parse(t).For(row.agents()...)
		if err != nil {
			t.Fatal(err)
		}
		saved, _ := base64.StdEncoding.DecodeString(row.IndexB64)
		index, err := ReadIndex(bytes.NewReader(saved))
		if err != nil {
			t.Fatal(err)
		}
		wanted := []Verdict{row.Matcher, row.Index, row.Index}
		if slices.Contains(row.RefusedBy, "go") {
			wanted = []Verdict{row.Matcher, Invalid, Invalid}
		}
		one, _ := matcher.MatchMany([]string{row.URL})
		many, _ := index.MatchMany([]string{row.URL})
		lines, _ := index.MatchLines([]byte(row.URL + "\n"))
		if found := slices.Concat(one, many, lines); !slices.Equal(found, wanted) {
			t.Error(row.Kind, row.URL, found, wanted)
		}
	}
}

func TestGroups(t *testing.T) {
	for _, row := range append(rows(t, "groups"), rows(t, "agents")...) {
		if groups := row.parse(t).Groups(row.agents()...); !reflect.DeepEqual(groups, row.Groups) {
			t.Fatal(row, groups)
		}
	}
}

func TestCrawlDelay(t *testing.T) {
	for _, row := range rows(t, "crawl-delay") {
		wait, found := row.parse(t).CrawlDelay(row.agents()...)
		if found != (row.Seconds != nil) || found && wait.Seconds() != *row.Seconds {
			t.Error(row, wait, found)
		}
	}
}

func TestSavedBytes(t *testing.T) {
	for _, row := range rows(t, "saved") {
		data, _ := base64.StdEncoding.DecodeString(row.BytesB64)
		var dialect Dialect
		var err error
		if row.Form == "matcher" {
			var m *Matcher
			if m, err = MatcherFromBytes(data); err == nil {
				dialect = m.dialect
			}
		} else {
			var x *Index
			if x, err = ReadIndex(bytes.NewReader(data)); err == nil {
				dialect = x.dialect
				x.Close()
			}
		}
		if row.Dialect == "" && !errors.Is(err, ErrDamaged) || row.Dialect != "" && (err != nil || dialect != dialects[row.Dialect]) {
			t.Error(row.Form, row.Where, row.Dialect, dialect, err)
		}
	}
}

// TestAgents: names, headers and lists, each asked for after the others.
func TestAgents(t *testing.T) {
	file := []byte("User-agent: a\nDisallow: /a\n\nUser-agent: b\nDisallow: /b\n\nUser-agent: *\nDisallow: /all\n")
	cases := []struct {
		agents          []string
		rfc9309, google string
	}{
		{[]string{"a"}, "/a", "/a"},
		{[]string{" A/2.0 (+https://h.example)"}, "/a", "/a"},
		{[]string{"A/2.0"}, "/a", "/all"},
		{[]string{"Mozilla/5.0 (compatible; a/1.0; +https://h.example)"}, "/a", "/a"},
		{[]string{"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; b/1.2; +https://h.example)"}, "/b", "/b"},
		{[]string{"(a)"}, "/all", "/all"},
		{[]string{"c", "b"}, "/b", "/b"},
		{[]string{"c\nb"}, "/all", "/all"},
		{[]string{"c", "b"}, "/b", "/b"},
		{[]string{""}, "/all", "/all"},
	}
	rfc9309, _ := Parse(file, RFC9309)
	google, _ := Parse(file, Google)
	for _, c := range cases {
		for robots, wanted := range map[*RobotsTxt]string{rfc9309: c.rfc9309, google: c.google} {
			for _, path := range []string{"/a", "/b", "/all"} {
				if allowed, err := robots.IsAllowed(path+"/", c.agents...); err != nil || allowed != !strings.HasPrefix(path+"/", wanted) {
					t.Error(c.agents, path, robots.dialect.google, allowed, err)
				}
			}
		}
	}
	if allowed, err := rfc9309.IsAllowed("/"); err == nil || allowed || !strings.Contains(err.Error(), "no agent") {
		t.Error(allowed, err)
	}
	if robots, err := Parse(file, Dialect{}); err == nil || robots != nil || !strings.Contains(err.Error(), "no dialect") {
		t.Error(err)
	}
}

// TestManyGroups takes minutes where choosing groups takes the square of their number.
func TestManyGroups(t *testing.T) {
	const groups = 100_000
	robots, err := Parse([]byte(strings.Repeat("user-agent:a\nallow:/\n", groups)), Google)
	if err != nil {
		t.Fatal(err)
	}
	if allowed, err := robots.IsAllowed("/", "a"); !allowed || err != nil || len(robots.Groups("a")) != groups {
		t.Error(allowed, err, len(robots.Groups("a")))
	}
}

func TestSitemaps(t *testing.T) {
	robots, _ := Parse([]byte("Sitemap: https://h.example/s.xml\nSitemap: /s\nUser-agent: a\nsitemap:HTTP://h/\xff\nSitemap: https:// x\n"+
		"Sitemap: https:///h/s.xml\nSitemap: https://[::1/s\nSitemap: https://h:99999/s\nSitemap: https:/h/\n"), RFC9309)
	if found := robots.Sitemaps(); !reflect.DeepEqual(found, []string{"https://h.example/s.xml", "HTTP://h/\ufffd", "https:///h/s.xml"}) {
		t.Error(found)
	}
}

func TestBulk(t *testing.T) {
	robots, err := Parse([]byte("User-agent: *\nDisallow: /x\n"), RFC9309)
	if err != nil {
		t.Fatal(err)
	}
	matcher, _ := robots.For("a")
	urls := []string{"/x", "no url", "/b", "/x\ny", "/q\r", "", strings.Repeat("/x", 200_000)}
	wanted := []Verdict{Disallowed, Invalid, Allowed, Disallowed, Allowed, Invalid, Disallowed}
	for n := 0; n < 12; n++ {
		urls, wanted = append(urls, urls[:6]...), append(wanted, wanted[:6]...)
	}
	verdicts, err := matcher.MatchMany(urls)
	if err != nil || !reflect.DeepEqual(verdicts, wanted) {
		t.Error(verdicts, err)
	}
	if _, err := matcher.IsAllowed("no url"); err != ErrInvalidURL {
		t.Error(err)
	}
	if _, err := Parse(make([]byte, 1<<24+1), Dialect{maxBytes: 1 << 30, line: 1<<32 - 1}); err == nil || !strings.Contains(err.Error(), "line 1") {
		t.Error(err)
	}
}

func TestCompiledOnce(t *testing.T) {
	robots, _ := Parse([]byte("User-agent: a\nDisallow: /x\n\nUser-agent: b\nDisallow: /y\n"), RFC9309)
	for _, agents := range [][]string{{"a"}, {"A"}, {"c", "a"}} {
		one, _ := robots.For("a")
		if other, err := robots.For(agents...); other != one || err != nil {
			t.Error(agents, err)
		}
	}
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for n := range 300 {
				agent := string(rune('a' + (n+i)%2))
				if allowed, err := robots.IsAllowed("/y", agent); err != nil || allowed != (agent == "a") {
					t.Error(agent, allowed, err)
				}
				other, _ := Parse(fmt.Appendf(nil, "User-agent: *\nDisallow: /%d\n", n), RFC9309)
				if allowed, err := other.IsAllowed(fmt.Sprintf("/%d", n), "a"); err != nil || allowed {
					t.Error(n, allowed, err)
				}
			}
		})
	}
	group.Wait()
	for n := range 2 * mostAgents {
		robots.For(fmt.Sprint("x", n))
	}
	if len(robots.byAgents) > mostAgents || len(robots.byRanges) != 3 {
		t.Error(len(robots.byAgents), len(robots.byRanges))
	}
}
