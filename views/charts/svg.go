package charts

import (
	"strconv"
)

// AppendInt writes a whole number.
func AppendInt(b []byte, n int) []byte { return strconv.AppendInt(b, int64(n), 10) }

// AppendPercent writes thousandths as a percentage.
func AppendPercent(b []byte, thousandths int) []byte {
	b = AppendInt(b, thousandths/10)
	if r := thousandths % 10; r != 0 {
		b = append(b, '.')
		b = AppendInt(b, r)
	}
	return append(b, '%')
}
