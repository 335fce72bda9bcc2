import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';
import { aTenant } from '../support/builders.js';
import { readGuide } from '../support/guide-blocks.js';
import { outputOf, programIn } from '../support/guide-programs.js';

const run = promisify(execFile);
const packages = createRequire(import.meta.url);
const nodeOf = (name: string): string => join(dirname(packages.resolve(`${name}/package.json`)), 'bin/node');

/** The programs that need a service and nothing else, with what they print. */
const PRINTED = [
  ['quickstart', 'Quickstart with JavaScript'],
  ['idempotency', 'true'],
] as const;

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

describe.each([
  ['that these tests run on', process.execPath, process.version],
  ['22', nodeOf('node-22'), 'v22.'],
  ['24', nodeOf('node-24'), 'v24.'],
])('on Node %s', (_name, node, version) => {
  it.each(PRINTED)('the program of the guide %s runs by the command that it names', async (guide, printed) => {
    expect((await run(node, ['--version'])).stdout).toContain(version);
    const program = programIn(readGuide(guide).find(({ language }) => language === 'js')!.text)!;
    expect(program.command).toMatch(/^node /);
    const env = { CLAIMS_BASE_URL: app.url, CLAIMS_API_KEY: (await aTenant(app)).key };
    expect(await outputOf(program, env, node)).toBe(printed);
  });
});
