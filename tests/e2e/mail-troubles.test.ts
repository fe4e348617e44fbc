import { payThroughApi } from '#tests/support/e2e/api.ts'
import { senderPath } from '#tests/support/e2e/buyer.ts'
import { action } from '#tests/support/e2e/screens.ts'
import { startSite } from '#tests/support/e2e/server.ts'
import { expect, STILL, test } from '#tests/support/e2e/test.ts'
import { LOCALES, said } from '#tests/support/e2e/words.ts'
import { startSmtpSink } from '#tests/support/smtp-sink.ts'

test.use({ locale: LOCALES.es, ...STILL })

test('a mail that the mail server does not take is never called sent; each tap tries again', async ({
  page,
  watch,
}) => {
  // It starts a product of its own.
  test.slow()
  watch.expectFault(/^foreign request: http:\/\/localhost:/)
  const sink = await startSmtpSink()
  sink.refuseRecipients('450 4.2.1 try again later')
  const site = await startSite({ SMTP_URL: sink.url })
  try {
    const { sessionId } = await payThroughApi(site)
    const shown: string[] = []
    await page.exposeFunction('mailShown', (kind: string) => void shown.push(kind))
    await page.addInitScript(() => {
      const look = () => {
        const kind = document.querySelector('[data-mail]')?.getAttribute('data-mail')
        if (kind) (window as unknown as { mailShown(kind: string): void }).mailShown(kind)
      }
      new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true })
    })
    await page.goto(`${site.url}${senderPath('es', 'no-refresh/donation-success')}?session_id=${sessionId}`)
    const mail = page.locator('[data-mail]')
    await expect(mail).toHaveAttribute('data-mail', 'failed', { timeout: 30_000 })
    await expect(action(page, 'send-mail')).toHaveText(said('es', 'donation-success-mail-retry'))
    await page.reload()
    await expect(mail).toHaveAttribute('data-mail', 'failed', { timeout: 30_000 })
    expect(shown).not.toContain('sent')
    expect(sink.mails).toEqual([])

    sink.refuseRecipients(undefined)
    await action(page, 'send-mail').click()
    await expect(mail).toHaveAttribute('data-mail', 'sent')
    expect(sink.mails).toHaveLength(1)

    await action(page, 'send-mail').click()
    await expect.poll(() => sink.mails.length).toBe(2)
    await expect(mail).toHaveAttribute('data-mail', 'sent')
  } finally {
    await site.stop()
    await sink.close()
  }
})
