import type { LegalPage } from '#domain/legal/legal-texts.ts'
import type {
  ContentSnapshot,
  Html,
  OperatorIdentity,
  PerLanguage,
} from '#server/modules/content/snapshot.ts'
import { versionOf as versionOfContent } from '#server/modules/releases/versions.ts'

/** The content of a text of the law: the operator's identity, and the words in every language. */
export interface LegalText {
  readonly operator: OperatorIdentity
  readonly body: PerLanguage<Html>
}

/** A text and what it is called: a version is its content, whoever wrote it down when. */
export interface VersionedText extends LegalText {
  /** See LEGAL_VERSION. */
  readonly version: string
}

/** The text that this content holds; undefined while the operator has not written it, or not said who they are. */
export function textInForce(
  { operator, legalTexts }: Pick<ContentSnapshot, 'operator' | 'legalTexts'>,
  page: LegalPage,
): VersionedText | undefined {
  const body = legalTexts[page]
  if (!operator || !body) return undefined
  const text: LegalText = { operator, body }
  return { ...text, version: versionOf(page, text) }
}

/** The text as JSON: this is kept in the database, and the version is its digest. */
export const contentOf = ({ operator, body }: LegalText): string => JSON.stringify({ operator, body })

/** The version of a text: the beginning of the digest of its content, so that two servers call one text alike. */
export function versionOf(page: LegalPage, text: LegalText): string {
  return versionOfContent(page, contentOf(text))
}
