/*
 * The packages on somebody else's page, each with the way to its payment on ours. It frames nothing, and keeps nothing.
 *
 *   <script src="https://…/widget.js" async></script>
 *   <gifts-that-give lang="en"><a href="https://…/en/intro/packages-donation">Gift cards that give</a></gifts-that-give>
 *
 * What stands inside is shown without scripts, and where nothing can be bought. `currency` is EUR, USD, CAD or GBP.
 */
;(() => {
  const site = new URL(document.currentScript.src).origin
  const WORDS = {
    es: ['Tarjetas regalo que donan', 'Quien la recibe reparte el dinero entre organizaciones. El pago es en {{site}}.'],
    en: ['Gift cards that give', 'Whoever gets one divides the money among organizations. You pay at {{site}}.'],
    fr: ['Cartes cadeaux qui donnent', 'Qui la reçoit répartit l’argent entre des organisations. Le paiement se fait sur {{site}}.'],
  }
  /** Each sign is of one currency alone, as on the site. */
  const SIGNS = { EUR: '€', USD: '$', CAD: 'C$', GBP: '£' }
  const STYLE = `
    :host { display: block; max-width: 30rem; font: 1rem/1.5 system-ui, sans-serif; color: #2b2118; background: #fbf7f0; border-radius: 8px }
    section { padding: 1rem }
    p { margin: 0 }
    .title { font-size: 1.25rem; font-weight: 600 }
    ul { list-style: none; margin: .75rem 0; padding: 0 }
    a { display: flex; justify-content: space-between; align-items: center; gap: 1rem; min-height: 3rem; color: inherit; border-top: 1px solid #cfc4b4 }
    a:focus-visible { outline: 3px solid; outline-offset: 2px }
    b { white-space: nowrap }
    @media (forced-colors: none) { a:hover { background: #f1e9dc } }`

  /** As the site begins for this browser. */
  function usualCurrency() {
    for (const tag of navigator.languages) {
      if (/-CA\b/i.test(tag)) return 'CAD'
      if (/^en\b/i.test(tag)) return /-GB\b/i.test(tag) ? 'GBP' : 'USD'
      return 'EUR'
    }
    return 'EUR'
  }

  /** Writes whole amounts as the site does. */
  function moneyIn(language, currency) {
    const format = new Intl.NumberFormat(language, { style: 'currency', currency, maximumFractionDigits: 0, useGrouping: 'always' })
    return amount =>
      format.formatToParts(amount).map(({ type, value }) => (type === 'currency' ? SIGNS[currency] : value)).join('')
  }

  let asked
  const offer = () =>
    (asked ??= fetch(`${site}/api/public/packages`, { credentials: 'omit', referrerPolicy: 'no-referrer' }).then(answer =>
      answer.ok ? answer.json() : Promise.reject(new Error(String(answer.status))),
    ))

  const element = (name, text, more = {}) =>
    Object.assign(document.createElement(name), { textContent: text }, more)

  class Gifts extends HTMLElement {
    static observedAttributes = ['lang', 'currency']

    connectedCallback() {
      if (!this.shadowRoot) {
        const sheet = new CSSStyleSheet()
        sheet.replaceSync(STYLE)
        this.attachShadow({ mode: 'open' }).append(element('slot', ''))
        this.sheet = sheet
      }
      this.show()
    }

    attributeChangedCallback() {
      if (this.shadowRoot) this.show()
    }

    async show() {
      const { packages, markets, terms } = await offer().catch(() => ({}))
      if (!packages || !terms) return
      const tag = (this.lang || this.closest('[lang]')?.lang || '').slice(0, 2).toLowerCase()
      const language = Object.hasOwn(WORDS, tag) ? tag : 'en'
      const own = this.getAttribute('currency')
      const currency = Object.hasOwn(markets, own) ? own : usualCurrency()
      const money = moneyIn(language, currency)
      const [title, lead] = WORDS[language]
      const list = element('ul', '')
      for (const { id, title, prices } of packages) {
        const { amount, support_amount } = prices[language][currency]
        const query = new URLSearchParams({ package: id, currency })
        const link = element('a', '', {
          href: `${site}/${language}/intro/packages-donation?${query}`,
          target: '_top',
          rel: 'noopener',
        })
        link.append(element('span', title[language]), element('b', money((amount + support_amount) / 100)))
        const row = element('li', '')
        row.append(link)
        list.append(row)
      }
      const box = element('section', '', { lang: language, ariaLabel: title })
      box.append(
        element('p', title, { className: 'title' }),
        element('p', lead.replace('{{site}}', new URL(site).host)),
        list,
      )
      this.shadowRoot.adoptedStyleSheets = [this.sheet]
      this.shadowRoot.replaceChildren(box)
    }
  }
  if (!customElements.get('gifts-that-give')) customElements.define('gifts-that-give', Gifts)
})()
