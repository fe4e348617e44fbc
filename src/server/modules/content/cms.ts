import { Problem } from '#domain/problems.ts'
import type { Cms } from '#server/modules/content/interface.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { ContentRoom } from './content.ts'
import type { Follower } from './follower.ts'
import { isSignedNews } from './webhook.ts'

/**
 * The calls from outside about the content and its updates.
 * @param webhookSecret without it no news is believed
 */
export function createCms({
  content,
  follower,
  webhookSecret,
  clock,
}: {
  content: Pick<ContentRoom, 'state'>
  follower: Pick<Follower, 'nudge' | 'isBehind'>
  webhookSecret: string | undefined
  clock: Clock
}): Cms {
  return {
    state: () => ({ ...content.state(), isUnpublished: follower.isBehind() }),
    receiveNews(rawBody, signature) {
      const isProven =
        webhookSecret !== undefined &&
        isSignedNews(rawBody, signature, { secret: webhookSecret, now: clock() })
      if (!isProven) throw new Problem('invalid-signature')
      // The service waits for the answer, not for the pages.
      void follower.nudge()
    },
  }
}
