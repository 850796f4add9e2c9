// Package openbadge makes a granted award portable: an Open Badges 3.0 credential
// that says who was granted what by whom, signed, and baked into a picture
// that can be carried to any other site.
//
// It is pure: no database, no network, no clock, no randomness. The same grant
// and the same key always give the same badge, so none is stored; and a badge
// is believed only by a key that the caller gives, never by one it brings
// along. Whatever is read here came from a stranger: its size is limited
// before it is checked.
package openbadge

// The specifications, as the comments of this package call them:
//
//	OB      Open Badges Specification 3.0 (1EdTech), https://www.imsglobal.org/spec/ob/v3p0
//	VC      Verifiable Credentials Data Model v2.0 (W3C)
//	JOSE    Securing Verifiable Credentials using JOSE and COSE (W3C)
//	STATUS  Bitstring Status List v1.0 (W3C)
//	PROOF   Data Integrity EdDSA Cryptosuites v1.0 (W3C)
//	DID     did:web Method Specification (W3C CCG)

// maxToken is the longest signed credential that is written or read. The
// longest list of revocations takes 30 kB.
const maxToken = 256 << 10
