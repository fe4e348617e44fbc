import screens from '../../given/screens.json'
import { Live } from './Live.jsx'

export const dynamicParams = false

export function generateStaticParams() {
  return Object.keys(screens).map(word => ({ word }))
}

export default async function Page({ params }) {
  const { word } = await params
  return <Live screen={screens[word]} />
}
