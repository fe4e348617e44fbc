/**
 * The hosted page's whole style: one column, hairlines, one filled button. Sent inline, allowed by its hash. It takes
 * part in the site's fades between pages: on the same origin, one that does not breaks them off with an error. Like the
 * site's own it is no part of what dissolves, which would take no press.
 */
export const STYLE = `
@view-transition { navigation: auto }
@media (prefers-reduced-motion: reduce) { @view-transition { navigation: none } }
:root { view-transition-name: none }
::view-transition { pointer-events: none }
::view-transition-old(root) { animation-duration: .2s }
:root { color-scheme: light; --ink: #14171a; --soft: #565b61; --line: #dcdee0; --edge: #7d8389; --wrong: #a3182c }
* { box-sizing: border-box }
body { margin: 0; background: #fff; color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: break-word }
.test { padding: .5rem 1rem; background: #ffe08a; color: #3d2b00; font-size: .875rem; text-align: center }
main { max-width: 34rem; margin: 0 auto; padding: 1rem 1rem 3rem }
a { color: inherit; text-underline-offset: .2em }
.back { display: inline-flex; align-items: center; min-height: 2.75rem; color: var(--soft) }
h1 { margin: 1rem 0 0; font-size: 1rem; font-weight: 400; color: var(--soft) }
.amount { margin: 0 0 1.5rem; font: 400 clamp(2.25rem, 10vw, 3rem)/1.2 ui-serif, Georgia, serif }
.sentence { margin: 1rem 0; font: 400 clamp(1.75rem, 7vw, 2.25rem)/1.25 ui-serif, Georgia, serif; color: var(--ink) }
dl { margin: 0 0 2rem; border-top: 1px solid var(--line) }
dl div { display: flex; justify-content: space-between; gap: 1rem; padding: .75rem 0; border-bottom: 1px solid var(--line) }
dt { min-width: 0 } dt small { display: block; color: var(--soft); font-size: .875rem }
dd { margin: 0; white-space: nowrap; font-variant-numeric: tabular-nums }
.total { font-weight: 600 }
form { display: grid; gap: 1rem }
form > button:first-of-type { margin-top: .5rem }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; align-items: start }
.field { display: grid; gap: .25rem; min-width: 0 }
.field small { color: var(--soft); font-size: .875rem }
label { font-size: .9375rem }
input { width: 100%; min-height: 3rem; padding: 0 1rem; border: 1px solid var(--edge); border-radius: 14px; background: #fff;
  color: inherit; font: inherit }
input[readonly] { border-color: var(--line); color: var(--soft) }
input[aria-invalid] { border-color: var(--wrong); box-shadow: inset 0 0 0 1px var(--wrong) }
.wrong { margin: 0; color: var(--wrong); font-size: .875rem }
button, .button { display: flex; align-items: center; justify-content: center; width: 100%; min-height: 3.5rem; padding: .5rem 1rem;
  border: 1px solid var(--ink); border-radius: 14px; background: var(--ink); color: #fff; font: inherit; font-weight: 600;
  text-decoration: none; cursor: pointer }
.second { background: #fff; color: var(--ink); font-weight: 400 }
:focus-visible { outline: 3px solid #2463d6; outline-offset: 2px }
details { margin-top: 2rem; border-top: 1px solid var(--line); border-bottom: 1px solid var(--line); font-size: .875rem }
summary { min-height: 3rem; padding: .75rem 0; cursor: pointer }
details p { margin: 0 0 .5rem; color: var(--soft) }
table { width: 100%; margin-bottom: .75rem; border-collapse: collapse }
th, td { padding: .5rem .75rem .5rem 0; border-top: 1px solid var(--line); text-align: left; vertical-align: top; font-weight: 400 }
thead th { color: var(--soft) }
tbody th { font-variant-numeric: tabular-nums }
@media (min-width: 24rem) { tbody th { white-space: nowrap } }
`

/**
 * The page's only script, which its policy allows by hash. The browser skips a fade where the page is slow or its tab is
 * hidden: that is no error.
 */
export const SCRIPT = `for(let w of['pageswap','pagereveal'])addEventListener(w,({viewTransition:v})=>{v?.ready.catch(()=>{});v?.finished.catch(()=>{})})`
