// Verifies a badge with a Data Integrity proof, knowing nothing of Laurel: node verify.mjs BADGE.json DID.json
import { createHash, createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'

const [badge, did] = process.argv.slice(2).map(f => JSON.parse(readFileSync(f)))
const canonical = v => Array.isArray(v) ? `[${v.map(canonical)}]`
  : v && typeof v === 'object' ? `{${Object.keys(v).sort().map(k => JSON.stringify(k) + ':' + canonical(v[k]))}}` : JSON.stringify(v)
const hash = v => createHash('sha256').update(canonical(v), 'utf8').digest()
const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const bytes = text => {
  let n = [...text.slice(1)].reduce((n, c) => n * 58n + BigInt(alphabet.indexOf(c)), 0n), hex = n.toString(16)
  return Buffer.concat([Buffer.alloc(text.slice(1).match(/^1*/)[0].length), Buffer.from(hex.length % 2 ? '0' + hex : hex, 'hex')])
}

const { proof, ...document } = badge, { proofValue, ...options } = proof
const method = did.verificationMethod.find(m => m.id === proof.verificationMethod)
const key = bytes(method.publicKeyMultibase)
if (method.type !== 'Multikey' || key[0] !== 0xed || key[1] !== 1 || !did.assertionMethod.includes(method.id)) throw 'the key'
const x = key.subarray(2).toString('base64url')
const ok = proof.cryptosuite === 'eddsa-jcs-2022' &&
  verify(null, Buffer.concat([hash(options), hash(document)]), createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }), bytes(proofValue))
console.log(ok ? 'verified' : 'refused')
