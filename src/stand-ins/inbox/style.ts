/** The look of the inbox: quiet, one column, the sheet of each mail framed by a hairline. */
export const STYLE = `
:root { color-scheme: light; --ink: #000; --quiet: #4d4d4d; --line: #dbdbdb; }
* { box-sizing: border-box; }
body { margin: 0; background: #fff; color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 44rem; margin: 0 auto; padding: 24px 16px 48px; }
h1 { margin: 0 0 8px; font: 400 2rem/1.15 ui-serif, 'New York', Georgia, serif; overflow-wrap: anywhere; }
a { color: inherit; }
.note, dd, time, .to { color: var(--quiet); }
.note, .back { margin: 0 0 16px; }
.back a { display: inline-block; padding: 10px 0; }
.mails { list-style: none; margin: 0; padding: 0; border-bottom: 1px solid var(--line); }
.mails a { display: grid; gap: 2px 16px; padding: 14px 0; border-top: 1px solid var(--line); text-decoration: none; }
.mails a:hover .subject { text-decoration: underline; }
.subject { font: 400 1.25rem/1.3 ui-serif, 'New York', Georgia, serif; overflow-wrap: anywhere; }
.to, dd { overflow-wrap: anywhere; }
time { font-size: 14px; font-variant-numeric: tabular-nums; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 16px; margin: 0 0 16px; }
dt { font-weight: 600; }
dd { margin: 0; }
nav { display: flex; gap: 24px; border-bottom: 1px solid var(--line); margin-bottom: 16px; }
nav a { padding: 10px 0; margin-bottom: -1px; text-decoration: none; border-bottom: 2px solid transparent; }
nav a:hover { border-color: var(--line); }
nav a[aria-current] { border-color: var(--ink); font-weight: 600; }
iframe { display: block; width: 100%; height: 1520px; border: 1px solid var(--line); border-radius: 14px; background: #fff; }
pre { margin: 0; font: 14px/1.55 ui-monospace, Menlo, Consolas, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
.source { white-space: pre; overflow-x: auto; }
details { margin-top: 16px; }
summary { padding: 10px 0; cursor: pointer; }
:focus-visible { outline: 2px solid var(--ink); outline-offset: 3px; }
@media (min-width: 40rem) {
  main { padding-top: 48px; }
  iframe { height: 1280px; }
  .mails a { grid-template-columns: 1fr max-content; }
  .to { grid-row: 2; }
  .mails time { align-self: center; grid-row: 1 / span 2; grid-column: 2; }
}
`
