import { firstMissingStep, type SenderScreen } from '#domain/sender/flow.ts'
import { $package } from './gift-package.ts'
import { $sender, senderOf } from './sender.ts'
import { $supportPosition } from './support.ts'
import { $theme } from './theme.ts'
import { currentWay } from './way.ts'

/** The first earlier screen without its choice, if the visitor may not stay on this one (product.md#addresses). */
export function missingStep(screen: SenderScreen): SenderScreen | undefined {
  return firstMissingStep(
    screen,
    {
      themeId: $theme.get(),
      packageId: $package.get(),
      sender: senderOf($sender.get()),
      supportAmount: $supportPosition.get(),
    },
    currentWay(),
  )
}
