import { Injectable, Module } from '@nestjs/common';
import { afterAll, describe, expect, it } from 'vitest';
import {
  declareExtension,
  declareProblem,
  Implements,
  Policy,
  Problem,
  type PolicyRecord,
  type PolicyWrite,
  type PolicyWriteContext,
} from '../../src/extension-api.js';
import type { RegisteredOperation } from '../../src/api/operation/operation.js';
import { newId } from '../../src/kernel/ids.js';
import { aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';
import { named, startDocumentedApp, writesOf } from '../support/documented-app.js';
import { sendCall, validCall } from '../support/law-call.js';
import { auditOf, eventsOf } from '../support/law-database.js';

const CLOSED = declareProblem('closed_by_a_test', {
  status: 409,
  title: 'Closed by a test',
  retry: 'never',
  about: 'Nothing is written while this is tested.',
});

interface Seen extends Omit<PolicyWrite, 'before'> {
  readonly by: string;
  readonly before: unknown;
  readonly record?: unknown;
}

let seen: Seen[] = [];
let refuses: 'before' | 'after' | undefined;

/** Sees each write of the service, and refuses it while `refuses` says so. */
@Injectable()
@Implements(Policy)
class Witness implements Policy {
  readonly problems = [CLOSED];

  async checkWrite({ organization, actor }: PolicyWriteContext, { before, ...write }: PolicyWrite): Promise<void> {
    seen.push({ ...write, by: `${organization.id} ${actor.id}`, before: await before() });
    if (refuses === 'before') throw new Problem(CLOSED);
  }

  async checkWritten(_ctx: PolicyWriteContext, { before }: PolicyWrite, record: PolicyRecord | undefined): Promise<void> {
    const last = seen.at(-1)!;
    expect(await before()).toBe(last.before);
    seen[seen.length - 1] = { ...last, record };
    if (refuses === 'after') throw new Problem(CLOSED);
  }
}

@Module({ providers: [Witness] })
class WitnessModule {}

const app = await startDocumentedApp({}, undefined, [declareExtension({ name: 'witness', madeFor: '1.0.0', modules: [WitnessModule] })]);
afterAll(() => app.close());

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null)) as unknown;

/** The path of the record that a path names last, if it has a GET. */
function namedRecord({ path: template }: RegisteredOperation, path: string): string | undefined {
  const parts = template.split('/');
  const last = parts.findLastIndex((part) => part.startsWith('{'));
  const get = app.registry.operationAt('GET', parts.slice(0, last + 1).join('/'));
  return last < 0 || !get
    ? undefined
    : path
        .split('/')
        .slice(0, last + 1)
        .join('/');
}

const inTransaction = writesOf(app).filter(({ effects }) => effects !== 'byCalls');

describe.each(named(inTransaction))('%s', (_id, operation) => {
  it('shows a policy the ids of its path, its body, and the record before and after', async () => {
    const { organization, key, keyId } = await aTenant(app);
    const api = new Client(app.url, key);
    const call = await validCall(app, operation, key);
    const record = namedRecord(operation, call.path);
    const before = record === undefined ? null : (await api.get(record)).body;
    seen = [];
    const answer = await sendCall(app, call, key);
    expect(answer.status).toBe(operation.status);
    const [shown, ...others] = seen;
    expect(others).toEqual([]);
    expect(shown).toMatchObject({ by: `${organization.id} ${keyId}`, operation: { id: operation.id } });
    expect(Object.keys(shown!.params)).toEqual(operation.pathIds);
    for (const id of Object.values(shown!.params)) expect(call.path).toContain(id);
    if (operation.body) expect(shown!.input).toBeInstanceOf(operation.body);
    expect(asJson(shown!.before)).toEqual(before);
    expect(asJson(shown!.record)).toEqual(operation.returns ? answer.body : null);
  });

  // What no rollback undoes, such as a request to an endpoint, is asked about before it begins.
  const moments = operation.effects === 'afterClaim' ? (['before'] as const) : (['before', 'after'] as const);
  it.each(moments)('is not done, or undone, if a policy refuses it %s', async (when) => {
    const { organization, key } = await aTenant(app);
    const call = await validCall(app, operation, key);
    const written = async () => [await auditOf(app, organization.id), await eventsOf(app, organization.id)];
    const earlier = await written();
    refuses = when;
    const once = operation.needsKey ? { 'Idempotency-Key': newId() } : undefined;
    const refused = await sendCall(app, call, key, once).finally(() => (refuses = undefined));
    expect([refused.status, (refused.body as { code: string }).code]).toEqual([409, CLOSED]);
    expect(await written()).toEqual(earlier);
    expect((await sendCall(app, call, key, once)).status).toBe(operation.status);
  });
});
