import type { ObjectInputProps, ObjectMember } from 'sanity'
import { useChoice } from './choice.ts'
import { isShown, type Shown } from './shown.ts'

/** The fields of a localised value in the languages that the operator chose. */
export function LocalisedInput(props: ObjectInputProps) {
  const shown = useChoice()
  const { members, focusPath } = props
  return props.renderDefault({
    ...props,
    members: members.filter(member => isMemberShown(member, focusPath[0], shown)),
  })
}

function isMemberShown(member: ObjectMember, focused: unknown, shown: Shown): boolean {
  if (member.kind !== 'field') return true
  const { name, field } = member
  const hasProblem = field.validation.some(({ level }) => level === 'error')
  return isShown({ name, hasProblem, isFocused: focused === name }, shown)
}
