import { createHash } from 'node:crypto'
import { CONSENT_KEY, CONSENT_VERSION } from '#domain/consent/consent.ts'

/** What a page's CSP must list for `text` to be allowed inline. */
export function cspHash(text: string): `sha256-${string}` {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

/**
 * Runs before the first paint: takes the visitor's own theme and way (sender pages only) and the calm switch from
 * storage, so that the first frame is already right. Storage may be blocked; then the defaults stand.
 */
export const BOOT_SCRIPT = `(d=>{d.classList.add('js');try{let s=localStorage,t=s.getItem('gift:theme');if(t&&d.dataset.ownTheme!==undefined)d.dataset.theme=t;if(s.getItem('gift:calm')==='on')d.classList.add('calm');if(d.dataset.ownTheme!==undefined)d.dataset.way=sessionStorage.getItem('gift:way')||''}catch{}})(document.documentElement)`

/**
 * Runs before the first paint of a receiver's screen: the first load in a browser session begins the story
 * (specification §2, decisions §7); a reload stays where it is. The address comes with the script's element. Then it
 * looks whether the consent question is still open; where storage is blocked nothing is asked, since no answer could
 * be kept.
 */
export const STORY_START_SCRIPT = `(to=>{try{let s=sessionStorage;if(!s.getItem('gift:opened')){s.setItem('gift:opened','1');if(to!==location.pathname)location.replace(to)}(localStorage.getItem('${CONSENT_KEY}')||'').includes('"version":${CONSENT_VERSION},')||document.documentElement.classList.add('asks')}catch{}})(document.currentScript.dataset.start)`
