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
	s := stream{filter: f, keep: keep, decoder: newDecoder(), in: bufio.NewReaderSize(chunks{r}, maxLine+2)}
	for {
		line, err := s.in.ReadSlice('\n')
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, bufio.ErrBufferFull) {
			return s.counts, errors.Join(fmt.Errorf("line %d: %w", s.number+1, err), s.flush())
		}
		if len(line) == 0 {
			return s.counts, s.flush()
		}
		s.number++
		full := errors.Is(err, bufio.ErrBufferFull)
		if full {
			err = s.skip()
		}
		if line = trim(line, s.number == 1); full || len(line) > maxLine {
			s.counts.Lines++
			s.counts.reject(s.number, fmt.Sprintf("is longer than %d bytes", maxLine))
		} else if len(line) > 0 {
			s.counts.Lines++
			if err := s.line(line); err != nil {
				return s.counts, err
			}
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return s.counts, errors.Join(fmt.Errorf("line %d: %w", s.number, err), s.flush())
		}
	}
}

type stream struct {
	filter   *Filter
	keep     func([]rules.Event) error
	in       *bufio.Reader
	decoder  *decoder
	leveller leveller
	number   int64
	counts   Counts
	batch    []rules.Event
	bytes    int // Of the batch's lines.
}

// line decides about one line.
func (s *stream) line(line []byte) error {
	pass := s.filter.passes(line)
	if !pass {
		if !audited(line) {
			s.counts.Dropped++
			return nil
		}
		s.counts.Audited++
	}
	e, v, why := s.filter.judge(s.decoder, &s.leveller, line)
	if !pass && (v == keep || v == anonymous) {
		s.counts.FalseNegatives++
	}
	switch v {
	case drop:
		s.counts.Dropped++
	case anonymous:
		s.counts.Anonymous++
	case reject:
		s.counts.reject(s.number, why)
	case keep:
		s.batch, s.bytes = append(s.batch, e), s.bytes+len(line)
		if len(s.batch) == maxBatch || s.bytes >= batchBytes {
			return s.flush()
		}
	}
	return nil
}

func (s *stream) flush() error {
	if len(s.batch) == 0 {
		return nil
	}
	err := s.keep(s.batch)
	if err == nil {
		s.counts.Kept += int64(len(s.batch))
	}
	clear(s.batch) // For the collector.
	s.batch, s.bytes = s.batch[:0], 0
	return err
}

// skip reads on behind a line that does not fit.
func (s *stream) skip() error {
	for {
		if _, err := s.in.ReadSlice('\n'); !errors.Is(err, bufio.ErrBufferFull) {
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
