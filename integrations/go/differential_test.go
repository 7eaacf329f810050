package robotrie

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"reflect"
	"testing"
)

// answer is a line of testdata/typescript.mjs.
type answer struct {
	Robots, Matcher, Index []byte
	Agents, URLs           []string
	Dialect                string
	Verdicts               []byte
	Lines                  []int
	Origins                int
}

func (a answer) verdicts() []Verdict {
	verdicts := make([]Verdict, len(a.Verdicts))
	for i, verdict := range a.Verdicts {
		verdicts[i] = Verdict(verdict)
	}
	return verdicts
}

// TestTypeScript compares this package with the npm package in the clone: verdicts, deciding lines, and every byte of saved matchers.
func TestTypeScript(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not installed")
	}
	if _, err := os.Stat("../../dist/index.js"); err != nil {
		t.Skip("the npm package is not built: npm run build")
	}
	out, err := exec.Command("node", "testdata/typescript.mjs").Output()
	if err != nil {
		t.Fatal(err, string(err.(*exec.ExitError).Stderr))
	}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, len(out)+1)
	wrong, asked, indexes := 0, 0, 0
	for lines.Scan() {
		var a answer
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
			t.Fatal(err)
		}
		asked += len(a.URLs)
		check := compareMatcher
		if a.Index != nil {
			check, indexes = compareIndex, indexes+1
		}
		if problem := check(a); problem != nil {
			if wrong++; wrong < 5 {
				t.Error(problem...)
			}
		}
	}
	if wrong > 0 || asked < 30_000 || indexes < 50 {
		t.Errorf("%d of the answers differ, of %d URLs and %d indexes", wrong, asked, indexes)
	}
}

func compareMatcher(a answer) []any {
	robots, err := Parse(a.Robots, dialects[a.Dialect])
	if err != nil {
		return []any{err}
	}
	compiled, err := robots.For(a.Agents...)
	if err != nil {
		return []any{err}
	}
	if !bytes.Equal(compiled.Bytes(), a.Matcher) {
		return []any{"other bytes", string(a.Robots), a.Agents, a.Dialect, compiled.Bytes(), a.Matcher}
	}
	loaded, err := MatcherFromBytes(a.Matcher)
	if err != nil {
		return []any{err}
	}
	for _, matcher := range []*Matcher{compiled, loaded} {
		verdicts, err := matcher.MatchMany(a.URLs)
		if err != nil || !reflect.DeepEqual(verdicts, a.verdicts()) {
			return []any{a.Dialect, string(a.Robots), a.Agents, a.URLs, verdicts, a.verdicts(), err}
		}
		for i, url := range a.URLs {
			rule, err := matcher.Match(url)
			line := 0
			if rule != nil {
				line = rule.Line
			}
			if line != a.Lines[i] || (err == ErrInvalidURL) != (verdicts[i] == Invalid) {
				return []any{a.Dialect, string(a.Robots), a.Agents, url, line, a.Lines[i], err}
			}
		}
	}
	return nil
}

func compareIndex(a answer) []any {
	index, err := ReadIndex(bytes.NewReader(a.Index))
	if err != nil {
		return []any{err}
	}
	defer index.Close()
	verdicts, err := index.MatchMany(a.URLs)
	if err != nil || index.Len() != a.Origins {
		return []any{index.Len(), a.Origins, err}
	}
	for i, verdict := range verdicts {
		if single, err := index.Match(a.URLs[i]); err != nil || single != verdict || byte(verdict) != a.Verdicts[i] {
			return []any{index.Agents(), a.URLs[i], single, verdict, a.Verdicts[i], err}
		}
	}
	return nil
}
