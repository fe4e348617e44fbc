import { Button, Card, Flex, Stack, Text } from '@sanity/ui'
import type { Asked } from './ask.ts'
import { LogIn } from './LogIn.tsx'
import type { Sentence } from './sentence.ts'
import { NO_ANSWER, refusalWords } from './words.ts'

type Trouble = Exclude<Asked<never>, { kind: 'answer' }>

/** Why something was not done or not found, and the way on. */
export function TroubleNotice({
  trouble,
  retry,
  lookAgain,
}: {
  trouble: Trouble
  retry?: (() => void) | undefined
  /** Reads again what is shown. */
  lookAgain?: () => void
}) {
  const { isOld = false, ...words } =
    trouble.kind === 'refused' ? refusalWords(trouble.code, trouble.rule) : NO_ANSWER[trouble.why]
  const isLogin = trouble.kind === 'no-answer' && trouble.why === 'session-over'
  return (
    <Notice role="alert" {...words}>
      {isLogin ? <LogIn /> : retry && <Button tone="primary" padding={4} text="Try again" onClick={retry} />}
      {isOld && lookAgain && <Button tone="primary" padding={4} text="Look again" onClick={lookAgain} />}
    </Notice>
  )
}

/** A sentence with what to do about it. */
export function Notice({
  says,
  remedy,
  role,
  children,
}: Sentence & { role: 'alert' | 'status'; children?: React.ReactNode }) {
  return (
    <Card role={role} tone="caution" border padding={4} radius={3}>
      <Stack gap={4}>
        <Text weight="semibold">{says}</Text>
        <Text size={1}>{remedy}</Text>
        {children && <Flex gap={2}>{children}</Flex>}
      </Stack>
    </Card>
  )
}
