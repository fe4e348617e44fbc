import { Flex, Stack } from '@sanity/ui'
import { Nothing, Section } from '../operations/parts.tsx'
import { moment } from '../operations/words.ts'
import type { PartnerActAnswer, PartnerActRequest, PartnersAnswer, PeopleAnswer } from '../product.ts'
import { AskedForm } from './AskedForm.tsx'
import { List, Listed, OpensForm } from './Listed.tsx'
import { Said } from './Said.tsx'
import { useOpenForm } from './use-open-form.ts'

type Partner = PartnersAnswer[number]

/** What is open: the form of a new one, or of the end of a key. */
type Open = { readonly form: 'add' } | { readonly form: 'revoke'; readonly partner: Partner }

interface PartnersProps {
  readonly partners: PartnersAnswer
  readonly people: PeopleAnswer
  /** Reads the figures again. */
  readonly lookAgain: () => void
}

/** Whose programs open payments, and with which keys. */
export function Partners({ partners: read, people, lookAgain }: PartnersProps) {
  const { open, said, changes, close, done, choose } = useOpenForm<Open, Partner['id']>({ read, lookAgain })
  const mayChange = people.role === 'treasurer' && people.you !== null
  return (
    <Section title="Partners" says={INTRODUCTION}>
      <Stack gap={4}>
        {read.length === 0 && <Nothing>There is no partner yet.</Nothing>}
        <List>
          {read.map(partner => {
            const hasKey = partner.revoked_at === null && !changes.includes(partner.id)
            const isOpen = open?.form === 'revoke' && open.partner.id === partner.id
            return (
              <Listed
                key={partner.id}
                name={partner.name}
                state={stateWords(partner)}
                buttons={
                  mayChange &&
                  hasKey && (
                    <OpensForm
                      text="Revoke"
                      label={`Revoke the key of ${partner.name}`}
                      isOpen={isOpen}
                      onClick={() => choose({ form: 'revoke', partner })}
                    />
                  )
                }
              >
                {isOpen && <Revoke partner={partner} done={done} close={close} />}
              </Listed>
            )
          })}
        </List>
        {mayChange && (
          <Flex>
            <OpensForm
              text="Add a partner"
              isOpen={open?.form === 'add'}
              onClick={() => choose({ form: 'add' })}
            />
          </Flex>
        )}
        {open?.form === 'add' && <Add done={done} close={close} />}
      </Stack>
      <Said says={said} />
    </Section>
  )
}

const INTRODUCTION =
  'Programs of partners open payments with a key, and see whether those are paid. They get no links: these go to the buyer’s mailbox. A treasurer makes and revokes keys, each time with a passkey.'

interface Forms {
  readonly done: (says: string, ...revoked: readonly Partner['id'][]) => void
  readonly close: () => void
}

function Add({ done, close }: Forms) {
  return (
    <AskedForm<'name' | 'contact' | 'scopes', PartnerActAnswer>
      says="The key is shown once. Whoever has it opens payments in this partner’s name."
      confirm="Make the key"
      needsPasskey
      fields={[
        { name: 'name', label: 'The partner’s name' },
        { name: 'contact', label: 'Whom to write to there: an e-mail address', type: 'email' },
        {
          name: 'scopes',
          label: 'What the key is for',
          initial: 'orders:create orders:read',
          choices: [
            ['orders:create orders:read', 'Opening payments, and seeing whether they are paid'],
            ['orders:create', 'Opening payments'],
            ['orders:read', 'Seeing whether its payments are paid'],
          ],
        },
      ]}
      question={({ name, contact, scopes }) => asked({ act: 'add', name, contact: contact.trim(), scopes })}
      done={answer => done(keyWords(answer))}
      close={close}
    />
  )
}

function Revoke({ partner: { id, name }, done, close }: Forms & { readonly partner: Partner }) {
  return (
    <AskedForm<never, PartnerActAnswer>
      says={`${name}’s programs open no payment any more, from the same moment on. What is open or paid stays.`}
      confirm="Go on"
      needsPasskey
      fields={[]}
      lastWord={() => ({
        says: 'The key cannot be brought back: to go on, the partner needs another one.',
        confirm: `Revoke the key of ${name}`,
      })}
      question={() => asked({ act: 'revoke', partner: id })}
      done={() => done(`Done: the key of ${name} opens nothing.`, id)}
      close={close}
    />
  )
}

/** How a partner stands: `orders:create, last used 2026-11-26, shop@example.org`. */
function stateWords({ scopes, contact, used_day, revoked_at }: Partner): string {
  if (revoked_at !== null) return `revoked ${moment(revoked_at)}`
  return [scopes, used_day === null ? 'not used yet' : `last used ${used_day}`, contact]
    .filter(Boolean)
    .join(', ')
}

function keyWords({ made }: PartnerActAnswer): string {
  if (made === null)
    return 'Done. The key was shown before; where it is lost, revoke it and add the partner again.'
  return `The key, which is shown once: ${made.key} Hand it over by a way that nobody else reads.`
}

const asked = (body: PartnerActRequest) => ({ path: 'partner-act', body })
