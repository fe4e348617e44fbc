import { Box, Stack, Tab, TabList } from '@sanity/ui'
import type { ObjectInputProps } from 'sanity'
import { LANGUAGES } from '../product.ts'
import { choose, useChoice } from './choice.ts'
import { LANGUAGE_NAMES } from './names.ts'

const CHOICES = [
  { shown: 'all', label: 'All languages' },
  ...LANGUAGES.map(language => ({ shown: language, label: LANGUAGE_NAMES[language] })),
] as const

/** A document's form, with one row of tabs that says which languages its fields show. */
export function WithLanguageTabs(props: ObjectInputProps) {
  const choice = useChoice()
  return (
    <Stack gap={5}>
      <TabList gap={1} aria-label="Languages">
        {CHOICES.map(({ shown, label }) => (
          <Tab
            key={shown}
            id={`language-tab-${shown}`}
            aria-controls="language-panel"
            label={label}
            selected={choice === shown}
            onClick={() => choose(shown)}
          />
        ))}
      </TabList>
      <Box id="language-panel" role="tabpanel" aria-labelledby={`language-tab-${choice}`}>
        {props.renderDefault(props)}
      </Box>
    </Stack>
  )
}
