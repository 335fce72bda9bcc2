import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleDoor } from '../../src/api/console/console-door.js';
import { Form, ONCE_FIELD, onceToken, type PageContext } from '../../src/api/console/page.js';
import { TenantLimits } from '../../src/api/limits/rate-limiter.js';
import type { RegisteredOperation } from '../../src/api/operation/operation.js';
import { newId } from '../../src/kernel/ids.js';
import { Problem } from '../../src/kernel/problems.js';
import { isAtLeast, USER_ROLES, type UserRole } from '../../src/kernel/roles.js';
import { snakeCase } from '../../src/kernel/text.js';
import { tokensOfPeople } from '../support/acting-applications.js';
import { aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';
import { factsOfExtensions } from '../support/extension-facts.js';
import { named, startDocumentedApp } from '../support/documented-app.js';
import { rowsOf } from '../support/database.js';
import { callForMissing, validBody, validCall, type Call, type RecordIds } from '../support/law-call.js';
import { LOCAL_DOCUMENTS } from '../support/shared-clients.js';
import { callTool, connectTools } from '../support/tools.js';
import { aUser } from '../support/users.js';

/** What becomes of a call, however it was made. */
interface Outcome {
  readonly problem: string | undefined;
  /** As JSON has it; undefined of a file, and of a record that is gone. */
  readonly record: unknown;
}

/** One who calls, by one door. */
interface Way {
  readonly name: string;
  /** Of the person who calls, or for whom an application does; undefined for a key, which has all scopes. */
  readonly role: UserRole | undefined;
  readonly door: 'REST' | 'tools' | 'console';
  readonly call: (call: Call) => Promise<Outcome>;
}

const app = await startDocumentedApp({
  ...LOCAL_DOCUMENTS,
  RATE_LIMITS: JSON.stringify({ starter: { perMinute: 1, burst: 60 }, enterprise: { perMinute: 1e6, burst: 1e6 } }),
  RECORD_LIMITS: JSON.stringify({ webhooks: 1000 }),
});
afterAll(() => app.close());

/** Those of one organization. Records for their calls are made with its key. */
async function waysOf({ organization, key }: Awaited<ReturnType<typeof aTenant>>): Promise<Way[]> {
  const bearer = await tokensOfPeople(app, organization);
  const credentials: [string, UserRole | undefined, Record<string, string>][] = [
    ['an API key', undefined, { 'x-api-key': key }],
    ...USER_ROLES.flatMap((role) =>
      (['an authorization code', 'a device', 'a shared application'] as const).map((way): [string, UserRole, Record<string, string>] => [
        `${way} of a person with the role ${role}`,
        role,
        bearer(role, way),
      ]),
    ),
  ];
  const byCredential = credentials.flatMap(([name, role, headers]): Way[] => [
    { name: `REST, ${name}`, role, door: 'REST', call: byRest(headers) },
    { name: `tools, ${name}`, role, door: 'tools', call: byTool(headers) },
  ]);
  const people = await Promise.all(USER_ROLES.map((role) => aUser(app, organization.id, { role })));
  return [
    ...byCredential,
    ...people.map((user): Way => ({
      name: `console, a person with the role ${user.role}`,
      role: user.role,
      door: 'console',
      call: byConsole(organization, user),
    })),
  ];
}

const byRest =
  (headers: Record<string, string>): Way['call'] =>
  async ({ operation, path, body }) => {
    const answer = await new Client(app.url).send(operation.method, path, body, headers);
    if (answer.status >= 400) return { problem: (answer.body as { code: string }).code, record: undefined };
    return { problem: undefined, record: operation.returns && answer.body };
  };

function byTool(headers: Record<string, string>): Way['call'] {
  let connected: ReturnType<typeof connectTools> | undefined;
  return async ({ operation, path, body = {} }) => {
    const tools = await (connected ??= connectTools(app, headers, '?tools=claims'));
    const { risk, name, sets = {} } = operation.tool!;
    const own = Object.entries(body).filter(([property]) => !(property in sets));
    const inputs = {
      ...idsIn(operation, path),
      ...Object.fromEntries(own.map(([property, value]) => [snakeCase(property), value as unknown])),
      ...(risk === 'write' && { confirm: true, idempotency_key: newId() }),
      ...(risk === 'destructive' && { confirm_delete: true }),
      ...(operation.tool!.leavesOut && { detail: 'full' }),
      ...sizeByDefault(operation),
    };
    const { isError, content } = await callTool(tools, name, inputs);
    if (isError) return { problem: String(content.code), record: undefined };
    return { problem: undefined, record: operation.returns && content };
  };
}

function byConsole(organization: { readonly id: string }, user: Awaited<ReturnType<typeof aUser>>): Way['call'] {
  return async ({ operation, path, body }) => {
    const call = { requestId: newId(), ipAddress: '127.0.0.1' };
    const ctx = {
      ...{ organization, organizationId: organization.id, environment: 'test', emits: [], user, ...call },
      actor: { type: 'user', id: user.id, name: user.name, call },
      form: new Form(new URLSearchParams({ [ONCE_FIELD]: onceToken() })),
    } as unknown as PageContext;
    const given = { operation: operation.id, params: idsIn(operation, path), ...(body !== undefined && { body: body as object }) };
    try {
      const record = await app.app.get(ConsoleDoor).call(ctx, given);
      return { problem: undefined, record: operation.returns && (JSON.parse(JSON.stringify(record)) as unknown) };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return { problem: error.code, record: undefined };
    }
  };
}

/** Tools list fewer by default, so that the answer fits. */
function sizeByDefault({ query: Query }: RegisteredOperation): Record<string, number> {
  const { page_size, limit } = (Query ? new Query() : {}) as { page_size?: number; limit?: number };
  return { ...(page_size !== undefined && { page_size }), ...(limit !== undefined && { limit }) };
}

/** The parameters in a path: `{ project_id }`. */
function idsIn({ path: template }: RegisteredOperation, path: string): Record<string, string> {
  const [names, parts] = [template.split('/'), path.split('/')];
  return Object.fromEntries(names.flatMap((name, at) => (name.startsWith('{') ? [[name.slice(1, -1), parts[at]!]] : [])));
}

const COMPUTED = Object.keys(factsOfExtensions('computedFields'));

/** Of a record with its own ids, times, hashes and secrets: what it has in common with one that another call has made. */
const common = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value ?? null, (name, inner: unknown) => (COMPUTED.includes(name) ? 'computed' : inner))
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'id')
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z/g, 'time')
      .replace(/[0-9a-f]{64}/g, 'hash')
      // Of its own mark, some digits may look like a number to be masked.
      .replace(/("fileName":(?:\{"from":\w+,"to":)?)"[^"]*"/g, '$1"name"')
      .replace(/•••• \w{4}/g, 'account')
      .replace(/"by":\{(?:"from":null,"to":\{[^}]*\}|[^}]*)\}/g, '"by":"caller"')
      .replace(/upload_test_[\w-]+/g, 'secret')
      .replace(/files\/file_[\w-]+/g, 'secret')
      .replace(/wh(?:sec|pk)_[\w+/=]+/g, 'secret')
      .replace(/("secretHint":(?:{"from":\w+,"to":)?)"[^"]+"/g, '$1"hint"'),
  ) as unknown;

