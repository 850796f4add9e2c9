package views

import "strconv"

func appendInt(b []byte, n int) []byte { return strconv.AppendInt(b, int64(n), 10) }

// appendPercent writes thousandths as a percentage.
func appendPercent(b []byte, thousandths int) []byte {
	b = appendInt(b, thousandths/10)
	if r := thousandths % 10; r != 0 {
		b = append(b, '.')
		b = appendInt(b, r)
	}
	return append(b, '%')
}
