import { afterAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.js';
import type { Environment } from '../../src/kernel/context.js';
import { aKey, aTenant } from '../support/builders.js';
import { factsOfExtensions } from '../support/extension-facts.js';
import { sendCall, callForMissing, fromNewAddress, validCall, type Call } from '../support/law-call.js';
import { auditOf, eventsOf, everyRowOf } from '../support/law-database.js';
import type { Body } from '../support/law-document.js';
import { environmentsOf, named, startDocumentedApp, writesOf } from '../support/documented-app.js';

const app = await startDocumentedApp();
afterAll(() => app.close());

type Write = ReturnType<typeof writesOf>[number];

/** Makes a successful write. Returns its answer, and the events and audit entries that it added. */
async function doneWrite(operation: Write, environment: Environment) {
  const { organization, key, keyId } = await aTenant(app, { environment });
  const call = await validCall(app, operation, key);
  const deleted = await recordToDelete(operation, call, key);
  const before = { events: await eventsOf(app, organization.id), audit: await auditOf(app, organization.id) };
  const headers = { ...fromNewAddress(), 'X-Request-Id': newId(), 'Idempotency-Key': newId() };
  const answer = await sendCall(app, call, key, headers);
  expect(answer.status).toBe(operation.status);
  const events = (await eventsOf(app, organization.id)).slice(before.events.length);
  const audit = (await auditOf(app, organization.id)).slice(before.audit.length);
  return { call, answer: answer.body as Body, deleted, events, audit, keyId, headers };
}

interface Batch {
  readonly operation: string;
}

/** They emit one of the events that they declare: which one, is what they are asked for. */
const ONE_OF_SEVERAL = ['claim_closings.create', ...Object.keys(factsOfExtensions('oneOfSeveralEvents'))];
/** It emits what it is asked for, of which nothing happened. */
const ANY_EVENT = 'test.send_event';

const isDeletion = (kind: string): boolean => kind.endsWith('.deleted');

/** The record that a call is about to delete, as GET returns it, if the operation emits a deletion event. */
async function recordToDelete({ path, emits }: Write, call: Call, key: string): Promise<Body | undefined> {
  const get = app.operations.find((candidate) => candidate.method === 'GET' && candidate.path === path);
  if (!get || !emits.some(({ kind }) => isDeletion(kind))) return undefined;
  return (await sendCall(app, { operation: get, path: call.path }, key)).body as Body;
}

/** The audit log's changes for a deleted record: each field from its value to null. */
function changesOfDeletion({ id: _id, environment: _environment, createdAt: _createdAt, updatedAt: _updatedAt, ...content }: Body): Body {
  return Object.fromEntries(Object.entries(content).map(([field, from]) => [field, { from, to: null }]));
}

describe.each(named(writesOf(app)))('%s', (_id, operation) => {
  it.each(environmentsOf(operation))('in %s: emits exactly its declared events', async (environment) => {
    const { answer, deleted, events, call } = await doneWrite(operation, environment);
    const { emits } = operation.effects === 'byCalls' ? app.registry.operationCalled((call.body as Batch).operation) : operation;
    const declared = operation.id === ANY_EVENT ? [(call.body as Body).kind] : emits.map(({ kind }) => kind);
    if (ONE_OF_SEVERAL.includes(operation.id)) expect([events.length, declared]).toEqual([1, expect.arrayContaining([events[0]?.kind])]);
    else expect(events.map(({ kind }) => kind).sort()).toEqual(declared.sort());
    for (const { environment: where, kind, resource_id: resource, data } of events) {
      expect([where, resource]).toEqual([environment, data.id]);
      // The record as REST returns it (for a deletion, as it was before), including the order of its fields.
      if (operation.returns && operation.effects !== 'byCalls' && operation.id !== ANY_EVENT)
        expect(JSON.stringify(data)).toBe(JSON.stringify(answer));
      if (isDeletion(kind) && deleted) expect(JSON.stringify(data)).toBe(JSON.stringify(deleted));
    }
  });

  it.each(environmentsOf(operation))(
    'in %s: writes one audit entry with actor, action, resource, request and address',
    async (environment) => {
      const { answer, audit, keyId, headers } = await doneWrite(operation, environment);
      expect(audit).toHaveLength(1);
      expect(audit[0]).toMatchObject({
        environment,
        actor_type: 'api',
        actor_id: keyId,
        actor_name: 'A key',
        ip_address: headers['X-Forwarded-For'],
        request_id: headers['X-Request-Id'],
      });
      expect(audit[0]!.action.startsWith(`${audit[0]!.resource_type}.`)).toBe(true);
      if (answer.id !== undefined) expect(audit[0]!.resource_id).toBe(answer.id);
    },
  );

  it('has an audit entry with the name and the changed fields of its event', async () => {
    const { events, audit } = await doneWrite(operation, 'test');
    if (operation.id === ANY_EVENT) return;
    if (operation.emits.length > 0)
      expect(operation.emits.flatMap(({ kind, actions = [] }) => [kind, ...actions])).toContain(audit[0]!.action);
    for (const { data } of events.filter(({ kind }) => isDeletion(kind)))
      expect([audit[0]!.resource_id, audit[0]!.changes]).toEqual([data.id, changesOfDeletion(data)]);
    for (const { changed_fields: changed, data } of events.filter(({ kind }) => !isDeletion(kind))) {
      if (changed !== null) expect(changed).toEqual(Object.keys(audit[0]!.changes));
      for (const [field, { from, to }] of Object.entries(audit[0]!.changes)) {
        expect(to, field).toEqual(data[field]);
        expect(to, field).not.toEqual(changed === null ? undefined : from);
      }
    }
  });

  it('writes no row at all if it is refused, for whatever reason', async () => {
    const { organization, key } = await aTenant(app);
    const unscoped = await aKey(app, organization.id, { scopes: [] });
    const call = await validCall(app, operation, key);
    const before = await everyRowOf(app, organization.id);
    const refused = [
      await sendCall(app, { ...call, path: `${call.path}?no_such_parameter=1` }, key),
      await sendCall(app, call, operation.scope ? unscoped.key : 'no key'),
      ...(operation.needsKey ? [await sendCall(app, call, key, { 'Idempotency-Key': '' })] : []),
      ...(operation.body ? [await sendCall(app, { ...call, body: { ...(call.body as Body), no_such_property: 1 } }, key)] : []),
      ...(operation.pathIds.length > 0 ? [await sendCall(app, callForMissing(app, operation), key)] : []),
    ];
    expect(refused.map(({ status }) => status)).not.toContain(operation.status);
    expect(await everyRowOf(app, organization.id)).toEqual(before);
  });
});
