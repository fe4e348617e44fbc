/** The files that go-live writes for the machine. Each is complete, and nobody edits it by hand. */

export interface Machine {
  /** `gifts.example` */
  readonly domain: string
  /** The site's user and group. */
  readonly user: string
  /** Folder of the program. */
  readonly root: string
  readonly dataDir: string
  /** The folder of the archive of the log, where one is set. Without it the site starts all the same, and an alarm tells. */
  readonly archive?: string | undefined
  /** Where the site listens on this machine. */
  readonly port: number
}

/** The service's rights: the process sees only its own folders, so an attacker who takes it over gains little. */
const HARDENED = `NoNewPrivileges=yes
CapabilityBoundingSet=
AmbientCapabilities=
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
PrivateUsers=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
RemoveIPC=yes
KeyringMode=private
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged
SystemCallErrorNumber=EPERM
UMask=0077`

/** The systemd unit that runs the site. */
export const siteUnit = ({ user, root, dataDir, archive }: Machine): string => `[Unit]
Description=Gift cards
Wants=network-online.target
After=network-online.target postgresql.service

[Service]
User=${user}
Group=${user}
WorkingDirectory=${root}
ExecStart=/usr/bin/env npm start
Restart=always
RestartSec=5
KillSignal=SIGTERM
TimeoutStopSec=30
ReadWritePaths=${root} ${dataDir}${archive === undefined ? '' : ` -${archive}`}
Environment=HOME=${root}/node_modules/.cache
${HARDENED}

[Install]
WantedBy=multi-user.target
`

/** The systemd unit that makes a backup. */
export const backupUnit = ({ user, root, dataDir }: Machine): string => `[Unit]
Description=Copy of the gift cards' database

[Service]
Type=oneshot
User=${user}
Group=${user}
WorkingDirectory=${root}
ExecStart=/usr/bin/env npm run --silent ops -- backup
# A copy of each night for two months.
ExecStartPost=/usr/bin/find ${dataDir}/backups -type f -mtime +60 -delete
ReadWritePaths=${root} ${dataDir}
Environment=HOME=${root}/node_modules/.cache
${HARDENED}
`

/** The systemd timer that makes a backup every night. */
export const backupTimer = (): string => `[Unit]
Description=Every night a copy of the gift cards' database

[Timer]
OnCalendar=*-*-* 03:17:00
Persistent=yes

[Install]
WantedBy=timers.target
`

/** Port 80 serves the proof for the certificate and redirects to https. It works before there is a certificate. */
export const nginxPlain = ({ domain }: Machine): string => `server {
  listen 80;
  listen [::]:80;
  server_name ${domain};
  access_log off;
  location /.well-known/acme-challenge/ { root /var/www/html; }
  # Programs that speak plain http are told so, not led on with what they send.
  location /api/ { return 404; }
  location / { return 301 https://$host$request_uri; }
}
`

/** The nginx file of the site with its certificate: HTTPS, and a log without keys. */
export const nginxSecure = (
  { domain, port }: Machine,
  certificates = `/etc/letsencrypt/live/${domain}`,
): string => `# The log says which part of the site was asked for: addresses of pages hold cards' keys, and visitors are nobody's business.
map $uri $gifts_part {
  "~^(?<part>/[a-z0-9-]{0,20})(/|$)" $part;
  default /-;
}
log_format gifts '$time_iso8601 $request_method $gifts_part $status $body_bytes_sent $request_time';

server {
  listen 443 ssl http2;
  listen [::]:443 ssl http2;
  server_name ${domain};
  ssl_protocols TLSv1.2 TLSv1.3;
  ssl_certificate     ${certificates}/fullchain.pem;
  ssl_certificate_key ${certificates}/privkey.pem;
  ssl_session_cache shared:gifts:1m;
  # The Studio uploads pictures and files of up to 20 MB; every other limit is the site's own.
  client_max_body_size 21m;
  access_log /var/log/nginx/gifts.log gifts;
  # nginx writes whole addresses into the other one.
  error_log /var/log/nginx/gifts-error.log crit;
  location / {
    proxy_pass http://127.0.0.1:${port};
    proxy_http_version 1.1;
    # With its port: the operator's doors open under the name in SITE_URL alone.
    proxy_set_header Host $http_host;
    # Set, not added to: what a visitor writes there counts for nothing.
    proxy_set_header X-Forwarded-For $remote_addr;
    proxy_set_header X-Forwarded-Proto $scheme;
    proxy_set_header Upgrade $http_upgrade;
    proxy_set_header Connection $http_connection;
    # The Studio keeps streams and sockets open; files go through as they come.
    proxy_buffering off;
    proxy_request_buffering off;
    proxy_read_timeout 1h;
  }
}
`

/** Caddy gets the certificate by itself, redirects port 80 to https, and speaks HTTP/2 and HTTP/3. */
export const caddyFile = ({ domain, port }: Machine): string => `${domain} {
	request_body {
		max_size 21MB
	}
	reverse_proxy 127.0.0.1:${port} {
		header_up X-Forwarded-For {remote_host}
		flush_interval -1
	}
	log {
		output file /var/log/caddy/gifts.log
		format filter {
			wrap json
			fields {
				request>uri delete
				request>headers delete
				request>remote_ip delete
				request>client_ip delete
				resp_headers delete
			}
		}
	}
}
`

/** The steps for root, in their order. They may be run again. */
export const installScript = (machine: Machine, folder: string): string => {
  const { domain } = machine
  return `#!/bin/sh
# Written by go-live; run as root: sh ${folder}/install.sh
set -eu
cd ${folder}
install -m 644 gifts.service gifts-backup.service gifts-backup.timer /etc/systemd/system/
systemctl daemon-reload
systemctl enable --now gifts.service gifts-backup.timer
install -m 644 nginx-http.conf /etc/nginx/conf.d/gifts-http.conf
nginx -t && systemctl reload-or-restart nginx
if [ ! -e /etc/letsencrypt/live/${domain}/fullchain.pem ]; then
  certbot certonly --webroot -w /var/www/html -d ${domain} --deploy-hook 'systemctl reload nginx'
fi
install -m 644 nginx-https.conf /etc/nginx/conf.d/gifts-https.conf
nginx -t && systemctl reload nginx
`
}

/** Every file by its name. */
export const machineFiles = (machine: Machine, folder: string): Readonly<Record<string, string>> => ({
  'gifts.service': siteUnit(machine),
  'gifts-backup.service': backupUnit(machine),
  'gifts-backup.timer': backupTimer(),
  'nginx-http.conf': nginxPlain(machine),
  'nginx-https.conf': nginxSecure(machine),
  Caddyfile: caddyFile(machine),
  'install.sh': installScript(machine, folder),
})
