import { PICTURE_FORMATS, PICTURE_WIDTHS, shownSize } from '#domain/images/picture.ts'
import type { Language } from '#domain/languages.ts'
import { getT } from '#i18n/index.ts'
import { picturePath } from '#paths'
import { type ContentSnapshot, MEMORIAL_LENGTH } from '#server/modules/content/snapshot.ts'

/** The pictures of the memorial, with everything that a page needs to show them. */
export function memorialOf({ memorialPhotos }: ContentSnapshot, language: Language) {
  const t = getT(language)
  return memorialPhotos.slice(0, MEMORIAL_LENGTH).map(({ image, alt, caption, author, licence }) => ({
    sources: Object.fromEntries(
      PICTURE_FORMATS.filter(format => format !== 'jpg').map(format => [
        format,
        PICTURE_WIDTHS.map(width => `${picturePath(image, width, format)} ${width}w`).join(', '),
      ]),
    ),
    fallback: picturePath(image, 800, 'jpg'),
    ...shownSize(image),
    alt: alt[language],
    caption: caption[language],
    credit: t('memorial-credit', { author, licence }),
    failed: t('memorial-failed', { alt: alt[language] }),
  }))
}
