package robotrie_test

import (
	"fmt"
	"log"

	"robotrie"
)

func Example() {
	robots, err := robotrie.Parse([]byte("User-agent: *\nDisallow: /private/\n"), robotrie.RFC9309)
	if err != nil {
		log.Fatal(err)
	}
	allowed, err := robots.IsAllowed("https://example.com/private/a.html", "ExampleBot")
	fmt.Println(allowed, err)

	matcher, err := robots.For("ExampleBot")
	if err != nil {
		log.Fatal(err)
	}
	verdicts, err := matcher.MatchMany([]string{"/private/a.html", "/b.html", "no URL"})
	fmt.Println(verdicts, err)
	rule, err := matcher.Match("/private/a.html")
	fmt.Println(*rule, err)

	again, err := robotrie.MatcherFromBytes(matcher.Bytes())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(again.IsAllowed("/private/a.html"))
	// Output:
	// false <nil>
	// [0 1 3] <nil>
	// {false /private/ 2} <nil>
	// false <nil>
}

func ExampleLoadIndex() {
	index, err := robotrie.LoadIndex("../../test/data/stored/index.v1")
	if err != nil {
		log.Fatal(err)
	}
	defer index.Close()
	verdicts, err := index.MatchMany([]string{"https://unknown.invalid/", "no URL"})
	fmt.Println(verdicts, err)
	// Output: [2 3] <nil>
}
