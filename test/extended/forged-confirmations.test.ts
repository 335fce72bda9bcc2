import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.js';
import { aKey, aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';
import { asksClient, NEWEST, NO, ruled, type Said, sends, YES } from '../support/confirmations.js';
import { aVisitorOf, type Visitor } from '../support/console.js';
import { rowsOf } from '../support/database.js';
import { startDocumentedApp, type DocumentedApp } from '../support/documented-app.js';
import { everyRowOf } from '../support/law-database.js';

const AGENTS = 10;
const CALLS = 1_000;
const AT_ONCE = 10;

let app: DocumentedApp;
beforeAll(async () => {
  // A forger repeats itself, and would be slowed.
  app = await startDocumentedApp({ TOOL_REPEATS: '0' });
});
afterAll(() => app.close());

const CREATE = 'create_claim_project';
const PROJECT = { name: 'Berlin office', period_start: '2026-01-01', period_end: '2026-12-31' };
const aCreation = (name = 'Berlin office') => ({ ...PROJECT, name, idempotency_key: newId(), confirm: true });

async function agreed({ browser }: Visitor, { structuredContent }: Said): Promise<void> {
  const { pathname } = new URL(structuredContent!.confirmation!.url);
  expect((await browser.send(await browser.visit(pathname), {}, `${pathname}/agree`)).status).toBe(200);
}

/** An organization whose tools take people, with one of each thing that a forger could have got hold of. */
async function anAgent(other: { readonly key: string; readonly state: string }) {
  const { organization, key } = await aTenant(app, { environment: 'live' });
  await ruled(app, organization.id, { write: 'person', destructive: 'person' });
  const [headers, api] = [{ 'X-API-Key': key }, new Client(app.url, key)];
  const person = await aVisitorOf(app, organization);
  const project = (await api.post('/v1/claim-projects', { name: 'There', periodStart: '2026-01-01', periodEnd: '2026-12-31' })).body
    .id as string;
  const hook = { name: 'Sync', targetUrl: 'https://hooks.example.com/claims', subscribedEvents: ['claim_project.created'] };
  const webhook = (await api.post('/v1/webhooks', hook)).body.id as string;
  // Agreed to, and used.
  const used = aCreation('Used');
  const { asked: askedOfUsed } = await asksClient(app, headers, CREATE, used);
  // Agreed to on the page, and never used: only this very call would do something.
  const open = aCreation('Agreed');
  const said = await sends(app, headers, CREATE, open);
  await agreed(person, said);
  // Asked at the client, without a reply yet; and by another credential of the organization.
  const { asked } = await asksClient(app, headers, CREATE, aCreation('Asked'), { action: 'nonsense' });
  const second = { 'X-API-Key': (await aKey(app, organization.id, { environment: 'live' })).key };
  const { asked: askedBySecond } = await asksClient(app, second, CREATE, aCreation('Second'), { action: 'nonsense' });
  const states = {
    none: undefined,
    otherCall: asked.requestState,
    otherCredential: askedBySecond.requestState,
    otherOrganization: other.state,
    used: askedOfUsed.requestState,
    cut: asked.requestState!.slice(0, -3),
    longer: `${asked.requestState!}A`,
    empty: '',
  };
  const ids = [said.structuredContent!.confirmation!.id, newId()];
  return { organization, key, headers, person, project, webhook, used, open, states, ids };
}

type Agent = Awaited<ReturnType<typeof anAgent>>;

const CONFIRMS = [
  ...Array.from({ length: 24 }, () => true),
  false,
  undefined,
  null,
  'true',
  'yes',
  1,
  {},
  [true],
  { confirm: true },
] as const;
const REPLIES = [
  YES,
  YES,
  YES,
  NO,
  { action: 'accept' },
  { action: 'accept', content: { confirm: 'true' } },
  true,
  'accept',
  null,
] as const;
const EXTRAS = ['confirmation', 'confirmation_id', 'confirmed', 'agreed', 'agreed_by', 'rule', 'requestState', 'inputResponses'] as const;
const CHANGES = [
  { name: 'Agreed ' },
  { name: 'agreed' },
  { period_end: '2026-12-30' },
  { metadata: {} },
  { metadata: { agreed: true } },
  { client_reference: 'X' },
  { idempotency_key: 'another' },
] as const;

const forged = fc.record({
  what: fc.constantFrom('fresh', 'changed', 'used', 'update', 'delete'),
  name: fc.string({ minLength: 1, maxLength: 12 }),
  change: fc.constantFrom(...CHANGES),
  confirm: fc.constantFrom(...CONFIRMS),
  reply: fc.option(fc.oneof(fc.constantFrom(...REPLIES), fc.jsonValue())),
  state: fc.oneof(
    fc.constantFrom('none', 'otherCall', 'otherCredential', 'otherOrganization', 'used', 'cut', 'longer', 'empty'),
    fc.base64String({ maxLength: 80 }).map((text) => ({ text })),
  ),
  extra: fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.constantFrom(...EXTRAS) }),
  revision: fc.constantFrom(NEWEST, NEWEST, '2025-11-25', '2025-06-18', '2025-03-26'),
  canAsk: fc.boolean(),
  isPlain: fc.boolean(),
});
type Forged = Parameters<Parameters<typeof forged.map>[0]>[0];

