import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { installFromDebian } from './debian.ts'
import { freePort } from './free-port.ts'

const NGINX = '/usr/sbin/nginx'
const GIVE_UP_MS = 60_000

/** nginx with a cache in front of a site, as docs/guides/deploy.md sets it up, in the place of a CDN. */
export interface TemporaryCache {
  readonly url: string
  /** What CDN_PURGE_URL is then. */
  readonly purgeUrl: string
  /** Everything that it keeps, as bytes read as Latin-1. */
  kept(): readonly string[]
  stop(): Promise<void>
}

/**
 * Each answer says in X-Cache whether it was kept.
 * @param originPort where the site listens, or will
 * @throws Error with a sentence where nginx is missing and cannot be installed
 */
export async function startCache(originPort: number): Promise<TemporaryCache> {
  const { url, folder, stop } = await startNginx((at, port) => cacheOf(at, port, originPort))
  return {
    url,
    purgeUrl: `${url}{path}`,
    kept: () => filesIn(join(folder, 'cache')).map(path => readFileSync(path, 'latin1')),
    stop,
  }
}

/** nginx in front of a site, which writes down of each request what a log may be set to hold. */
export interface LoggingProxy {
  readonly url: string
  /** Request lines, referrers, cookies and where answers led, a line for each request. */
  log(): string
  /** What it writes of requests that the server did not answer. */
  errors(): string
  stop(): Promise<void>
}

/** @throws as `startCache` */
export async function startLoggingProxy(originPort: number): Promise<LoggingProxy> {
  const { url, folder, stop } = await startNginx((at, port) => loggingOf(at, port, originPort))
  const written = (name: string) => () => readFileSync(join(folder, name), 'utf8')
  return { url, log: written('access'), errors: written('errors'), stop }
}

async function startNginx(serversOf: (folder: string, port: number) => string) {
  ensureNginx()
  const folder = mkdtempSync(join(tmpdir(), 'gc-nginx-'))
  const port = await freePort()
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, configuration(folder, serversOf(folder, port)))
  const nginx = spawn(NGINX, ['-p', folder, '-c', file], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  nginx.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  const gone = once(nginx, 'exit')
  const url = `http://127.0.0.1:${port}`
  for (const startedAt = performance.now(); !(await answers(url)); await wait(20)) {
    if (nginx.exitCode !== null || performance.now() - startedAt > GIVE_UP_MS)
      throw new Error(`nginx did not start: ${said}`)
  }
  return {
    url,
    folder,
    async stop() {
      nginx.kill('SIGTERM')
      await gone
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const answers = (url: string): Promise<boolean> =>
  fetch(`${url}/nginx`).then(
    () => true,
    () => false,
  )

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))

function ensureNginx(): void {
  if (existsSync(NGINX)) return
  installFromDebian('nginx')
  if (!existsSync(NGINX))
    throw new Error(`nginx is missing (${NGINX}): install it, it is the CDN of the tests.`)
}

const configuration = (folder: string, servers: string): string => `
daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes 1;
pid ${folder}/pid;
error_log ${folder}/errors;
events { worker_connections 512; }
http {
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  ${servers}
}
`

/** Passes on what a client asks for, by the name that it asks by. */
const toOrigin = (port: number): string => `
      proxy_pass http://127.0.0.1:${port};
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;`

const loggingOf = (folder: string, port: number, originPort: number): string => `
  log_format everything '"$request" "$http_referer" "$http_cookie" "$sent_http_location" $status';
  access_log ${folder}/access everything;
  server {
    listen 127.0.0.1:${port};
    location = /nginx { return 204; }
    location / {
      ${toOrigin(originPort)}
    }
  }
`

const cacheOf = (folder: string, port: number, originPort: number): string => `
  access_log off;
  proxy_cache_path ${folder}/cache keys_zone=pages:1m;
  map $upstream_http_cdn_cache_control $not_for_all { default 1; ~max-age 0; }
  geo $of_site { default 0; 127.0.0.1 1; }
  map $of_site$http_surrogate_key $anew { default 0; ~^1. 1; }
  map $http_cookie $own { default 0; ~drafts= 1; }
  server {
    listen 127.0.0.1:${port};
    location = /nginx { return 204; }
    location / {
      ${toOrigin(originPort)}
      proxy_set_header Accept-Encoding gzip;
      gunzip on;
      proxy_cache pages;
      proxy_cache_key $uri;
      proxy_cache_valid 200 1m;
      proxy_cache_lock on;
      proxy_ignore_headers Cache-Control Expires Vary;
      proxy_cache_bypass $anew $own $is_args;
      proxy_no_cache $not_for_all $own $is_args;
      add_header X-Cache $upstream_cache_status always;
    }
  }
`
