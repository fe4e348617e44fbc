import { fill } from '#screens/shared/kit/fill.ts'

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
  return (
    <>
      <p className="lead">{texts['problem-links-by-mail']}</p>
      {address !== undefined && (
        <p className="lead" data-address>
          {fill(texts['links-by-mail-address'], { address })}
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
