import { Flex, Stack } from '@sanity/ui'
import { Nothing, Section } from '../operations/parts.tsx'
import { counted, moment } from '../operations/words.ts'
import type { PeopleActAnswer, PeopleActRequest, PeopleAnswer } from '../product.ts'
import { AskedForm } from './AskedForm.tsx'
import { List, Listed, OpensForm } from './Listed.tsx'
import { Said } from './Said.tsx'
import { useOpenForm } from './use-open-form.ts'

type Person = PeopleAnswer['people'][number]

/** What is open: a form, and about whom. */
type Open = { readonly form: 'invite' } | { readonly form: 'add-passkey' | 'end'; readonly person: Person }

/** Who signs in at the desk, and with how many passkeys. @param lookAgain reads the figures again */
export function People({ people: read, lookAgain }: { people: PeopleAnswer; lookAgain: () => void }) {
  const { you, role } = read
  const { open, said, changes, close, done, choose } = useOpenForm<Open, Person['id']>({ read, lookAgain })
  const people = read.people.filter(({ id }) => !changes.includes(id))
  const mayChange = role === 'treasurer' && you !== null
  return (
    <Section title="People" part="people" says={INTRODUCTION}>
      <Stack gap={4}>
        {people.length === 0 && (
          <Nothing>
            Nobody has a passkey yet. Whoever has the token makes the first one on the login’s page, and is
            the treasurer.
          </Nothing>
        )}
        <List>
          {people.map(person => (
            <Row
              key={person.id}
              person={person}
              isYou={person.id === you}
              mayChange={mayChange}
              open={open}
              choose={choose}
              done={done}
              close={close}
            />
          ))}
        </List>
        {mayChange && (
          <Flex>
            <OpensForm
              text="Invite somebody"
              isOpen={open?.form === 'invite'}
              onClick={() => choose({ form: 'invite' })}
            />
          </Flex>
        )}
        {open?.form === 'invite' && <Invite done={done} close={close} />}
      </Stack>
      <Said says={said} />
    </Section>
  )
}

const INTRODUCTION =
  'An editor edits, finds gifts and freezes cards. A treasurer also gives money back, pays organizations and lets others in, each time with a passkey. The token does what an editor does.'

interface Forms {
  /** @param ended who is out */
  readonly done: (says: string, ...ended: readonly Person['id'][]) => void
  readonly close: () => void
}

function Invite({ done, close }: Forms) {
  return (
    <AskedForm<'name' | 'role' | 'email', PeopleActAnswer>
      says="They get a code from you, and make a passkey with it on their own device within a day."
      confirm="Invite"
      needsPasskey
      fields={[
        { name: 'name', label: 'Their name, as the log of what was done shows it' },
        {
          name: 'role',
          label: 'What they may do',
          initial: 'editor',
          choices: [
            ['editor', 'Editor'],
            ['treasurer', 'Treasurer'],
          ],
        },
        { name: 'email', label: 'Their e-mail address', type: 'email' },
      ]}
      question={({ name, role, email }) =>
        asked({ act: 'invite', name, role: role as Person['role'], email: email.trim() })
      }
      done={answer => done(codeWords(answer))}
      close={close}
    />
  )
}

interface RowProps extends Forms {
  readonly person: Person
  readonly isYou: boolean
  readonly mayChange: boolean
  readonly open: Open | undefined
  readonly choose: (open: Open) => void
}

function Row({ person, isYou, mayChange, open, choose, done, close }: RowProps) {
  const { id, name } = person
  const isOpen = (form: Open['form']) => open?.form === form && 'person' in open && open.person.id === id
  return (
    <Listed
      name={`${name}, ${person.role}${isYou ? ' (you)' : ''}`}
      state={stateWords(person)}
      buttons={
        mayChange && (
          <>
            <OpensForm
              text="Another passkey"
              label={`Another passkey for ${name}`}
              isOpen={isOpen('add-passkey')}
              onClick={() => choose({ form: 'add-passkey', person })}
            />
            <OpensForm
              text="End"
              label={`End ${name}`}
              isOpen={isOpen('end')}
              onClick={() => choose({ form: 'end', person })}
            />
          </>
        )
      }
    >
      {isOpen('add-passkey') && (
        <AskedForm<never, PeopleActAnswer>
          says={`${name} gets a code, and makes a further passkey with it within a day.`}
          confirm="Make the code"
          needsPasskey
          fields={[]}
          question={() => asked({ act: 'add-passkey', person: id })}
          done={answer => done(codeWords(answer))}
          close={close}
        />
      )}
      {isOpen('end') && (
        <AskedForm<never, PeopleActAnswer>
          says={`None of ${name}’s passkeys opens anything any more, from the same moment on.`}
          confirm="Go on"
          needsPasskey
          fields={[]}
          lastWord={() => ({
            says: `${name} is out at once. To come back they need an invitation.`,
            confirm: `End ${name}`,
          })}
          question={() => asked({ act: 'end', person: id })}
          done={() => done(`Done: ${name} is out.`, id)}
          close={close}
        />
      )}
    </Listed>
  )
}

/** How somebody stands: `one passkey, last used …`. */
function stateWords({ passkeys, used_at, invited_until, email }: Person): string {
  const some = [
    passkeys === 0 ? 'no passkey yet' : counted(passkeys, 'passkey'),
    used_at !== null && `last used ${moment(used_at)}`,
    invited_until !== null && `a code can be used until ${moment(invited_until)}`,
    email,
  ]
  return some.filter(Boolean).join(', ')
}

function codeWords({ invitation }: PeopleActAnswer): string {
  if (invitation === null) return 'Done. The code was shown before; make another one where it is lost.'
  return `The code, which is shown once: ${invitation.code}. It can be used on the login’s page until ${moment(invitation.until)}. Tell it by phone or in person.`
}

const asked = (body: PeopleActRequest) => ({ path: 'people-act', body })
