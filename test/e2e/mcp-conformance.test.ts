import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';
import { aTenant } from '../support/builders.js';
import { FS_GLOB } from '../support/fs-glob.js';

const SUITE = fileURLToPath(new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url));
const PATIENCE_MS = 60_000;

/** All scenarios of the suite that a server with nothing but tools of its own can be put through. */
const OURS = ['server-initialize', 'ping', 'tools-list', 'server-sse-multiple-streams', 'dns-rebinding-protection'];

/** Those that want a server to have tools, resources, prompts or a log made for the suite, which are no part of this service. */
const WITH_FIXTURES = [
  'logging-set-level', 'completion-complete', 'tools-call-simple-text', 'tools-call-image', 'tools-call-audio', 'tools-call-embedded-resource', 'tools-call-mixed-content', 'tools-call-with-logging',
  'tools-call-error', 'tools-call-with-progress', 'tools-call-sampling', 'tools-call-elicitation', 'json-schema-2020-12', 'elicitation-sep1034-defaults', 'server-sse-polling', 'elicitation-sep1330-enums',
  'resources-list', 'resources-read-text', 'resources-read-binary', 'resources-templates-read', 'resources-subscribe', 'resources-unsubscribe', 'prompts-list', 'prompts-get-simple', 'prompts-get-with-args',
  'prompts-get-embedded-resource', 'prompts-get-with-image',
];

let app: TestApp;
let proxy: Server;
let url: string;
let folder: string;
beforeAll(async () => {
  app = await startApp();
  proxy = await startProxy(app.url, (await aTenant(app)).key);
  url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`;
  folder = await mkdtemp(join(tmpdir(), 'claims-conformance-'));
});
afterAll(async () => {
  proxy.closeAllConnections();
  proxy.close();
  await app.close();
  await rm(folder, { recursive: true });
});

/** The suite knows nothing of credentials, so one is added on the way. The proxy's own name becomes that of the service; any other is passed on as it is. */
async function startProxy(target: string, key: string): Promise<Server> {
  const server = createServer((asked, answer) => {
    const own = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const ours = (text: string | undefined) => text?.replace(own, new URL(target).host);
    const { host, origin, ...headers } = asked.headers;
    const sent = { ...headers, 'x-api-key': key, host: ours(host), ...(origin !== undefined && { origin: ours(origin) }) };
    const forwarded = request(new URL(asked.url!, target), { method: asked.method, headers: sent }, (answered) => {
      answer.writeHead(answered.statusCode!, answered.headers);
      answered.pipe(answer);
    });
    forwarded.on('error', () => answer.destroy());
    answer.on('close', () => forwarded.destroy());
    asked.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function runSuite(...args: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ['--import', FS_GLOB, SUITE, ...args], { cwd: folder, timeout: PATIENCE_MS, killSignal: 'SIGKILL' });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
}

describe('the official conformance suite', { timeout: PATIENCE_MS }, () => {
  it('has these scenarios for servers and no others: a new one has to be looked at', async () => {
    const { output } = await runSuite('list', '--server');
    const scenarios = [...output.matchAll(/^ +- (\S+)/gm)].map(([, name]) => name);
    expect(scenarios.sort()).toEqual([...OURS, ...WITH_FIXTURES].sort());
  });

  it.each(OURS)('is content with %s', async (scenario) => {
    const { code, output } = await runSuite('server', '--url', url, '--scenario', scenario);
    expect(code, output).toBe(0);
    expect(output).toMatch(/Passed: (\d+)\/\1, 0 failed/);
  });
});
