import { Injectable, Module } from '@nestjs/common';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import {
  declareExtension,
  Implements,
  newId,
  Policy,
  Problem,
  type PolicyWrite,
  type RegisteredOperation,
} from '../../../src/extension-api.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { StatementProxy } from '../../support/postgres-statements.js';

const PROJECTS = '/v1/claim-projects';
const DAYS = { periodStart: '2026-01-01', periodEnd: '2026-12-31' };

/** Sees changes of projects; `asksFor` says whether it asks for the record before. */
let asksFor: 'nothing' | 'before' | 'refusal' = 'nothing';
@Injectable()
@Implements(Policy)
class AboutChanges implements Policy {
  readonly problems = ['wrong_state' as const];

  appliesTo({ id }: RegisteredOperation): boolean {
    return id === 'claim_projects.update';
  }

  async checkWrite(_ctx: unknown, { before }: PolicyWrite): Promise<void> {
    if (asksFor === 'refusal') throw new Problem('wrong_state', { detail: 'Not now.' });
    if (asksFor === 'before') await before();
  }

  async checkWritten(_ctx: unknown, { before }: PolicyWrite): Promise<void> {
    if (asksFor === 'before') await before();
  }
}
@Module({ providers: [AboutChanges] })
class AboutChangesModule {}
const aboutChanges = declareExtension({ name: 'about-changes', madeFor: '1.0.0', modules: [AboutChangesModule] });

let proxy: StatementProxy;
let without: TestApp;
let withPolicy: TestApp;
let sent: string[] = [];
beforeAll(async () => {
  proxy = await StatementProxy.to(inject('databaseUrl'));
  proxy.handle = (text, _link, pass) => {
    sent.push(text);
    pass();
  };
  without = await startApp({ DATABASE_URL: proxy.tcp.url });
  withPolicy = await startApp({ DATABASE_URL: proxy.tcp.url }, undefined, [aboutChanges]);
});
afterAll(async () => {
  await Promise.all([without.close(), withPolicy.close()]);
  await proxy.tcp.close();
});

/** The statements of a call at least: some calls also read their credential anew, and jobs run in between. */
async function least(call: (index: number) => Promise<{ status: number }>, status: number): Promise<number> {
  const counts: number[] = [];
  for (let index = 0; index < 12; index += 1) {
    sent = [];
    expect(await call(index)).toMatchObject({ status });
    counts.push(sent.length);
  }
  return Math.min(...counts);
}

async function costs(app: TestApp) {
  const api = new Client(app.url, (await aTenant(app)).key);
  const create = (index: number) => api.post(PROJECTS, { name: `Office ${index}`, ...DAYS });
  const creates = await least(create, 201);
  const { id } = (await create(99)).body as { id: string };
  const changes = await least((index) => api.patch(`${PROJECTS}/${id}`, { name: `Renamed ${index}` }), 200);
  return { creates, changes };
}

it('a policy that sees writes costs no statement, neither of its own operations nor of others', async () => {
  const plain = await costs(without);
  asksFor = 'nothing';
  expect(await costs(withPolicy)).toEqual(plain);
});

it('a repeated call gets its first answer, whatever a policy says by then; another one is refused', async () => {
  asksFor = 'nothing';
  const api = new Client(withPolicy.url, (await aTenant(withPolicy)).key);
  const { id } = (await api.post(PROJECTS, { name: 'Office', ...DAYS })).body as { id: string };
  const once = { 'Idempotency-Key': newId() };
  const change = (headers: Record<string, string>, name = 'Renamed') => api.patch(`${PROJECTS}/${id}`, { name }, headers);
  const first = await change(once);
  asksFor = 'refusal';
  expect(await change(once)).toMatchObject({ status: 200, text: first.text });
  expect(await change({ 'Idempotency-Key': newId() }, 'Other')).toMatchObject({ status: 409, body: { code: 'wrong_state' } });
  expect(await change(once, 'Other')).toMatchObject({ status: 409, body: { code: 'idempotency_conflict' } });
  asksFor = 'nothing';
  expect((await api.get(`${PROJECTS}/${id}`)).body).toMatchObject({ name: 'Renamed' });
});

it('the record before a write is one statement, however often it is asked for, and none if it is not', async () => {
  asksFor = 'nothing';
  const { changes } = await costs(withPolicy);
  asksFor = 'before';
  expect((await costs(withPolicy)).changes).toBe(changes + 1);
});
