import { firstMissingStep, type SenderScreen } from '#domain/sender/flow.ts'
import { currentWay } from '#screens/shared/flow/way.store.ts'
import { $package } from './gift-package.store.ts'
import { $sender, senderOf } from './sender.store.ts'
import { $supportPosition } from './support.store.ts'
import { $theme } from './theme.store.ts'

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
