package openbadge

import (
	"crypto/ed25519"
	"math/big"
	"strings"
)

// base58 is the alphabet in which proofs and their keys are written (Controlled Identifiers v1.0, 2.4 Multibase).
const base58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

// multibase writes bytes as z and base58.
func multibase(data []byte) string {
	n, digit, fifty8 := new(big.Int).SetBytes(data), new(big.Int), big.NewInt(58)
	var text []byte
	for n.Sign() > 0 {
		n.DivMod(n, fifty8, digit)
		text = append(text, base58[digit.Int64()])
	}
	for _, b := range data {
		if b != 0 {
			break
		}
		text = append(text, base58[0])
	}
	for i, j := 0, len(text)-1; i < j; i, j = i+1, j-1 {
		text[i], text[j] = text[j], text[i]
	}
	return "z" + string(text)
}

// fromMultibase reads what multibase writes, of at most the length of a signature.
func fromMultibase(text string) ([]byte, bool) {
	if len(text) < 2 || len(text) > 100 || text[0] != 'z' {
		return nil, false
	}
	n, fifty8 := new(big.Int), big.NewInt(58)
	for _, c := range []byte(text[1:]) {
		digit := strings.IndexByte(base58, c)
		if digit < 0 {
			return nil, false
		}
		n.Add(n.Mul(n, fifty8), big.NewInt(int64(digit)))
	}
	zeros := len(text[1:]) - len(strings.TrimLeft(text[1:], base58[:1]))
	return append(make([]byte, zeros), n.Bytes()...), true
}

// multikey is a public key as proofs name it: ed25519-pub and the key.
func multikey(key ed25519.PublicKey) string { return multibase(append([]byte{0xed, 0x01}, key...)) }
