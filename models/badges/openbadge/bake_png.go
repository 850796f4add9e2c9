package openbadge

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"iter"
)

const (
	pngHead = "\x89PNG\r\n\x1a\n"

	// itxtHead is how the chunk with a badge begins (OB, 5.3.1; PNG, 11.3.3.4
	// iTXt): its keyword, not compressed, in no language, not translated.
	itxtWord = "openbadgecredential\x00"
	itxtHead = itxtWord + "\x00\x00\x00\x00"
)

// BakePNG puts a badge into a PNG file (OB, 5.3.1).
func BakePNG(file []byte, jwt string) ([]byte, error) {
	if err := fits(file, jwt); err != nil {
		return nil, err
	}
	baked, head := []byte(pngHead), true
	for c, err := range chunks(file) {
		if err != nil {
			return nil, err
		}
		if head != (c.kind == "IHDR") {
			return nil, errors.New("not a PNG file: it must begin with one IHDR")
		}
		if c.kind == "iTXt" && bytes.HasPrefix(c.data, []byte(itxtWord)) {
			return nil, errors.New("the picture already contains a badge")
		}
		baked = c.write(baked)
		if head {
			baked = chunk{"iTXt", []byte(itxtHead + jwt)}.write(baked)
			head = false
		}
	}
	return baked, nil
}

// unbakePNG takes the first badge out of a PNG file.
func unbakePNG(file []byte) (string, error) {
	for c, err := range chunks(file) {
		if err != nil {
			return "", err
		}
		if c.kind != "iTXt" || !bytes.HasPrefix(c.data, []byte(itxtWord)) {
			continue
		}
		rest := c.data[len(itxtWord):]
		if len(rest) < 2 || rest[0] != 0 {
			return "", errors.New("the badge in the picture is compressed, which Open Badges do not allow")
		}
		parts := bytes.SplitN(rest[2:], []byte{0}, 3) // Language, translated keyword, text.
		if len(parts) < 3 {
			return "", errors.New("the badge in the picture is cut off")
		}
		return jwtIn(parts[2])
	}
	return "", errNoBadge
}

// A chunk is one part of a PNG file (PNG, 5.3).
type chunk struct {
	kind string
	data []byte
}

func (c chunk) write(file []byte) []byte {
	file = binary.BigEndian.AppendUint32(file, uint32(len(c.data)))
	from := len(file)
	file = append(append(file, c.kind...), c.data...)
	return binary.BigEndian.AppendUint32(file, crc32.ChecksumIEEE(file[from:]))
}

// chunks yields the parts of a PNG file up to IEND, or an error, last.
func chunks(file []byte) iter.Seq2[chunk, error] {
	return func(yield func(chunk, error) bool) {
		rest, ok := bytes.CutPrefix(file, []byte(pngHead))
		if !ok {
			yield(chunk{}, errors.New("not a PNG file"))
			return
		}
		for {
			if len(rest) < 12 || uint64(binary.BigEndian.Uint32(rest)) > uint64(len(rest)-12) {
				yield(chunk{}, errors.New("the PNG file is cut off"))
				return
			}
			size := int(binary.BigEndian.Uint32(rest))
			c := chunk{string(rest[4:8]), rest[8 : 8+size]}
			if crc32.ChecksumIEEE(rest[4:8+size]) != binary.BigEndian.Uint32(rest[8+size:]) {
				yield(chunk{}, fmt.Errorf("the PNG file is damaged: the sum of a part (%q) is wrong", c.kind))
				return
			}
			if rest = rest[12+size:]; !yield(c, nil) || c.kind == "IEND" {
				return
			}
		}
	}
}
