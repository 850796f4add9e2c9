package shards

import (
	"crypto/sha256"
	"encoding/binary"
	"math/bits"
	"strconv"
)

// A Sum is what the content of a response is known by: the sum of the SHA-256 of each
// of its facts and complete scopes. It does not hang on their order, so the rows that
// say what a response showed give it again, in whatever order they are found.
type Sum [4]uint64

// Add adds what another part of the response adds up to.
func (s *Sum) Add(t Sum) {
	var carry uint64
	for i := 3; i >= 0; i-- {
		s[i], carry = bits.Add64(s[i], t[i], carry)
	}
}

// Bytes are the sum as it is stored.
func (s *Sum) Bytes() []byte {
	out := make([]byte, 0, 32)
	for _, n := range s {
		out = binary.BigEndian.AppendUint64(out, n)
	}
	return out
}

// SumFrom reads what Bytes writes.
func SumFrom(b []byte) (s Sum) {
	for i := range s {
		s[i] = binary.BigEndian.Uint64(b[8*i:])
	}
	return s
}

// sumOf hashes what buf holds.
func sumOf(buf []byte) Sum {
	h := sha256.Sum256(buf)
	return SumFrom(h[:])
}

// SumOfFact is what a fact of a shard adds to the sum of its response. buf is used again.
func SumOfFact(buf []byte, shard, fact string) (Sum, []byte) {
	buf = append(append(append(append(buf[:0], "fact\x00"...), shard...), 0), fact...)
	return sumOf(buf), buf
}

// SumOfScope is what a complete scope adds, by its number as archive_endings has it, and
// the reason for which what is not shown there ends.
func SumOfScope(shard string, scope int64, reason string) Sum {
	return sumOf([]byte("scope\x00" + shard + "\x00" + strconv.FormatInt(scope, 10) + "\x00" + reason))
}

// Take undoes Add.
func (s *Sum) Take(t Sum) {
	var borrow uint64
	for i := 3; i >= 0; i-- {
		s[i], borrow = bits.Sub64(s[i], t[i], borrow)
	}
}
