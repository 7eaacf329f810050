package robotrie

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"
)

var dialects = map[string]Dialect{"rfc9309": RFC9309, "google": Google, "yandex": Yandex}

type row struct {
	Robots    *string
	RobotsB64 string `json:"robots_b64"`
	Agent     any
	URL       string
	Dialect   string
	Allowed   bool
	Line      int
	Groups    []int
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
		if err != nil || bulk != nil || allowed != row.Allowed || line != row.Line || len(verdicts) != 2 || (verdicts[0] == Allowed) != row.Allowed {
			if wrong++; wrong < 5 {
				t.Error(row, allowed, line, verdicts, err, bulk)
			}
		}
	}
}

func TestGroups(t *testing.T) {
	for _, row := range rows(t, "groups") {
		if groups := row.parse(t).Groups(row.agents()...); !reflect.DeepEqual(groups, row.Groups) {
			t.Fatal(row, groups)
		}
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

func BenchmarkIsAllowed(b *testing.B) {
	robots, _ := Parse([]byte("User-agent: *\nDisallow: /x\nDisallow: /*.pdf$\n"), RFC9309)
	matcher, _ := robots.For("a")
	for range b.N {
		matcher.IsAllowed("https://example.com/some/path/of/a/page.html")
	}
}
