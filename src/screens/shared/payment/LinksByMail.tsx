import { fill } from '#screens/shared/kit/fill.ts'
import { pieceAround } from '#screens/shared/kit/piece-around.ts'

export const BY_MAIL_TEXTS = [
  'problem-links-by-mail',
  'links-by-mail-address',
  'links-by-mail-again',
] as const

type Texts = Readonly<Record<(typeof BY_MAIL_TEXTS)[number], string>>

/** Why a page shows no links any more, and where they were mailed, as far as that is known. */
export function LinksByMail({
  address,
  texts,
}: {
  readonly address: string | undefined
  readonly texts: Texts
}) {
  const said = address !== undefined && fill(texts['links-by-mail-address'], { address })
  const [before, piece, after] = pieceAround(said || '', address ?? '')
  return (
    <>
      <p className="lead">{texts['problem-links-by-mail']}</p>
      {said && (
        <p className="lead" data-address>
          {before}
          <span className="unbroken">{piece}</span>
          {after}
        </p>
      )}
    </>
  )
}

/** The way to the page that mails them again. */
export function LostLinkWay({ href, texts }: { readonly href: string; readonly texts: Texts }) {
  return (
    <a className="button" href={href} data-action="lost-link">
      {texts['links-by-mail-again']}
    </a>
  )
}