/** A tool leaves out what is null, and shortens nothing else. */
const withoutNulls = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value ?? null, (_name, inner: unknown) => (inner === null ? undefined : inner)) ?? 'null') as unknown;

/** The entries of the audit log that this call has written. */
async function auditedBy(organizationId: string, work: () => Promise<Outcome>) {
  const newest = 'SELECT coalesce(max(ordinal), 0) AS ordinal FROM audit_entries WHERE organization_id = $1';
  const [before] = await rowsOf<{ ordinal: string }>(app.databaseUrl, newest, [organizationId]);
  const outcome = await work();
  const since = 'SELECT * FROM audit_entries WHERE organization_id = $1 AND ordinal > $2 ORDER BY ordinal';
  const entries = await rowsOf<Record<string, unknown>>(app.databaseUrl, since, [organizationId, before!.ordinal]);
  const written = entries.map(({ environment, action, resource_type, changes }) => ({
    ...{ environment, action, resource_type },
    changes: common(changes),
  }));
  return { outcome, written };
}

/** It tells of a credential, and a person in the console has none. */
const OF_A_CREDENTIAL = 'api.auth_context';

/** They tell of the caller, count calls, or say how long something took. */
const OF_THE_CALLER = [
  OF_A_CREDENTIAL,
  'usage.get',
  'requests.list',
  'upload_links.create',
  'claim_lines.decide',
  'webhooks.ping',
  'test.reset',
  ...Object.keys(factsOfExtensions('answersOfTheCaller')),
];

/** A call that succeeds, whatever the others have done, with what all doors can ask for. */
async function ownCall(operation: RegisteredOperation, key: string): Promise<Call> {
  const made: RecordIds = new Map();
  const call = await validCall(app, operation, key, made);
  if (!operation.body) return call;
  const body = await validBody(app, operation, key, { mark: newId(), made });
  return forAllDoors({ ...call, body: { ...(body as object), ...OWN_VALUES[operation.id]?.() } });
}

