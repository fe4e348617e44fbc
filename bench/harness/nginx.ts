import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '#tests/support/free-port.ts'
import { childrenOf } from './processor.ts'
import { type Reference, startReference } from './reference.ts'

const NGINX = '/usr/sbin/nginx'

/** Serves one page with Debian's nginx, one worker; without nginx, out of the memory of a small Node process. */
export async function startBareServer(html: string): Promise<Reference> {
  if (!existsSync(NGINX)) return startReference({ '/': html })
  const nginx = await startNginx((folder, port) => {
    mkdirSync(join(folder, 'www'), { recursive: true })
    writeFileSync(join(folder, 'www/index.html'), html)
    return `server { listen 127.0.0.1:${port}; root ${folder}/www; }`
  })
  // The master only watches; its one worker does the work.
  const [pid = 0] = nginx.workers()
  return { name: 'nginx', url: nginx.url, pid, stop: nginx.stop }
}

/** A load balancer in front of server processes. */
export interface Balancer {
  readonly url: string
  /** From now on only these are sent visitors. Resolves once nobody is with the others any more. */
  sendTo(ports: readonly number[]): Promise<void>
  /** The processes that answer. */
  workers(): readonly number[]
  stop(): Promise<void>
}

/** nginx as docs/guides/deploy.md sets it up, over several processes. @throws Error without nginx */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  if (!existsSync(NGINX)) throw new Error('Debian’s nginx is needed: apt-get install nginx')
  let present = ports
  const nginx = await startNginx((_, port) => balancing(port, present))
  return {
    url: nginx.url,
    workers: nginx.workers,
    stop: nginx.stop,
    async sendTo(chosen) {
      present = chosen
      const before = nginx.workers()
      nginx.reload()
      // A worker of before ends once its last visitor has been answered.
      await until(() => !nginx.workers().some(pid => before.includes(pid)), 'nginx did not let go')
    },
  }
}

/** Whoever refuses a connection is asked again the next time: it is back within seconds. */
const balancing = (port: number, ports: readonly number[]): string => `
upstream site { ${ports.map(each => `server 127.0.0.1:${each} max_fails=0;`).join(' ')} }
server {
  listen 127.0.0.1:${port};
  client_max_body_size 21m;
  location / {
    proxy_pass http://site;
    proxy_http_version 1.1;
    proxy_set_header Host $http_host;
    # The benchmark's visitors say who they are, so that the limits count them one by one.
    proxy_set_header X-Forwarded-For $http_x_forwarded_for;
    proxy_set_header X-Forwarded-Proto https;
    proxy_buffering off;
    proxy_request_buffering off;
  }
}`

/** nginx in front of one server that does not compress by itself. @throws Error without nginx */
export async function startCompressingProxy(port: number): Promise<Pick<Reference, 'url' | 'stop'>> {
  if (!existsSync(NGINX)) throw new Error('Debian’s nginx is needed: apt-get install nginx')
  return startNginx(
    (_, listens) => `
server {
  listen 127.0.0.1:${listens};
  gzip on;
  gzip_comp_level 6;
  gzip_proxied any;
  gzip_types text/css application/javascript text/javascript application/json image/svg+xml;
  location / {
    proxy_pass http://127.0.0.1:${port};
    proxy_http_version 1.1;
    proxy_set_header Host $http_host;
    proxy_set_header X-Forwarded-For $remote_addr;
  }
}`,
  )
}

interface Nginx {
  readonly url: string
  /** The processes that answer. */
  workers(): readonly number[]
  /** Reads the configuration anew. */
  reload(): void
  stop(): Promise<void>
}

async function startNginx(servers: (folder: string, port: number) => string): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-nginx-'))
  const port = await freePort()
  const file = join(folder, 'nginx.conf')
  const configure = (): void => writeFileSync(file, configuration(folder, servers(folder, port)))
  configure()
  const master = spawn(NGINX, ['-p', folder, '-c', file], { stdio: 'ignore' })
  const gone = once(master, 'exit')
  const url = `http://127.0.0.1:${port}`
  await until(
    () =>
      fetch(url).then(
        () => true,
        () => false,
      ),
    'nginx did not start',
  )
  return {
    url,
    workers: () => childrenOf(master.pid ?? 0),
    reload() {
      configure()
      master.kill('SIGHUP')
    },
    async stop() {
      master.kill('SIGTERM')
      await gone
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const configuration = (folder: string, servers: string): string => `
daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes 1;
pid ${folder}/pid;
error_log ${folder}/errors;
events { worker_connections 4096; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000;
  types { text/html html; }
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  ${servers}
}
`

const TIMEOUT_MS = 10_000

async function until(holds: () => boolean | Promise<boolean>, otherwise: string): Promise<void> {
  for (const end = performance.now() + TIMEOUT_MS; performance.now() < end; await pause(50))
    if (await holds()) return
  throw new Error(otherwise)
}
