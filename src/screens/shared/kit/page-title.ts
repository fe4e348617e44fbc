/** Names the page anew in the document's title. What follows the dot is the site's name, which stays. */
export function setPageTitle(title: string): void {
  document.title = document.title.replace(/^.*(?= · )/, title)
}
