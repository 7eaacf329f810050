// Go's engine, temoto/robotstxt. Reads sites and jobs, and does what the harness asks for (../README.md).
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"net/url"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/temoto/robotstxt"
)

var agent = cmp.Or(os.Getenv("PEER_AGENT"), "googlebot")

// reader reads a file of numbers and texts.
type reader struct {
	bytes []byte
}

func open(path string) *reader {
	bytes, err := os.ReadFile(path)
	check(err)
	return &reader{bytes}
}

func (r *reader) number() int {
	value := int32(binary.LittleEndian.Uint32(r.bytes))
	r.bytes = r.bytes[4:]
	return int(value)
}

func (r *reader) text() []byte {
	length := r.number()
	text := r.bytes[:length]
	r.bytes = r.bytes[length:]
	return text
}

type site struct {
	origin string
	robots []byte
}

type job struct {
	site     int
	texts    []string
	verdicts []byte
}

type driver struct {
	sites    []site
	judges   []*robotstxt.Group
	byOrigin map[string]*robotstxt.Group
	jobs     []job
}

func (d *driver) compile() time.Duration {
	start := time.Now()
	d.judges = d.judges[:0]
	d.byOrigin = make(map[string]*robotstxt.Group, len(d.sites))
	for _, site := range d.sites {
		// A file that it cannot read allows everything, as one that is not there.
		data, err := robotstxt.FromStatusAndBytes(200, site.robots)
		if err != nil {
			data, _ = robotstxt.FromStatusAndBytes(404, nil)
		}
		group := data.FindGroup(agent)
		d.judges = append(d.judges, group)
		d.byOrigin[site.origin] = group
	}
	return time.Since(start)
}

func (d *driver) readJobs(path string) int {
	read := open(path)
	d.jobs = make([]job, read.number())
	for i := range d.jobs {
		site := read.number()
		count := read.number()
		texts := strings.Split(string(bytes.TrimSuffix(read.text(), []byte("\n"))), "\n")
		d.jobs[i] = job{site, texts, make([]byte, count)}
	}
	return len(d.jobs)
}

func (d *driver) judge(from, to int) time.Duration {
	start := time.Now()
	for _, job := range d.jobs[from:to] {
		for i, text := range job.texts {
			group := (*robotstxt.Group)(nil)
			path := text
			if job.site >= 0 {
				group = d.judges[job.site]
			}
			if text[0] != '/' {
				parsed, err := url.Parse(text)
				if err != nil {
					job.verdicts[i] = '1'
					continue
				}
				path = parsed.RequestURI()
				if group == nil {
					group = d.byOrigin[parsed.Scheme+"://"+parsed.Host]
				}
			}
			job.verdicts[i] = '0'
			if group.Test(path) {
				job.verdicts[i] = '1'
			}
		}
	}
	return time.Since(start)
}

func memory() int {
	debug.FreeOSMemory()
	runtime.GC()
	var size, pages int
	file, err := os.Open("/proc/self/statm")
	check(err)
	defer file.Close()
	_, err = fmt.Fscan(file, &size, &pages)
	check(err)
	return pages * os.Getpagesize()
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	info, _ := debug.ReadBuildInfo()
	fmt.Println(strings.TrimPrefix(info.Deps[0].Version, "v"))
	d := &driver{}
	read := open(os.Args[2])
	for left := read.number(); left > 0; left-- {
		d.sites = append(d.sites, site{string(read.text()), read.text()})
	}
	commands := bufio.NewScanner(os.Stdin)
	for commands.Scan() {
		words := strings.Fields(commands.Text())
		switch words[0] {
		case "compile":
			fmt.Print(d.compile().Nanoseconds())
		case "jobs":
			fmt.Print(d.readJobs(words[1]))
		case "judge":
			var from, to, times int
			_, err := fmt.Sscan(strings.Join(words[1:], " "), &from, &to, &times)
			check(err)
			for ; times > 0; times-- {
				fmt.Print(d.judge(from, to).Nanoseconds(), " ")
			}
		case "verdicts":
			d.judge(0, len(d.jobs))
			for _, job := range d.jobs {
				os.Stdout.Write(job.verdicts)
			}
		case "memory":
			fmt.Print(memory())
		}
		fmt.Println()
	}
}
