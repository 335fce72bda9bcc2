import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/app.js';
import { aTenant } from '../../support/builders.js';
import { parseCurl } from '../../support/curl.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

it('every curl command of the README works', async () => {
  const { key } = await aTenant(app);
  const readme = await readFile('README.md', 'utf8');
  const lines = [...readme.matchAll(/^curl (?:.*\\\n)*.*$/gm)].map(([line]) =>
    line.replaceAll('$KEY', key).replaceAll('http://127.0.0.1:3000', app.url),
  );
  expect(lines.length).toBeGreaterThanOrEqual(3);
  for (const line of lines) {
    const { url, init } = parseCurl(line);
    const answer = await fetch(url, init);
    expect(answer.status, line).toBeLessThan(300);
  }
});