function callOf({ used, open, project, webhook, ids }: Agent, { what, name, change, confirm, extra }: Forged): readonly [string, object] {
  const more = extra === null ? {} : { [extra]: ids[name.length % 2] };
  if (what === 'delete') return ['delete_webhook', { webhook_id: webhook, confirm_delete: confirm, ...more }];
  if (what === 'update') return ['update_claim_project', { project_id: project, name, idempotency_key: newId(), confirm, ...more }];
  const base = what === 'used' ? used : what === 'changed' ? { ...open, ...change } : aCreation(name);
  return [CREATE, { ...base, confirm, ...more }];
}

async function forge(agent: Agent, one: Forged): Promise<Said> {
  const { reply, state, revision, canAsk, isPlain } = one;
  const requestState = typeof state === 'string' ? agent.states[state as keyof Agent['states']] : state.text;
  const replies = {
    ...(reply !== null && { inputResponses: { confirmation: reply } }),
    ...(requestState !== undefined && { requestState }),
  };
  const capabilities = canAsk ? { elicitation: { form: {} } } : {};
  return sends(app, agent.headers, ...callOf(agent, one), { revision, capabilities, isPlain, replies });
}

async function rows({ organization }: Agent): Promise<Record<string, string[]>> {
  const { confirmations: _asked, ...others } = await everyRowOf(app, organization.id);
  return others;
}

it('no forged confirmation writes anything', { timeout: 30 * 60_000 }, async () => {
  const stranger = await aTenant(app, { environment: 'live' });
  await ruled(app, stranger.organization.id, { write: 'person' });
  const { asked } = await asksClient(app, { 'X-API-Key': stranger.key }, CREATE, aCreation('Elsewhere'), { action: 'nonsense' });
  const other = { key: stranger.key, state: asked.requestState! };
  const outcomes = new Map<string, number>();
  for (let count = 0; count < AGENTS; count += 1) {
    const agent = await anAgent(other);
    const before = await rows(agent);
    const calls = fc.sample(forged, CALLS);
    for (let from = 0; from < calls.length; from += AT_ONCE) {
      const chunk = calls.slice(from, from + AT_ONCE);
      const said = await Promise.all(chunk.map((one) => forge(agent, one)));
      for (const [index, { isError, structuredContent, requestState }] of said.entries()) {
        const isReplay = chunk[index]!.what === 'used' && structuredContent?.name === 'Used';
        const outcome = requestState ? 'asked' : isReplay ? 'replayed' : isError ? String(structuredContent?.code ?? 'protocol') : 'done';
        expect(outcome, JSON.stringify(chunk[index])).not.toBe('done');
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      }
      // Else no more than 100 could wait.
      await rowsOf(app.databaseUrl, `DELETE FROM confirmations WHERE organization_id = $1 AND agreed_at IS NULL`, [agent.organization.id]);
    }
    expect(await rows(agent)).toEqual(before);
    // What was agreed to is still there, and is done, once.
    const again = await sends(app, agent.headers, CREATE, agent.open);
    if (again.structuredContent?.confirmation) await agreed(agent.person, again);
    const done = again.isError ? await sends(app, agent.headers, CREATE, agent.open) : again;
    expect(done.structuredContent).toMatchObject({ name: 'Agreed' });
    const projects = await rowsOf(app.databaseUrl, 'SELECT 1 FROM claim_projects WHERE organization_id = $1', [agent.organization.id]);
    expect(projects).toHaveLength(3);
  }
  console.log(`outcomes: ${JSON.stringify(Object.fromEntries(outcomes))}`);
  // Each kind of refusal was met, so that none hides the others.
  expect([...outcomes.keys()]).toEqual(expect.arrayContaining(['asked', 'replayed', 'confirmation_needed', 'validation_failed']));
});
