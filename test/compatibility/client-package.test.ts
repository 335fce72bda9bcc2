import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundledByRolldown } from '../support/bundles.js';
import { clientArchive, folderWithClient } from '../support/client-package.js';
import { bundledByBun } from './support/bun.js';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PATIENCE_MS = 120_000;

const { exports } = JSON.parse(await readFile(join(ROOT, 'client/package.json'), 'utf8')) as { exports: Record<string, unknown> };
const ENTRIES = Object.keys(exports)
  .filter((name) => name !== './package.json')
  .map((name) => `@claims-api/client${name.slice(1)}`);
/** What an entry needs of the framework that it is for. */
const EXTERNAL = ['@nestjs/common'];

let folder: string;
beforeAll(async () => {
  folder = await folderWithClient();
}, PATIENCE_MS);
afterAll(() => rm(folder, { recursive: true }));

describe('the archive', () => {
  it('is as publint wants it', async () => {
    const pkgDir = join(folder, 'node_modules/@claims-api/client');
    const { messages, pkg } = await publint({ pkgDir, level: 'suggestion', strict: true, pack: false });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  it('has types of every entry for every way of resolving modules that knows entries', async () => {
    const archive = createPackageFromTarballData(new Uint8Array(await readFile(await clientArchive())));
    const found = await checkPackage(archive);
    if (!found.types) throw new Error('The archive has no types.');
    expect(Object.keys(found.entrypoints)).toEqual(expect.arrayContaining(ENTRIES.map((name) => name.replace('@claims-api/client', '.'))));
    // `node10` finds the main entry only: it knows no `exports`.
    const isOld = (problem: object) =>
      'resolutionKind' in problem && problem.resolutionKind === 'node10' && 'entrypoint' in problem && problem.entrypoint !== '.';
    expect(found.problems.filter((problem) => !isOld(problem))).toEqual([]);
  });

  it('has entries that can be imported and required', async () => {
    await mkdir(join(folder, 'node_modules/@nestjs'));
    await symlink(join(ROOT, 'node_modules/@nestjs/common'), join(folder, 'node_modules/@nestjs/common'));
    const names = JSON.stringify(ENTRIES);
    const program = `for (const name of ${names}) {
      const [imported, required] = [await import(name), require(name)];
      if (!Object.keys(imported).every((one) => one === 'default' || one === 'module.exports' || one in required)) console.log(name);
    }`;
    await writeFile(
      join(folder, 'entries.mjs'),
      `import { createRequire } from 'node:module';
      const require = createRequire(import.meta.url);
      ${program}`,
    );
    const { stdout } = await run(process.execPath, ['--no-warnings', 'entries.mjs'], { cwd: folder });
    expect(stdout).toBe('');
    await rm(join(folder, 'node_modules/@nestjs'), { recursive: true });
  });

  const TYPED = `
    import { Claims, type ClaimsEvent, type EventType } from '@claims-api/client';
    import { webhook as express } from '@claims-api/client/express';
    import { webhook as fastify } from '@claims-api/client/fastify';
    import { fixtureOf, signedFixture } from '@claims-api/client/fixtures';
    import { webhook as hono } from '@claims-api/client/hono';
    import { webhook as next } from '@claims-api/client/next';

    function told(event: ClaimsEvent): string | undefined {
      // @ts-expect-error There is no such kind.
      if (event.type === 'claim_project.exploded') return undefined;
      return event.type === 'claim_report.succeeded' ? event.data?.status : event.type;
    }
    export const receivers = [
      express('whsec_x', told),
      fastify('/hooks', ['whsec_x', 'whpk_x'], (event, request, reply) => void reply.code(202).send(request.params ?? told(event))),
      hono(async (c) => c.req.param('tenant'), (event, c) => c.json({ told: told(event) })),
      next<{ params: Promise<{ tenant: string }> }>(async (_request, { params }) => (await params).tenant, (event) => void told(event)),
      // @ts-expect-error A secret is a text.
      express(42, told),
    ];
    export async function read(claims: Claims, type: EventType): Promise<string[]> {
      const names: string[] = [];
      for await (const event of claims.webhooks.listEvents({ after: 'id' }))
        if (event.type === 'claim_project.updated') names.push(event.data?.periodStart ?? event.changedFields[0] ?? '');
        // @ts-expect-error Not all events are about projects.
        else event.data?.periodStart;
      const fixture = fixtureOf('claim_report.failed', { environment: 'live', data: { status: 'failed' } });
      // @ts-expect-error A report has no such field.
      fixtureOf('claim_report.failed', { data: { periodStart: '2026-01-01' } });
      const { body, headers } = await signedFixture(type, 'whsec_x');
      return [...names, fixture.type satisfies 'claim_report.failed', fixture.data?.failure?.code ?? '', body, headers['webhook-id'] ?? ''];
    }`;
  it.each(['mts', 'cts'])('has types that strict TypeScript reads where no framework is installed (%s)', async (kind) => {
    await writeFile(join(folder, `entries.${kind}`), TYPED);
    const flags = ['--strict', '--exactOptionalPropertyTypes', '--noEmit', '--target', 'es2022', '--module', 'nodenext'];
    const compiled = run(join(ROOT, 'node_modules/.bin/tsc'), [...flags, `entries.${kind}`], { cwd: folder });
    expect((await compiled.catch((error: { stdout: string }) => error)).stdout).toBe('');
  });
});

describe.each([
  ['Rolldown', bundledByRolldown],
  ['Bun', bundledByBun],
])('a bundle of %s', (_name, bundle) => {
  it('has nothing of an entry that is imported and not used', async () => {
    const program = ENTRIES.map((name, place) => `import * as unused${place} from '${name}';`).join('\n');
    expect(await bundle(folder, `${program}\nconsole.log('ours');`, EXTERNAL)).toMatch(/^\s*console\.log\(["'`]ours["'`]\);?\s*$/);
  });

  // The mock has all of them.
  it.each(ENTRIES.slice(1).filter((name) => !name.endsWith('/mock')))('has no operations because of %s', async (name) => {
    const code = await bundle(folder, `export * from '${name}';`, EXTERNAL);
    expect(code.length).toBeGreaterThan(500);
    // Not the whole bundle as the message of a failure.
    expect(/v1\/claim-projects|claim_projects\.create|already_exists/.exec(code)).toBeNull();
    // Examples are only for tests.
    if (!name.endsWith('/fixtures')) expect(code.includes('january.csv')).toBe(false);
  });

  it('has only what is used of an entry', async () => {
    expect(await bundle(folder, "export { fixtureOf } from '@claims-api/client/fixtures';")).not.toMatch(/HMAC|webhook-signature/);
    const chain = await bundle(folder, "export { verifyAuditChain } from '@claims-api/client';");
    expect(chain).toContain('SHA-256');
    expect(chain).not.toMatch(/\/v1\/|HMAC|Idempotency-Key/);
  });
});
