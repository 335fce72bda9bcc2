import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.js';
import { aFreePort } from './free-port.js';

export interface LoadBalancer {
  readonly url: string;
  /** What it has said so far: a line for each call that it could not pass on. */
  readonly output: () => string;
  stop(): Promise<void>;
}

/** What is said of the processes in its configuration. */
export interface HaproxyOptions {
  /** Words of `default-server`, such as `inter 1s`. Without them each has its default: asked every 2 s, down after 3 failures. */
  readonly server?: string;
  /** Lines of the section of the processes. */
  readonly lines?: readonly string[];
}

/** HAProxy before processes at these ports, which it asks for their readiness. */
export function startHaproxy(ports: readonly number[], { server = '', lines = [] }: HaproxyOptions = {}): Promise<LoadBalancer> {
  return start({
    program: 'haproxy',
    paths: [process.env.TEST_HAPROXY_PATH, '/usr/sbin/haproxy', '/usr/local/sbin/haproxy'],
    argsOf: (file) => ['-db', '-f', file],
    configure: (port) => [
      'global',
      '  log stdout format raw local0',
      'defaults',
      '  mode http',
      '  log global',
      '  option httplog',
      // A call that succeeded says nothing.
      '  option dontlog-normal',
      '  timeout connect 2s',
      '  timeout client 60s',
      '  timeout server 60s',
      'frontend calls',
      `  bind 127.0.0.1:${port}`,
      '  default_backend processes',
      'backend processes',
      '  balance roundrobin',
      '  option httpchk GET /health/ready',
      ...lines.map((line) => `  ${line}`),
      `  default-server check ${server}`,
      ...ports.map((each) => `  server at-${each} 127.0.0.1:${each}`),
    ],
  });
}

export interface NginxOptions {
  /** Words behind each server, such as `max_fails=0`. */
  readonly server?: string;
  /** Lines of the upstream. */
  readonly upstream?: readonly string[];
}

/** NGINX before processes at these ports. It asks nothing: what it knows is which connections are refused. */
export function startNginx(ports: readonly number[], { server = '', upstream = [] }: NginxOptions = {}): Promise<LoadBalancer> {
  return start({
    program: 'nginx',
    paths: [process.env.TEST_NGINX_PATH, '/usr/sbin/nginx', '/usr/local/sbin/nginx'],
    argsOf: (file, folder) => ['-p', folder, '-e', 'stderr', '-c', file],
    configure: (port, folder) => [
      'daemon off;',
      'worker_processes 1;',
      `pid ${folder}/nginx.pid;`,
      'error_log stderr warn;',
      'events { worker_connections 1024; }',
      'http {',
      '  access_log off;',
      ...['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `  ${name}_temp_path ${folder}/${name};`),
      '  upstream processes {',
      ...ports.map((each) => `    server 127.0.0.1:${each} ${server};`),
      ...upstream.map((line) => `    ${line};`),
      '  }',
      '  server {',
      `    listen 127.0.0.1:${port};`,
      '    location / {',
      '      proxy_pass http://processes;',
      '      proxy_http_version 1.1;',
      // Without this it asks for an end of the connection after each call.
      '      proxy_set_header Connection "";',
      '      proxy_set_header Host $host;',
      '    }',
      '  }',
      '}',
    ],
  });
}

interface Program {
  readonly program: string;
  readonly paths: readonly (string | undefined)[];
  readonly argsOf: (file: string, folder: string) => string[];
  readonly configure: (port: number, folder: string) => readonly string[];
}

async function start({ program, paths, argsOf, configure }: Program): Promise<LoadBalancer> {
  const path = paths.find((candidate) => candidate && existsSync(candidate));
  const variable = `TEST_${program.toUpperCase()}_PATH`;
  if (!path) throw new Error(`${program} is missing: install it (apt-get install haproxy nginx-light), or set ${variable}.`);
  const [port, folder] = [await aFreePort(), await mkdtemp(join(tmpdir(), `claims-${program}-`))];
  const file = join(folder, `${program}.conf`);
  await writeFile(file, `${configure(port, folder).join('\n')}\n`);
  // As root, NGINX passes the work to a user of its own, who must reach its folders.
  await chmod(folder, 0o755);
  const child = spawn(path, argsOf(file, folder), { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const url = `http://127.0.0.1:${port}`;
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    // Once it has found a process that is ready.
    await eventually(async () => {
      const { ok, status } = await fetch(`${url}/health/ready`);
      if (!ok) throw new Error(`${program} answers ${status}.`);
    }, 30_000);
  } catch (error) {
    await stop();
    throw new Error(`${program} did not start: ${output}`, { cause: error });
  }
  return { url, output: () => output, stop };
}
