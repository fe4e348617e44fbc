/** CUBOT is a brand of telephones, though its name ends as a crawler's does. */
const CRAWLER = /[^u]bot\b|spider|crawl|slurp|google-inspectiontool/i

/**
 * Does a search engine read here? It would take the screen that the entry leads to for the home page, and that screen,
 * a question for visitors, is not to be listed.
 */
export function isCrawler(userAgent: string): boolean {
  return CRAWLER.test(userAgent)
}
