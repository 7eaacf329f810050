// The same two routes over temoto's library and net/http, for comparison: service RULES.json. Files are parsed once, before it listens.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"

	"github.com/temoto/robotstxt"
)

func main() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	var files map[string]string
	if err := json.Unmarshal(text, &files); err != nil {
		log.Fatal(err)
	}
	groups := map[string]*robotstxt.Group{}
	for origin, file := range files {
		robots, err := robotstxt.FromString(file)
		if err != nil {
			log.Fatal(err)
		}
		groups[origin] = robots.FindGroup("ExampleBot")
	}
	isAllowed := func(text string) bool {
		parsed, err := url.Parse(text)
		if err != nil {
			return false
		}
		group := groups[parsed.Scheme+"://"+parsed.Host]
		return group != nil && group.Test(parsed.RequestURI())
	}
	http.HandleFunc("/allowed", func(answer http.ResponseWriter, request *http.Request) {
		answer.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(answer, `{"allowed":%t}`, isAllowed(request.URL.Query().Get("url")))
	})
	http.HandleFunc("/match", func(answer http.ResponseWriter, request *http.Request) {
		// All of it first: net/http stops reading when an answer has begun.
		body, err := io.ReadAll(request.Body)
		if err != nil {
			return
		}
		out := bufio.NewWriter(answer)
		defer out.Flush()
		lines := bufio.NewScanner(bytes.NewReader(body))
		for lines.Scan() {
			if isAllowed(lines.Text()) {
				out.WriteString("allowed\n")
			} else {
				out.WriteString("disallowed\n")
			}
		}
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Fprintf(os.Stderr, "http://%s\n", listener.Addr())
	log.Fatal(http.Serve(listener, nil))
}
