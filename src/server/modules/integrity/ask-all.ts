import { isProblem } from '#domain/problems.ts'
import type { Finding } from '#server/modules/integrity/findings.ts'
import type { Database, Reader } from '#server/platform/db/database.ts'
import { reasonOf } from '#server/platform/log.ts'

/** One question to the books. */
export interface Question {
  readonly name: string
  ask(db: Reader): Promise<readonly Finding[]>
}

/**
 * Asks all questions on one unchanging state of the data. A question that fails (a value that is no number, a table
 * that is gone) is a finding itself. The other questions are still asked, from there on a new state.
 * @param onQuestion called and awaited with the name of each question
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

/** The findings of a question that runs elsewhere. If it fails, the failure is a finding. */
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
