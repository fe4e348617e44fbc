import { expect, test } from '#tests/support/e2e/test.ts'

test('what the runner switches off in the browser stays off, and its address bar draws no page', async ({
  browser,
}) => {
  const session = await browser.newBrowserCDPSession()
  const { commandLine } = await session.send('SystemInfo.getInfo')
  const lists = [...commandLine.matchAll(/--disable-features=(\S+)/g)].map(([, list = '']) => list.split(','))
  const page = await browser.newPage()
  const { targetInfos } = await session.send('Target.getTargets', { filter: [{}] })
  await page.close()
  expect(lists).toHaveLength(2)
  const [byTheRunner = [], byUs = []] = lists
  expect(byUs).toEqual(expect.arrayContaining(byTheRunner))
  expect(targetInfos.map(({ url }) => url).filter(url => url.startsWith('chrome:'))).toEqual([])
})
