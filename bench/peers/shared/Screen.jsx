import { useEffect, useState } from 'react'

/**
 * One screen of the product with the same words, as a React author would write it: its lines, and where it has
 * organisations, a list that gives points to each. Both peers show it; the benchmark copies it beside its words.
 */
export function Screen({ screen }) {
  const { language, title, heading, lines, ngos, points } = screen
  useEffect(() => {
    document.documentElement.lang = language
    document.title = title
  }, [language, title])
  return (
    <main data-screen={screen.word}>
      {[...new Set(lines)].map(line =>
        line === heading ? <h1 key={line}>{line}</h1> : <p key={line}>{line}</p>,
      )}
      {ngos.length > 0 && <Split ngos={ngos} total={points} />}
    </main>
  )
}

function Split({ ngos, total }) {
  const [given, setGiven] = useState({})
  const left = total - Object.values(given).reduce((sum, each) => sum + each, 0)
  const give = (id, change) =>
    setGiven(before => ({ ...before, [id]: Math.max(0, (before[id] ?? 0) + change) }))
  return (
    <section>
      <p data-left={left}>{left}</p>
      <ul>
        {ngos.map(({ id, title }) => (
          <li key={id} data-ngo={id}>
            <span>{title}</span>
            <button type="button" data-action="remove" disabled={!given[id]} onClick={() => give(id, -1)}>
              −
            </button>
            <output>{given[id] ?? 0}</output>
            <button type="button" data-action="add" disabled={left === 0} onClick={() => give(id, 1)}>
              +
            </button>
          </li>
        ))}
      </ul>
      <button type="button" data-action="continue" aria-disabled={left === total}>
        →
      </button>
    </section>
  )
}
