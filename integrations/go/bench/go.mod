module robotrie/bench

go 1.25.0

require (
	github.com/temoto/robotstxt v1.1.2
	robotrie v0.0.0
)

require (
	github.com/bits-and-blooms/bitset v1.29.0 // indirect
	github.com/nlnwa/whatwg-url v0.6.2 // indirect
	github.com/tetratelabs/wazero v1.12.0 // indirect
	golang.org/x/net v0.55.0 // indirect
	golang.org/x/sys v0.45.0 // indirect
	golang.org/x/text v0.37.0 // indirect
)

replace robotrie => ../
