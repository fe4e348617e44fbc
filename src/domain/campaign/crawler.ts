/** CUBOT is a telephone. */
const CRAWLER = /[^u]bot\b|spider|crawl|slurp|google-inspectiontool/i

/**
 * Does a search engine read here? It would take the screen that the entry leads to for the home page, and that screen,
 * a question for visitors, is not to be listed.
 */
export function isCrawler(userAgent: string): boolean {
  return CRAWLER.test(userAgent)
}
