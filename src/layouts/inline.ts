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
 * (screens/shared/storage/persisted.ts), else the defaults stand. A published page leads on as the short way does; a link that leads
 * elsewhere on the long one says so (`data-long-href`), and is mended when it is followed. A press that comes before
 * the page's scripts listen (`live`, at the latest when all have run; for an island when it is hydrated) is held, and
 * given to them once they do: on buttons and labels, and anywhere on a screen that a tap leads on from, whose links wait
 * as the tap does. A fade that the browser breaks off (a slow page, a tab in the back, a page that takes no
 * part in it, or one that was shown before the fade was ready, which no event of the page tells) is no error: it is
 * not reported as one.
 */
export const BOOT_SCRIPT = `(d=>{let c=d.classList,o=d.dataset,h=[],l,s,p,n={},g=(b,k)=>b?b.getItem(k):n[k];c.add('js');try{l=localStorage;s=sessionStorage}catch{try{n=JSON.parse(name.slice(13))||n}catch{}}if(o.ownTheme!==undefined){let t=g(s,'gift:theme')||g(l,'gift:theme');if(t)o.theme=t;o.way=g(s,'gift:way')||''}if(g(l,'gift:calm')==='on')c.add('calm');addEventListener('click',e=>{let q=w=>e.target.closest?.(w),a=o.way==='long'&&q('a[data-long-href]');if(a)a.href=a.dataset.longHref;let t=q('button,label')||!q('summary,input')&&q('main[data-wait] a,main[data-wait]'),i=t&&t.closest('astro-island[ssr]:not([client=only])');if(!t||!i&&p)return;e.preventDefault();e.stopImmediatePropagation();i?i.addEventListener('astro:hydrate',()=>t.click(),{once:!0}):h.push(t)},!0);for(let w of['live','DOMContentLoaded'])addEventListener(w,()=>{p=1;for(let t of h.splice(0))t.click()});addEventListener('unhandledrejection',e=>{let r=e.reason;r instanceof DOMException&&/ransition/.test(r.message)&&e.preventDefault()})})(document.documentElement)`

/** Runs before the first paint of the share page: its last way to share is not in every browser. */
export const SHARE_SCRIPT = `navigator.share||document.documentElement.classList.add('no-share')`

/**
 * Runs before the first paint of a receiver's screen: the first load in a browser session begins the story
 * (product.md#story); a reload stays where it is. The address comes with the script's element. Then it
 * looks whether the consent question is still open; where storage is blocked nothing is asked, since no answer could
 * be kept.
 */
export const STORY_START_SCRIPT = `(to=>{try{let s=sessionStorage;if(!s.getItem('gift:opened')){s.setItem('gift:opened','1');if(to!==location.pathname){s.setItem('gift:arriving','yes');location.replace(to)}}let k=localStorage.getItem('${CONSENT_KEY}'),v;try{v=JSON.parse(k).version}catch{}v===${CONSENT_VERSION}||document.documentElement.classList.add('asks')}catch{}})(document.currentScript.dataset.start)`
