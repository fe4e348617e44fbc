import type { MailPalette } from '#domain/mail/mail-data.ts'

const SERIF = "Newsreader,'New York',Georgia,'Times New Roman',serif"
const SANS = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const MONO = 'ui-monospace,Menlo,Consolas,monospace'

/** The style attributes of a mail's parts, in one place since mails cannot share a stylesheet. */
export function mailStyles({ background, text, quiet, hairline }: MailPalette) {
  const sans = `margin:0;font-family:${SANS};font-size:16px;line-height:1.5;`
  const mono = `margin:0;font-family:${MONO};font-size:15px;line-height:1.5;`
  const serif = `margin:0;font-family:${SERIF};font-weight:normal;`
  const line = `border-top:1px solid ${hairline};`
  return {
    name: `${serif}font-size:17px;line-height:1.4;color:${text};`,
    greeting: `${serif}font-size:36px;line-height:1.15;color:${text};`,
    opening: `margin:0;font-family:${SANS};font-size:18px;line-height:1.5;color:${text};`,
    section: `${line}padding:24px 0;`,
    title: `${serif}font-size:22px;line-height:1.25;color:${text};`,
    note: `${sans}color:${quiet};`,
    /** A link that is there to be copied shows whole, in a frame of its own. */
    copyFrame: `padding:16px;border:1px solid ${text};border-radius:14px;background-color:${background};`,
    copyLink: `${mono}color:${text};word-break:break-all;text-decoration:underline;`,
    /** A control to tap, 48 px high. */
    button: `${sans}display:inline-block;padding:11px 20px;border:1px solid ${text};border-radius:14px;color:${text};font-weight:bold;text-decoration:none;`,
    /** The one thing to do with the letter. */
    filledButton: `${sans}display:inline-block;padding:12px 24px;border:1px solid ${text};border-radius:14px;background-color:${text};color:${background};font-weight:bold;text-decoration:none;`,
    link: `${sans}color:${text};text-decoration:underline;`,
    label: `${sans}padding:8px 16px 8px 0;${line}color:${quiet};`,
    amount: `${sans}padding:8px 0;${line}color:${text};white-space:nowrap;`,
    totalLabel: `${sans}padding:10px 16px 10px 0;border-top:2px solid ${text};color:${text};font-weight:bold;`,
    total: `${sans}padding:10px 0;border-top:2px solid ${text};color:${text};font-weight:bold;white-space:nowrap;`,
  } as const
}
