import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import type { TestApp } from '../../support/app.js';
import { aKey, aTenant } from '../../support/builders.js';
import { rowsOf } from '../../support/database.js';
import { keepFile, openReports, REPORTS, rule } from '../../support/reports.js';
import { startWorking } from '../../support/statements.js';
import { connectTools } from '../../support/tools.js';

let app: TestApp;
beforeAll(async () => {
  app = await startWorking();
});
afterAll(() => app.close());

interface Contents {
  readonly text: string;
  readonly blob: string;
  readonly mimeType: string;
}

/** Clients of the newest revision, and of those before it. */
const REVISIONS = { newest: undefined, older: {} };
const connect = (key: string, options?: object) => connectTools(app, { 'X-API-Key': key }, '', options);

describe.each(Object.entries(REVISIONS))('a model of the %s revision', (_name, options) => {
  it('finds the runs of its organization, and reads their results and files as the API returns them', async () => {
    const { key, api, taken, category, configuration, run } = await openReports(app);
    await taken();
    await category('TRAVEL', [rule('ticket')]);
    const { id: reportConfigurationId } = await configuration({ outputOptions: { formats: ['json', 'csv', 'pdf'] } });
    const { id } = await run({ reportConfigurationId });
    const model = await connect(key, options);
    const { resources } = await model.listResources();
    const runs = resources.filter(({ uri }) => uri.startsWith('claims://reports/'));
    expect(runs).toMatchObject([{ uri: `claims://reports/${id}`, mimeType: 'application/json' }]);
    expect((await model.listResourceTemplates()).resourceTemplates).toHaveLength(2);
    const readOf = async (uri: string) => (await model.readResource({ uri })).contents[0] as unknown as Contents;
    expect(JSON.parse((await readOf(`claims://reports/${id}`)).text)).toEqual((await api.get(`${REPORTS}/${id}`)).body);
    for (const format of ['json', 'csv', 'pdf']) {
      const answer = await fetch(`${app.url}${REPORTS}/${id}/outputs/${format}`, { headers: { 'X-API-Key': key } });
      const { text, blob, mimeType } = await readOf(`claims://reports/${id}/${format}?content=true`);
      const bytes = Buffer.from(await answer.arrayBuffer());
      expect(format === 'pdf' ? Buffer.from(blob, 'base64').equals(bytes) : text === bytes.toString()).toBe(true);
      expect(answer.headers.get('content-type')!.startsWith(mimeType)).toBe(true);
    }
  });

  it('reads a small text as it is, and gets a link of ten minutes to any other file: its content only when it asks', async () => {
    const { organizationId, key, taken, configuration, run } = await openReports(app);
    await taken();
    const { id: reportConfigurationId } = await configuration({ outputOptions: { formats: ['csv', 'pdf'] } });
    const { id } = await run({ reportConfigurationId });
    const readWith = async (from: string, format: string, query?: string) =>
      (await (await connectTools(app, { 'X-API-Key': from }, query, options)).readResource({ uri: `claims://reports/${id}/${format}` }))
        .contents[0] as unknown as Contents;
    expect((await readWith(key, 'csv')).mimeType).toBe('text/csv');
    const { mimeType, text, blob } = await readWith(key, 'pdf');
    const { link, expiresAt, ...others } = JSON.parse(text) as Record<string, string>;
    expect([mimeType, blob]).toEqual(['application/json', undefined]);
    const elsewhere = { download: `GET ${REPORTS}/${id}/outputs/pdf`, content: `claims://reports/${id}/pdf?content=true` };
    expect(others).toEqual(elsewhere);
    expect(Date.parse(expiresAt!) - Date.now()).toBeLessThanOrEqual(600_000);
    const opened = await fetch(link!, { method: 'POST' });
    expect([opened.headers.get('content-type'), opened.headers.get('cache-control')]).toEqual(['application/pdf', 'no-store']);
    expect(opened.headers.get('content-disposition')).toMatch(/^attachment/);
    const { key: reader } = await aKey(app, organizationId, { scopes: ['claim_reports:read'] });
    expect(JSON.parse((await readWith(reader, 'pdf')).text)).toEqual(elsewhere);
    expect(JSON.parse((await readWith(key, 'pdf', '?readonly')).text)).toEqual(elsewhere);
  });

  it('finds the guides, and reads them as the service answers with them', async () => {
    const model = await connect((await aTenant(app)).key, options);
    const guides = (await model.listResources()).resources.filter(({ uri }) => uri.startsWith('claims://guides/'));
    const { data } = (await (await fetch(`${app.url}/guides`)).json()) as { data: { name: string; path: string; title: string }[] };
    expect(guides.map(({ uri, title }) => [uri, title])).toEqual(data.map(({ name, title }) => [`claims://guides/${name}`, title]));
    for (const { name, path } of data) {
      const { text, mimeType } = (await model.readResource({ uri: `claims://guides/${name}` })).contents[0] as unknown as Contents;
      expect([mimeType, text]).toEqual(['text/markdown', await (await fetch(app.url + path)).text()]);
    }
  });

  it('is told what it cannot read: what is not there, is of others, needs a scope or is too large', async () => {
    const { organizationId, key, run } = await openReports(app);
    const { id } = await run();
    const refusal = async (from: string, uri: string): Promise<string> =>
      (await connect(from, options)).readResource({ uri }).then(
        () => 'read',
        ({ message }: Error) => message,
      );
    const others = await aTenant(app);
    expect(await refusal(others.key, `claims://reports/${id}`)).toContain('not found');
    for (const uri of [
      `claims://reports/${newId()}`,
      'claims://reports/x',
      'claims://other',
      'claims://guides/',
      'claims://guides/none',
      'claims://guides/../problems',
      `claims://reports/${id}/pdf`,
      'http://a/',
    ])
      expect(await refusal(key, uri), uri).not.toBe('read');
    const { key: unscoped } = await aKey(app, organizationId, { scopes: ['claim_projects:read'] });
    expect(await refusal(unscoped, `claims://reports/${id}`)).toContain('claim_reports:read');
    const seen = (await (await connect(unscoped, options)).listResources()).resources;
    expect(seen.filter(({ uri }) => uri.startsWith('claims://reports/'))).toEqual([]);
    await rowsOf(app.databaseUrl, 'DELETE FROM claim_report_files WHERE report_id = $1', [id]);
    await keepFile(app.databaseUrl, id, 'x'.repeat(1024 * 1024 + 1));
    expect(await refusal(key, `claims://reports/${id}/json?content=true`)).toContain(`GET ${REPORTS}/${id}/outputs/json`);
  });

  it('has prompts with their arguments filled in, and is told which are missing, unknown or too long', async () => {
    const model = await connect((await aTenant(app)).key, options);
    const { prompts } = await model.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['prepare_claim', 'explain_missing_month', 'review_uncategorised']);
    for (const { name, arguments: inputs = [] } of prompts) {
      const values = Object.fromEntries(inputs.map((input) => [input.name, `the ${input.name}`]));
      const { messages } = await model.getPrompt({ name, arguments: values });
      const { text } = messages[0]!.content as { text: string };
      for (const value of Object.values(values)) expect(text).toContain(value);
      const [first] = inputs.map((input) => input.name);
      const refusal = (given: Record<string, string>) => model.getPrompt({ name, arguments: given }).catch(({ message }: Error) => message);
      expect(await refusal({ ...values, [first!]: '' })).toContain(`needs the argument ${first}`);
      expect(await refusal({ ...values, [first!]: 'x'.repeat(201) })).toContain(`${first} must have at most 200 characters`);
      expect(await refusal({ ...values, other: 'x' })).toContain('has no argument other');
    }
    await expect(model.getPrompt({ name: '__proto__' })).rejects.toThrow('There is no prompt __proto__');
  });
});
