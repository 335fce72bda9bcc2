import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FS_GLOB } from './fs-glob.js';

const SUITE = fileURLToPath(new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url));
const COMMAND = ['--import', FS_GLOB, SUITE];
const TIMEOUT_MS = 240_000;

/** The scenarios that the suite requires of servers for a revision. */
export function requiredOf(revision: string): string[] {
  const { stdout } = spawnSync(process.execPath, [...COMMAND, 'list', '--requirements', revision], {
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
  });
  const [, ofServers = ''] = /^Server scenarios[^\n]*\n(.*?)\n\n/ms.exec(stdout) ?? [];
  return [...ofServers.matchAll(/^ +- (\S+)/gm)].map(([, name]) => name!);
}

export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  /** The whole output of the suite, to find out why a scenario failed. */
  readonly output: string;
}

/** Tests a server with all scenarios of a revision, and returns the outcome of each. */
export async function runSuite(target: string, key: string, revision: string): Promise<ReadonlyMap<string, Outcome>> {
  const folder = await mkdtemp(join(tmpdir(), 'claims-conformance-'));
  const proxy = await startProxy(target, key);
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`;
  const child = spawn(process.execPath, [...COMMAND, 'server', '--url', url, '--requirements', revision, '-o', folder], {
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  await new Promise((resolve) => child.once('close', resolve));
  proxy.closeAllConnections();
  proxy.close();
  await rm(folder, { recursive: true });
  const lines = output.matchAll(/^[✓✗] (\S+): (\d+) passed, (\d+) failed/gm);
  return new Map([...lines].map(([, name, passed, failed]) => [name!, { passed: Number(passed), failed: Number(failed), output }]));
}

/**
 * The suite sends no credential, so a proxy adds one. In Host and Origin it replaces its own address by that of the service, and
 * leaves any other address as it is.
 */
async function startProxy(target: string, key: string): Promise<Server> {
  const server = createServer((incoming, answer) => {
    const own = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const forService = (text: string | undefined) => text?.replace(own, new URL(target).host);
    const { host, origin, ...headers } = incoming.headers;
    const sent = { ...headers, 'x-api-key': key, host: forService(host), ...(origin !== undefined && { origin: forService(origin) }) };
    const forwarded = request(new URL(incoming.url!, target), { method: incoming.method, headers: sent }, (answered) => {
      answer.writeHead(answered.statusCode!, answered.headers);
      answered.pipe(answer);
    });
    forwarded.on('error', () => answer.destroy());
    answer.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
