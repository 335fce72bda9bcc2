import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FIELD_CODES } from '../../../src/kernel/field-codes.js';
import { PROBLEMS, type ProblemCode } from '../../../src/kernel/problems.js';
import { withSettings } from '../../../src/kernel/settings/setting-text.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { createDatabase, rowsOf } from '../../support/database.js';
import { memoryLog } from '../../support/memory-log.js';
import { expectProblem, problemOf } from '../../support/problem.js';

const PROJECTS = '/v1/claim-projects';
const PROJECT = { name: 'Berlin', periodStart: '2026-01-01', periodEnd: '2026-12-31' };
const CODES = Object.keys(PROBLEMS) as ProblemCode[];
/** The text as HTML shows it. */
const asHtml = (text: string): string =>
  text
    .replace(/[&<>"']/g, (character) => `&${{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' }[character]};`)
    .replace(/`([^`]+)`/g, '<code>$1</code>');

let app: TestApp;
let anyone: Client;
beforeAll(async () => {
  app = await startApp();
  anyone = new Client(app.url);
});
afterAll(() => app.close());

describe('the pages of the problem codes', () => {
  it.each(CODES)('explain %s and say what to do', async (code) => {
    const { status, title, about } = PROBLEMS[code];
    const page = await anyone.get(`/problems/${code}`);
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    for (const part of [`<title>${title} · `, `<h1>${title}</h1>`, `HTTP ${status}`, asHtml(withSettings(about, app.settings))])
      expect(page.text).toContain(part);
    expect(page.text).toMatch(/<h2>What to do<\/h2><p>(Do not repeat|Repeat) the call/);
    expect(page.text).toContain(asHtml(`"code": "${code}"`));
  });

  it('are listed on one page', async () => {
    const { status, text } = await anyone.get('/problems');
    expect(status).toBe(200);
    expect([...text.matchAll(/href="\/problems\/(\w+)"/g)].map((match) => match[1]).sort()).toEqual([...CODES].sort());
  });

  it('are found by a word, a code or a status', async () => {
    const found = async (word: string) =>
      [...(await anyone.get(`/problems?q=${encodeURIComponent(word)}`)).text.matchAll(/href="\/problems\/(\w+)"/g)].map(
        (match) => match[1],
      );
    expect(await found('already')).toContain('already_exists');
    expect(await found('429')).toEqual(['rate_limited']);
    expect(await found('<script>')).toEqual([]);
  });

  it.each(['/problems', '/problems/validation_failed'])('list the codes of field errors: %s', async (path) => {
    const { text } = await anyone.get(path);
    for (const [code, sentence] of Object.entries(FIELD_CODES))
      expect(text).toContain(`<code>${code}</code></dt><dd>${asHtml(sentence)}</dd>`);
  });

  it.each(['nothing', 'toString', '__proto__', 'constructor', 'VALIDATION_FAILED', '%3Cscript%3E'])('return 404 for %s', async (code) => {
    expectProblem(await anyone.get(`/problems/${code}`), 'route_not_found');
  });
});

describe('a problem', () => {
  it('links to a page that exists', async () => {
    const { key } = await aTenant(app);
    const api = new Client(app.url, key);
    const problems = [
      await anyone.get(PROJECTS),
      await api.get('/nowhere'),
      await api.post(PROJECTS, {}),
      await api.send('POST', PROJECTS, '{'),
      await api.get(`${PROJECTS}/0199e9a4-7c1e-7b6a-9f0e-3d1c5a7b9d21`),
    ].map(problemOf);
    expect(problems.map(({ code }) => code)).toEqual([
      'credential_missing',
      'route_not_found',
      'validation_failed',
      'malformed_json',
      'not_found',
    ]);
    for (const { type, title } of problems) {
      const page = await fetch(type);
      expect(page.status).toBe(200);
      expect(await page.text()).toContain(title);
    }
  });

  it('links to its page below BASE_URL if that is set', async () => {
    const behind = await startApp({ BASE_URL: 'https://claims.example/' });
    expect(
      problemOf(await new Client(behind.url.replace('https://claims.example', `http://127.0.0.1:${behind.settings.port}`)).get('/nowhere'))
        .type,
    ).toBe('https://claims.example/problems/route_not_found');
    await behind.close();
  });
});

describe('an unexpected error', () => {
  async function broken(sql: string) {
    const database = await createDatabase();
    const { log, lines, text } = memoryLog();
    const own = await startApp({ DATABASE_URL: database.url }, log);
    const { key, organization } = await aTenant(own);
    await rowsOf(database.url, sql);
    const end = async (): Promise<void> => {
      await own.close();
      await database.drop();
    };
    return {
      api: new Client(own.url, key),
      database,
      organization,
      failures: () => lines().filter(({ level }) => (level as number) >= 50),
      text,
      end,
    };
  }

  it('is a 500 without details, and the log has the cause', async () => {
    const { api, failures, end } = await broken('ALTER TABLE claim_projects DROP COLUMN client_reference');
    for (const answer of [await api.get(PROJECTS), await api.post(PROJECTS, PROJECT), await api.get(`${PROJECTS}?search=x`)]) {
      const problem = expectProblem(answer, 'internal_error');
      expect(problem).toEqual({ ...problem, detail: 'An unexpected error; nothing was changed.', retry: 'same_key', errors: [] });
      expect(answer.text).not.toMatch(/client_reference|column|select|claim_projects|postgres|node_modules|\.[jt]s\b|\bat /i);
      expect(failures().filter(({ requestId }) => requestId === problem.requestId)).toMatchObject([
        {
          problem: 'internal_error',
          err: { message: expect.stringContaining('client_reference') as string, stack: expect.stringContaining('.ts:') as string },
        },
      ]);
    }
    await end();
  });

  it('writes nothing, and the same call succeeds once the cause is gone', async () => {
    const { api, database, organization, end } = await broken('ALTER TABLE audit_entries RENAME TO elsewhere');
    const headers = { 'Idempotency-Key': 'the same' };
    expectProblem(await api.post(PROJECTS, PROJECT, headers), 'internal_error');
    const left = await rowsOf(
      database.url,
      'SELECT id::text FROM claim_projects UNION ALL SELECT id::text FROM events UNION ALL SELECT key FROM idempotency_keys',
    );
    expect(left).toEqual([]);
    await rowsOf(database.url, 'ALTER TABLE elsewhere RENAME TO audit_entries');
    const done = await api.post(PROJECTS, PROJECT, headers);
    expect(done.status).toBe(201);
    expect(done.headers['idempotent-replayed']).toBeUndefined();
    expect(
      await rowsOf(database.url, "SELECT action FROM audit_entries WHERE organization_id = $1 AND actor_type = 'api'", [organization.id]),
    ).toEqual([{ action: 'claim_project.created' }]);
    await end();
  });

  it('does not log the content of a row that the database refused', async () => {
    const { api, failures, text, end } = await broken(
      "ALTER TABLE claim_projects ADD CONSTRAINT surprising CHECK (name <> 'Confidential matter')",
    );
    expectProblem(
      await api.post(PROJECTS, { ...PROJECT, name: 'Confidential matter', metadata: { secret: 'hidden away' } }),
      'internal_error',
    );
    expect(failures()).toMatchObject([{ err: { code: '23514', constraint: expect.stringMatching(/^surprising/) as string } }]);
    expect(text()).not.toMatch(/Confidential|hidden away/);
    await end();
  });
});
