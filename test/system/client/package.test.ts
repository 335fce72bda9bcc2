import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/app.js';
import { aTenant } from '../../support/builders.js';
import { bundledByRolldown } from '../../support/bundles.js';
import { folderWithClient } from '../../support/client-package.js';
import { hasChromium, openPage, startChromium } from '../../support/chromium.js';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const CORE_MAX_BYTES = 12 * 1024;
const PATIENCE_MS = 120_000;

let app: TestApp;
let key: string;
/** A bare folder, in which the package is installed from the archive that npm makes. */
let folder: string;
beforeAll(async () => {
  app = await startApp();
  ({ key } = await aTenant(app));
  folder = await folderWithClient();
}, PATIENCE_MS);
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

const PROGRAM = `
async function main() {
  const claims = new Claims({ apiKey: process.env.KEY, baseUrl: process.env.URL });
  const name = 'From ' + process.argv[2];
  const project = await claims.projects.create({ name, periodStart: '2026-01-01', periodEnd: '2026-12-31' });
  const found = [];
  for await (const one of claims.projects.list({ search: name })) found.push(one.id);
  const refused = await claims.projects.get('no-id').catch((error) => error);
  console.log(found.length === 1 && found[0] === project.id && refused instanceof ValidationFailedError);
}
main();
`;

describe('the package in a bare folder', () => {
  it.each([
    ['program.mjs', "import { Claims, ValidationFailedError } from '@claims-api/client';"],
    ['program.cjs', "const { Claims, ValidationFailedError } = require('@claims-api/client');"],
  ])('works in %s', async (file, imports) => {
    await writeFile(join(folder, file), imports + PROGRAM);
    const { stdout } = await run(process.execPath, [file, file], { cwd: folder, env: { KEY: key, URL: app.url } });
    expect(stdout).toBe('true\n');
  });

  it('contains what is needed and nothing else, and depends on nothing', async () => {
    const installed = join(folder, 'node_modules/@claims-api/client');
    const { dependencies, peerDependenciesMeta, sideEffects } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
    // Nest's decorators are its own, for whoever uses Nest.
    expect([dependencies, peerDependenciesMeta, sideEffects]).toEqual([undefined, { '@nestjs/common': { optional: true } }, false]);
    expect(await readdir(join(folder, 'node_modules'))).toEqual(['.package-lock.json', '@claims-api']);
    const { stdout } = await run('find', ['.', '-type', 'f', '-not', '-path', './dist/*'], { cwd: installed });
    expect(stdout.trim().split('\n').sort()).toEqual(['./LICENSE', './README.md', './package.json']);
  });

  const TYPED = `
    import { Claims, Webhooks, type ClaimProject, type ClaimsEvent } from '@claims-api/client';
    export async function names(claims: Claims): Promise<string[]> {
      const all: string[] = [];
      for await (const { name } of claims.projects.list({ status: 'active' })) all.push(name);
      const one: ClaimProject = await claims.projects.update('id', { status: 'archived' }, { signal: new AbortController().signal });
      // @ts-expect-error There is no such status.
      claims.projects.list({ status: 'gone' });
      // @ts-expect-error A project has a period.
      await claims.projects.create({ name: 'x' });
      return [...all, one.name];
    }
    export async function read(body: string, headers: Headers): Promise<string | undefined> {
      const event: ClaimsEvent = await Webhooks.verify(body, headers, ['whsec_x']);
      // @ts-expect-error Not all events are about projects.
      event.data?.periodStart;
      return event.type === 'claim_project.created' ? event.data?.periodStart : undefined;
    }`;
  it.each([
    ['NodeNext, as ESM', 'typed.mts', { module: 'nodenext' }],
    ['NodeNext, as CommonJS', 'typed.cts', { module: 'nodenext' }],
    ['bundler', 'typed.ts', { module: 'esnext', moduleResolution: 'bundler' }],
  ])('has types that strict TypeScript reads with %s', async (_what, file, options) => {
    await mkdir(join(folder, file.replace('.', '-')), { recursive: true });
    const project = join(folder, file.replace('.', '-'));
    await writeFile(join(project, file), TYPED);
    const compilerOptions = { strict: true, exactOptionalPropertyTypes: true, noEmit: true, target: 'es2022', types: [], ...options };
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }));
    const { stdout } = await run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', project]).catch((error: { stdout: string }) => error);
    expect(stdout).toBe('');
  });
});

/** A program as a bundler makes it for browsers. */
const bundled = (program: string): Promise<string> => bundledByRolldown(folder, program);

describe('in a bundle', () => {
  it('the core has less than 12 KB, minified and gzipped', async () => {
    const bytes = gzipSync(await bundled("export { Claims } from '@claims-api/client';")).length;
    expect(bytes).toBeGreaterThan(1000);
    expect(bytes).toBeLessThan(CORE_MAX_BYTES);
  });

  it('what is not used is left out', async () => {
    const code = await bundled("export { verifyAuditChain } from '@claims-api/client';");
    expect(code).not.toContain('/v1/');
    expect(code).not.toContain('Ed25519');
    expect(gzipSync(code).length).toBeLessThan(2048);
    expect(await bundled("import '@claims-api/client';")).toMatch(/^\s*$/);
    expect(await bundled("export * from '@claims-api/client/oauth';")).not.toContain('/v1/');
  });
});

it.skipIf(!hasChromium())('in Chromium, a page of another origin calls the API, and verifies a delivery and a chain', async () => {
  const script = await bundled("export * from '@claims-api/client';");
  const server = createServer((request, response) => {
    const isScript = request.url === '/client.js';
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html').end(isScript ? script : '<title>A page</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await startChromium();
  try {
    const { page, complaints } = await openPage(browser);
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const found = await page.evaluate<unknown>(`(async () => {
      const { Claims, Webhooks, verifyAuditChain } = await import('/client.js');
      const claims = new Claims({ apiKey: '${key}', baseUrl: '${app.url}' });
      const project = await claims.projects.create({ name: 'In a browser', periodStart: '2026-01-01', periodEnd: '2026-12-31' });
      const [first] = (await claims.projects.list({ search: 'In a browser' }).page()).data;
      const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
      const event = await Webhooks.verify('{"type":"x"}', new Headers(await Webhooks.sign('{"type":"x"}', secret)), secret);
      return [first.id === project.id, event.type, (await verifyAuditChain([])).sequence];
    })()`);
    expect(found).toEqual([true, 'x', 0]);
    expect(complaints).toEqual([]);
  } finally {
    await browser.close();
    server.close();
  }
});
