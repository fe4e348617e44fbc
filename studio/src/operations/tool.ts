import { BarChartIcon } from '@sanity/icons/BarChart'
import type { Tool } from 'sanity'
import { Operations } from './Operations.tsx'

/** What was sold and given, what is owed, and what needs a person: at `/studio/operations`. */
export const operations: Tool = {
  name: 'operations',
  title: 'Operations',
  icon: BarChartIcon,
  component: Operations,
}
