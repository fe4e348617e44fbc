import { Flex, TextInput } from '@sanity/ui'
import { type StringInputProps, set, unset } from 'sanity'
import { readColour } from '../product.ts'

/** A colour: the browser's own picker beside its digits. */
export function ColourInput({ value = '', onChange, elementProps, readOnly }: StringInputProps) {
  const write = (text: string): void => onChange(text === '' ? unset() : set(text))
  return (
    <Flex gap={2} align="center">
      <input
        type="color"
        aria-label="Choose the colour"
        value={readColour(value) ? value.toLowerCase() : '#000000'}
        disabled={readOnly}
        onChange={event => write(event.currentTarget.value)}
      />
      <TextInput
        {...elementProps}
        value={value}
        placeholder="#10316b"
        onChange={event => write(event.currentTarget.value.trim())}
      />
    </Flex>
  )
}
