package firehose

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"laurel/models/awards/rules"
)

const (
	maxLine    = 1 << 20
	maxBatch   = 1_000   // Events.
	batchBytes = 4 << 20 // Of lines: a thousand large ones are not held together.
	chunk      = 64 << 10
)

// Read takes lines from r and gives what is wanted to keep, in their order and
// in batches of up to 1,000, whose slice is used again. It ends with the stream
// or with the first error of r or keep. A line over 1 MB is rejected, and the
// rest goes on. The counts are true in any case: what keep refused is not kept,
// and a line that r broke off is none.
func (f *Filter) Read(r io.Reader, keep func([]rules.Event) error) (Counts, error) {
	s, in := f.Stream(keep), bufio.NewReaderSize(chunks{r}, maxLine+2)
	for {
		line, err := in.ReadSlice('\n')
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, bufio.ErrBufferFull) {
			return s.Counts, errors.Join(fmt.Errorf("line %d: %w", s.number+1, err), s.Flush())
		}
		if len(line) == 0 {
			return s.Counts, s.Flush()
		}
		full := errors.Is(err, bufio.ErrBufferFull)
		if full {
			err = skip(in)
		}
		if err := s.take(line, full); err != nil {
			return s.Counts, err
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return s.Counts, errors.Join(fmt.Errorf("line %d: %w", s.number, err), s.Flush())
		}
	}
}

// A Stream takes lines one by one and gives what is wanted to keep, in batches.
type Stream struct {
	Counts

	filter   *Filter
	keep     func([]rules.Event) error
	decoder  *decoder
	leveller leveller
	number   int64
	batch    []rules.Event
	bytes    int // Of the batch's lines.
}

// Stream begins a stream whose lines come one by one. Who has given the last one calls Flush.
func (f *Filter) Stream(keep func([]rules.Event) error) *Stream {
	return &Stream{filter: f, keep: keep, decoder: newDecoder()}
}

// Take takes one line, which may have breaks in it where JSON may.
func (s *Stream) Take(line []byte) error { return s.take(line, false) }

// Renew goes on with another filter.
func (s *Stream) Renew(f *Filter) { s.filter = f }

func (s *Stream) take(line []byte, full bool) error {
	s.number++
	line = trim(line, s.number == 1)
	if len(line) == 0 {
		return nil
	}
	s.Lines++
	if full || len(line) > maxLine {
		s.reject(s.number, fmt.Sprintf("is longer than %d bytes", maxLine))
		return nil
	}
	return s.line(line)
}

// line decides about one line.
func (s *Stream) line(line []byte) error {
	pass := s.filter.passes(line)
	if !pass {
		if !audited(line) {
			s.Dropped++
			return nil
		}
		s.Audited++
	}
	e, v, why := s.filter.judge(s.decoder, &s.leveller, line)
	if !pass && (v == keep || v == anonymous) {
		s.FalseNegatives++
	}
	switch v {
	case drop:
		s.Dropped++
	case anonymous:
		s.Anonymous++
	case reject:
		s.reject(s.number, why)
	case keep:
		s.batch, s.bytes = append(s.batch, e), s.bytes+len(line)
		if len(s.batch) == maxBatch || s.bytes >= batchBytes {
			return s.Flush()
		}
	}
	return nil
}

// Flush gives the last batch to keep.
func (s *Stream) Flush() error {
	if len(s.batch) == 0 {
		return nil
	}
	err := s.keep(s.batch)
	if err == nil {
		s.Kept += int64(len(s.batch))
	}
	clear(s.batch) // For the collector.
	s.batch, s.bytes = s.batch[:0], 0
	return err
}

// skip reads on behind a line that does not fit.
func skip(in *bufio.Reader) error {
	for {
		if _, err := in.ReadSlice('\n'); !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
}

// trim takes off the space around a line, and a byte order mark before the first.
func trim(line []byte, first bool) []byte {
	if first {
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	}
	for len(line) > 0 && isSpace(line[len(line)-1]) {
		line = line[:len(line)-1]
	}
	for len(line) > 0 && isSpace(line[0]) {
		line = line[1:]
	}
	return line
}

// isSpace has what JSON calls so.
func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\r' || b == '\n' }

// Chunks reads little at a time, so that lines are checked while they are in
// the processor's near cache.
type chunks struct{ r io.Reader }

func (c chunks) Read(p []byte) (int, error) { return c.r.Read(p[:min(len(p), chunk)]) }
