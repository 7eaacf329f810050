module robotrie

go 1.25.0

require (
	github.com/nlnwa/whatwg-url v0.6.2
	github.com/tetratelabs/wazero v1.12.0
	golang.org/x/text v0.37.0
)

require (
	github.com/bits-and-blooms/bitset v1.29.0 // indirect
	golang.org/x/net v0.55.0 // indirect
	golang.org/x/sys v0.45.0 // indirect
)
