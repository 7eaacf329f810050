// Asks a robots service (robotrie serve): go run robots_service.go ExampleBot https://example.com/ https://example.org/private
package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

// match gives a verdict for each URL: allowed, disallowed, unknown, invalid or later (neither fetch nor drop the URL: ask again).
func match(base, agent string, urls []string) ([]string, error) {
	for {
		body := strings.NewReader(strings.Join(urls, "\n") + "\n")
		request, err := http.NewRequest("POST", base+"/match?agent="+url.QueryEscape(agent), body)
		if err != nil {
			return nil, err
		}
		request.Header.Set("Content-Type", "text/plain")
		if token := os.Getenv("ROBOTRIE_TOKEN"); token != "" {
			request.Header.Set("Authorization", "Bearer "+token)
		}
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		switch answer.StatusCode {
		case 200:
			return strings.Fields(string(text)), err
		case 429, 503: // Too much is in progress: the service says when to ask again.
			seconds, _ := strconv.Atoi(answer.Header.Get("Retry-After"))
			time.Sleep(time.Duration(seconds) * time.Second)
		default:
			return nil, fmt.Errorf("%s: %s", answer.Status, text)
		}
	}
}

func main() {
	base := os.Getenv("ROBOTRIE")
	if base == "" {
		base = "http://127.0.0.1:8080"
	}
	urls := os.Args[2:]
	verdicts, err := match(base, os.Args[1], urls)
	if err != nil {
		log.Fatal(err)
	}
	for i, url := range urls {
		fmt.Printf("%s\t%s\n", verdicts[i], url)
	}
}
