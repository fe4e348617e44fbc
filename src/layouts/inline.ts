import { createHash } from 'node:crypto'
import { CONSENT_KEY, CONSENT_VERSION } from '#domain/consent/consent.ts'

/** What a page's CSP must list for `text`, one of the site's own few, to be allowed inline. */
export function cspHash(text: string): `sha256-${string}` {
  const hash = hashes.get(text) ?? createHash('sha256').update(text).digest('base64')
  hashes.set(text, hash)
  return `sha256-${hash}`
}

const hashes = new Map<string, string>()

/**
 * Runs before the first paint: takes the visitor's own theme and way (sender pages only) and the calm switch from
 * storage, so that the first frame is already right. Storage may be blocked: then the choices are in the tab's name
 * (stores/persisted.ts), else the defaults stand. A published page leads on as the short way does; a link that leads
 * elsewhere on the long one says so (`data-long-href`), and is mended when it is followed. A press that comes before
 * the page's scripts listen (or an island's, `astro-island[ssr]`) is held and given to them once they do.
 */
export const BOOT_SCRIPT = `(d=>{let c=d.classList,o=d.dataset,l,s,n={},g=(b,k)=>b?b.getItem(k):n[k];c.add('js');try{l=localStorage;s=sessionStorage}catch{try{n=JSON.parse(name.slice(13))||n}catch{}}if(o.ownTheme!==undefined){let t=g(s,'gift:theme')||g(l,'gift:theme');if(t)o.theme=t;o.way=g(s,'gift:way')||''}if(g(l,'gift:calm')==='on')c.add('calm');addEventListener('click',e=>{let a=o.way==='long'&&e.target.closest?.('a[data-long-href]');if(a)a.href=a.dataset.longHref;let t=e.target.closest?.('button,label'),i=t?.closest('astro-island[ssr]');if(t&&(i||document.readyState==='loading')){e.preventDefault();e.stopImmediatePropagation();(i||document).addEventListener(i?'astro:hydrate':'DOMContentLoaded',()=>t.click(),{once:!0})}},!0)})(document.documentElement)`

/**
 * Runs before the first paint of a receiver's screen: the first load in a browser session begins the story
 * (specification §2, decisions §7); a reload stays where it is. The address comes with the script's element. Then it
 * looks whether the consent question is still open; where storage is blocked nothing is asked, since no answer could
 * be kept.
 */
export const STORY_START_SCRIPT = `(to=>{try{let s=sessionStorage;if(!s.getItem('gift:opened')){s.setItem('gift:opened','1');if(to!==location.pathname){s.setItem('gift:arriving','yes');location.replace(to)}}(localStorage.getItem('${CONSENT_KEY}')||'').includes('"version":${CONSENT_VERSION},')||document.documentElement.classList.add('asks')}catch{}})(document.currentScript.dataset.start)`
