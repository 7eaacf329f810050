package robotrie

import (
	"encoding/binary"
	"fmt"
)

// What saved matchers and indexes have in common ("Saved rules" of docs/hosting.md): a preamble and a checksum.
const (
	preambleSize  = 20
	formatVersion = 1
)

var savedDialects = []Dialect{RFC9309, Google, Yandex}

// damaged is an error about saved bytes.
func damaged(format string, values ...any) error {
	return fmt.Errorf("robotrie: %w: %s", ErrDamaged, fmt.Sprintf(format, values...))
}

func preamble(letters string, dialect Dialect, fields ...uint32) []byte {
	saved := append([]byte(letters), 0, formatVersion, 0, dialect.id, 0)
	for _, field := range fields {
		saved = binary.LittleEndian.AppendUint32(saved, field)
	}
	return saved
}

// openSaved reads a preamble: the dialect, and three numbers.
func openSaved(letters string, data []byte) (Dialect, [3]uint32, error) {
	var fields [3]uint32
	if len(data) < preambleSize {
		return Dialect{}, fields, damaged("%d bytes are fewer than the %d of a preamble", len(data), preambleSize)
	}
	if string(data[:4]) != letters+"\x00" {
		return Dialect{}, fields, damaged("these bytes do not begin with %q", letters)
	}
	if version := binary.LittleEndian.Uint16(data[4:]); version != formatVersion {
		return Dialect{}, fields, damaged("these bytes have version %d, this is version %d", version, formatVersion)
	}
	if int(data[6]) >= len(savedDialects) {
		return Dialect{}, fields, damaged("there is no dialect %d", data[6])
	}
	if data[7] != 0 {
		return Dialect{}, fields, damaged("byte 7 is %d, not 0", data[7])
	}
	for i := range fields {
		fields[i] = binary.LittleEndian.Uint32(data[8+4*i:])
	}
	return savedDialects[data[6]], fields, nil
}

// checksum is FNV-1a over words in four lanes; its zero value is ready.
type checksum struct {
	lanes [4]uint32
	begun bool
	// Bytes that are no whole block yet.
	rest []byte
}

const (
	block = 16
	basis = 0x811c9dc5
)

func mix(x uint32) uint32 {
	product := x * 0x01000193
	return product ^ product>>15
}

func (s *checksum) begin() {
	if !s.begun {
		s.lanes, s.begun = [4]uint32{basis, basis, basis, basis}, true
	}
}

// add counts more bytes.
func (s *checksum) add(data []byte) {
	s.begin()
	if len(s.rest) > 0 {
		missing := min(block-len(s.rest), len(data))
		s.rest, data = append(s.rest, data[:missing]...), data[missing:]
		if len(s.rest) < block {
			return
		}
		s.blocks(s.rest)
		s.rest = s.rest[:0]
	}
	s.rest = append(s.rest, s.blocks(data)...)
}

// blocks counts whole blocks, and returns the bytes that are left.
func (s *checksum) blocks(data []byte) []byte {
	lanes := s.lanes
	for ; len(data) >= block; data = data[block:] {
		for lane := range lanes {
			lanes[lane] = mix(lanes[lane] ^ binary.LittleEndian.Uint32(data[4*lane:]))
		}
	}
	s.lanes = lanes
	return data
}

func (s *checksum) value() uint32 {
	s.begin()
	sum := s.lanes[0]
	for _, lane := range s.lanes[1:] {
		sum = mix(sum ^ lane)
	}
	for _, one := range s.rest {
		sum = mix(sum ^ uint32(one))
	}
	return sum
}
