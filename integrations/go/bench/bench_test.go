// Package bench times the package beside temoto/robotstxt, in a module of its own so that users of the package do not depend on that.
package bench

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"math/rand"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/temoto/robotstxt"

	"robotrie"
)

const agent = "googlebot"

type site struct {
	Robots []byte `json:"robots_b64"`
	URLs   []string
	// Google's own verdicts, "1" for allowed.
	Allowed map[string]string
}

// sites are the real ones where ../shared is, else drawn.
func sites(b *testing.B) []site {
	var all []site
	file, err := os.Open("../../../../shared/corpus/hosts.jsonl.gz")
	if err != nil {
		draw := rand.New(rand.NewSource(9309))
		words := strings.Fields("search private cart user tag page api img static login")
		word := func() string { return words[draw.Intn(len(words))] }
		for range 300 {
			robots := "User-agent: *\n"
			for range 3 + draw.Intn(30) {
				robots += fmt.Sprintf("Disallow: /%s/%s\n", word(), []string{"", "*?", word()}[draw.Intn(3)])
			}
			one := site{Robots: []byte(robots)}
			for n := range 90 {
				one.URLs = append(one.URLs, fmt.Sprintf("https://h.example/%s/%s%d.html", word(), word(), n))
			}
			all = append(all, one)
		}
		return all
	}
	defer file.Close()
	text, err := gzip.NewReader(file)
	if err != nil {
		b.Fatal(err)
	}
	lines := bufio.NewScanner(text)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		var one site
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			b.Fatal(err)
		}
		if len(one.URLs) > 0 {
			all = append(all, one)
		}
	}
	return all
}

// path is what temoto's library takes.
func path(text string) string {
	parsed, err := url.Parse(text)
	if err != nil {
		return text
	}
	return parsed.RequestURI()
}

// BenchmarkBesideTemoto lets both libraries take turns, site by site. A figure is the sum of each site's fastest round.
func BenchmarkBesideTemoto(b *testing.B) {
	all := sites(b)
	best := make([]map[string]time.Duration, len(all))
	wrong := map[string]int{}
	urls := 0
	for b.Loop() {
		urls, wrong = 0, map[string]int{"robotrie": 0, "MatchMany": 0, "temoto": 0}
		for i, one := range all {
			if best[i] == nil {
				best[i] = map[string]time.Duration{}
			}
			urls += len(one.URLs)
			beside(b, one, best[i], wrong)
		}
	}
	total := map[string]time.Duration{}
	for _, site := range best {
		for name, spent := range site {
			total[name] += spent
		}
	}
	for name, spent := range total {
		if strings.HasSuffix(name, "parse") {
			b.ReportMetric(float64(spent.Nanoseconds())/float64(len(all)), name+"-ns/file")
		} else {
			b.ReportMetric(float64(spent.Nanoseconds())/float64(urls), name+"-ns/URL")
		}
	}
	for name, than := range map[string]string{
		"IsAllowed": "temoto", "Matcher": "temoto", "MatchMany": "temoto", "MatchLines": "temoto", "Matcher-path": "temoto-path", "parse": "temoto-parse",
	} {
		b.ReportMetric(float64(total[name])/float64(total[than]), name+"/"+than)
	}
	b.ReportMetric(0, "ns/op")
	for name, count := range wrong {
		b.ReportMetric(float64(count), name+"-wrong")
	}
}

// beside takes one turn of each kind of work for a site.
func beside(b *testing.B, one site, best map[string]time.Duration, wrong map[string]int) {
	timed := func(name string, work func()) {
		start := time.Now()
		work()
		if spent := time.Since(start); best[name] == 0 || spent < best[name] {
			best[name] = spent
		}
	}
	var robots *robotrie.RobotsTxt
	var matcher *robotrie.Matcher
	var group *robotstxt.Group
	timed("parse", func() {
		var err error
		if robots, err = robotrie.Parse(one.Robots, robotrie.Google); err == nil {
			matcher, err = robots.For(agent)
		}
		if err != nil {
			b.Fatal(err)
		}
	})
	timed("temoto-parse", func() {
		data, err := robotstxt.FromBytes(one.Robots)
		if err != nil {
			data, _ = robotstxt.FromStatusAndBytes(404, nil)
		}
		group = data.FindGroup(agent)
	})
	paths := make([]string, len(one.URLs))
	for i, text := range one.URLs {
		paths[i] = path(text)
	}
	lines := []byte(strings.Join(one.URLs, "\n"))
	count := func(name string, verdict func(i int) bool) {
		if known := one.Allowed[agent]; known != "" {
			for i := range one.URLs {
				if verdict(i) != (known[i] == '1') {
					wrong[name]++
				}
			}
		}
	}
	allowed := make([]bool, len(one.URLs))
	timed("IsAllowed", func() {
		for i, text := range one.URLs {
			allowed[i], _ = robots.IsAllowed(text, agent)
		}
	})
	timed("temoto", func() {
		for i, text := range one.URLs {
			allowed[i] = group.Test(path(text))
		}
	})
	count("temoto", func(i int) bool { return allowed[i] })
	timed("Matcher", func() {
		for i, text := range one.URLs {
			allowed[i], _ = matcher.IsAllowed(text)
		}
	})
	count("robotrie", func(i int) bool { return allowed[i] })
	timed("Matcher-path", func() {
		for i, text := range paths {
			allowed[i], _ = matcher.IsAllowed(text)
		}
	})
	timed("temoto-path", func() {
		for i, text := range paths {
			allowed[i] = group.Test(text)
		}
	})
	var verdicts []robotrie.Verdict
	timed("MatchMany", func() { verdicts, _ = matcher.MatchMany(one.URLs) })
	count("MatchMany", func(i int) bool { return verdicts[i] == robotrie.Allowed })
	timed("MatchLines", func() { verdicts, _ = matcher.MatchLines(lines) })
}
