package rules

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// An Amount is what counters hold, in millionths of its unit (a piece, a metre,
// a point).
//
// It is a scaled integer and not a big.Rat, because amounts are added and taken
// back by the million, in Go and as bigint in SQL: integers do both exactly and
// at once. A float does not: of 1,000 goals in kilometres, 241 are missed when
// 0.1 is added step by step. A strategy multiplies, so it computes with Decimal.
type Amount int64

const (
	unit     = Amount(1_000_000)
	decimals = 6
	// maxUnits is what fits: nine billion kilometres in metres.
	maxUnits = 9_000_000_000_000
)

// Units is a whole amount.
func Units(n int64) Amount { return Amount(n) * unit }

func (a Amount) rat() *big.Rat { return big.NewRat(int64(a), int64(unit)) }

func (a Amount) String() string {
	if a%unit == 0 {
		return strconv.FormatInt(int64(a/unit), 10)
	}
	return strings.TrimRight(a.rat().FloatString(decimals), "0")
}

// MarshalJSON writes the exact number.
func (a Amount) MarshalJSON() ([]byte, error) { return []byte(a.String()), nil }

func (a *Amount) setNumber(text string) error {
	n, exact, err := amountOf(text)
	if err == nil && !exact {
		err = fmt.Errorf("must have at most %d decimals, not %s", decimals, text)
	}
	*a = n
	return err
}

// amountOf reads a JSON number. What is finer than a millionth is cut towards
// zero, so that nobody is given more than was earned.
func amountOf(text string) (a Amount, exact bool, err error) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && n >= -maxUnits && n <= maxUnits {
		return Units(n), true, nil
	}
	r, err := decimal(text)
	if err != nil {
		return 0, false, err
	}
	r.Mul(r, new(big.Rat).SetInt64(int64(unit)))
	cut := new(big.Int).Quo(r.Num(), r.Denom())
	if !cut.IsInt64() || cut.Int64() > maxUnits*int64(unit) || cut.Int64() < -maxUnits*int64(unit) {
		return 0, false, fmt.Errorf("must be a number within ±%d, not %s", maxUnits, text)
	}
	return Amount(cut.Int64()), r.IsInt(), nil
}

// add is plain addition that says when the sum does not fit.
func (a Amount) add(b Amount) (Amount, error) {
	if (b > 0 && a > math.MaxInt64-b) || (b < 0 && a < math.MinInt64-b) {
		return a, errors.New("the sum is too large to be counted")
	}
	return a + b, nil
}

// A Decimal is an exact number of a strategy: a goal, a factor, a progress.
// Only sums and products of decimals occur, so it can always be written out.
type Decimal struct{ *big.Rat }

func (d *Decimal) setNumber(text string) (err error) {
	d.Rat, err = decimal(text)
	return err
}

func (d Decimal) String() string {
	n, _ := d.FloatPrec()
	return d.FloatString(n)
}

// MarshalJSON writes the exact number.
func (d Decimal) MarshalJSON() ([]byte, error) { return []byte(d.String()), nil }

// decimal reads a JSON number exactly. Its length is bounded, for 1e999999999
// is short to write and would fill the memory.
func decimal(text string) (*big.Rat, error) {
	mantissa, exponent, has := strings.Cut(strings.ToLower(text), "e")
	e, err := strconv.Atoi(exponent)
	if len(mantissa) > 40 || has && (err != nil || e > 20 || e < -20) {
		return nil, errors.New("must be a number of at most 40 digits")
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil, fmt.Errorf("must be a number, not %q", text)
	}
	return r, nil
}