const aLayout = () => ({ layout: { columns: { [newId()]: 'date', Text: 'description', Sum: 'amount' } } });
/** What would be in the way of the call before: one layout is for one header, and one code for one category. */
const OWN_VALUES: Readonly<Record<string, () => object>> = {
  'statement_layouts.create': aLayout,
  'statement_layouts.update': aLayout,
  'batches.create': () => ({ operation: 'expense_categories.create', items: [{ code: newId(), name: 'Rail', sourceMapping: {} }] }),
  ...factsOfExtensions('ownValues'),
};

/** Without what the tool cannot ask for, and with what it always does. */
function forAllDoors(call: Call): Call {
  const { tool } = call.operation;
  if (typeof call.body !== 'object' || !tool?.without) return call;
  const asked = Object.entries(call.body).filter(([name]) => !tool.without!.includes(name));
  return { ...call, body: { ...Object.fromEntries(asked), ...tool.sets } };
}

let tenant: Awaited<ReturnType<typeof aTenant>>;
let ways: Way[];
beforeAll(async () => {
  tenant = await aTenant(app);
  ways = await waysOf(tenant);
});

const opensTo = (door: Way['door'], { id, tool }: RegisteredOperation): boolean =>
  door === 'REST' || (door === 'tools' ? tool !== undefined : id !== OF_A_CREDENTIAL);

describe.each(named(app.operations))('%s', (_id, operation) => {
  it('has the same answer and the same audit entry by every door, and the same refusal of a role below its own', async () => {
    const { organization, key } = tenant;
    const [byKey, ...others] = ways.filter(({ door }) => opensTo(door, operation));
    // Reads look at the same record; each write has records of its own.
    const first = await ownCall(operation, key);
    const expected = await auditedBy(organization.id, () => byKey!.call(first));
    expect([expected.outcome.problem, expected.written.length]).toEqual([undefined, operation.isWrite ? 1 : 0]);
    let noted = 0;
    for (const { name, role, door, call } of others) {
      const asked = operation.isWrite ? await ownCall(operation, key) : first;
      const { outcome, written } = await auditedBy(organization.id, () => call(asked));
      const isAllowed = isAtLeast(role ?? 'owner', operation.role ?? 'member');
      expect(outcome.problem, name).toBe(isAllowed ? undefined : 'role_required');
      // What is noted of a read, which is once for a person.
      const isOfRead = ({ action }: Record<string, unknown>): boolean => action === operation.reads?.action;
      noted += written.filter(isOfRead).length;
      const changed = written.filter((entry) => !isOfRead(entry));
      expect(changed, name).toEqual(isAllowed ? expected.written : []);
      if (!isAllowed || OF_THE_CALLER.includes(operation.id)) continue;
      const [seen, wanted] = [outcome.record, expected.outcome.record].map((record) =>
        common(door === 'tools' ? withoutNulls(record) : record),
      );
      expect(seen, name).toEqual(wanted);
    }
    // Those with tokens and those in the console are different people.
    if (operation.reads) expect(noted).toBe(2 * USER_ROLES.length);
  });

  it('refuses a record that does not exist the same by every door', async () => {
    if (operation.pathIds.length === 0) return;
    for (const { name, role, door, call } of ways) {
      if (!opensTo(door, operation)) continue;
      const refusal = isAtLeast(role ?? 'owner', operation.role ?? 'member') ? 'not_found' : 'role_required';
      expect((await call(forAllDoors(callForMissing(app, operation)))).problem, name).toBe(refusal);
    }
  });
});

it('an organization whose limit is used up is refused by every door, whatever it calls', async () => {
  const starter = await aTenant(app, { plan: 'starter' });
  const all = await waysOf(starter);
  await app.app.get(TenantLimits).take({ ...starter, environment: 'test' }, app.settings.rateLimits.starter!.burst);
  const outcomeOf = async (call: Way['call'], operation: RegisteredOperation) => (await call(callForMissing(app, operation))).problem;
  for (const { name, door, call } of all) {
    const operations = app.operations.filter((operation) => opensTo(door, operation));
    // The request that carries the calls of tools is refused, before they are read.
    if (door === 'tools') await expect(outcomeOf(call, operations[0]!), name).rejects.toThrow('rate_limited');
    else
      for (const operation of operations)
        expect([operation.id, await outcomeOf(call, operation)], name).toEqual([operation.id, 'rate_limited']);
  }
});
