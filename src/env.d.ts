/// <reference types="astro/client" />

declare namespace App {
  interface Locals {
    /** What the server can do (see src/server/app.ts). */
    app: import('#server/http/app.ts').App
    /** The visitor's language, chosen by the front (product.md#languages). */
    language: import('#domain/languages.ts').Language
    /** Nothing says which language the visitor reads: a card is then shown in its own. */
    isLanguageGuess?: boolean
    /** Whose request it is, behind trusted proxies; the front resolves it. */
    clientAddress?: string
    /** What the operator looks at from the Studio. */
    preview?: import('#server/modules/content/interface.ts').PreviewLook
    /** Why the drafts cannot be shown, field by field; none when the CMS does not answer. */
    draftFaults?: readonly string[]
    /** Tells one state of the content that the operator looks at from another. */
    contentDigest?: string
    /** The mail to lay out; only the server itself asks for such a page. */
    mail?: import('#domain/mail/mail-data.ts').MailData
  }
}

/** A page's whole script as a text (layouts/page-script-plugin.ts). */
declare module '*?page-script' {
  const script: string
  export default script
}

/** A classic script as one text, which runs where it stands (layouts/page-script-plugin.ts). */
declare module '*?head-script' {
  const script: string
  export default script
}

/** The address of a module as a file of its own, with all that it needs (layouts/page-script-plugin.ts). */
declare module '*?own-file' {
  const file: string
  export default file
}

declare module 'astro-i18next' {
  export default function i18next(options?: { configPath?: string }): import('astro').AstroIntegration
}
