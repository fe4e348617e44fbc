import { isProblem } from '#domain/problems.ts'
import type { Finding } from '#server/modules/integrity/findings.ts'
import type { Database, Reader } from '#server/platform/db/database.ts'
import { reasonOf } from '#server/platform/log.ts'

/** One thing that is asked of the books. */
export interface Question {
  readonly name: string
  ask(db: Reader): Promise<readonly Finding[]>
}

/**
 * Asks everything on one unchanging state of the data. What cannot be asked (a number that is none, a table that is gone)
 * is a finding itself and keeps nobody from asking the rest, on a state of its own from there on.
 * @param onQuestion called with the name of each, and waited for
 * @throws Problem where the database cannot serve now
 */
export async function askAll(
  db: Database,
  questions: readonly Question[],
  onQuestion: (name: string) => unknown,
): Promise<readonly Finding[]> {
  const answers: (readonly Finding[])[] = []
  while (answers.length < questions.length) {
    try {
      await db.snapshot(async reader => {
        for (const { name, ask } of questions.slice(answers.length)) {
          await onQuestion(name)
          answers.push(await ask(reader))
        }
      })
    } catch (error) {
      const unanswered = questions[answers.length]
      if (isProblem(error) || unanswered === undefined) throw error
      answers.push([unfinished(unanswered.name, error)])
    }
  }
  return answers.flat()
}

/** What somebody else asks, in the same way. */
export async function asked(name: string, answer: Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  return answer.catch(error => {
    if (isProblem(error)) throw error
    return [unfinished(name, error)]
  })
}

const unfinished = (name: string, error: unknown): Finding => ({
  rule: 'rule-unfinished',
  subject: `${name}: ${reasonOf(error)}`,
})
