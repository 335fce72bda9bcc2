import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RulesByRisk } from '../../../src/kernel/confirmation-rules.js';
import { type Environment, OPERATOR } from '../../../src/kernel/context.js';
import { newId } from '../../../src/kernel/ids.js';
import type { UserRole } from '../../../src/kernel/roles.js';
import { ConfirmationUpkeep } from '../../../src/modules/confirmations/index.js';
import { aKey, aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { asksClient, NO, ruled, type Said, sends, YES } from '../../support/confirmations.js';
import { aVisitorOf, textOf } from '../../support/console.js';
import { rowsOf } from '../../support/database.js';
import { startDocumentedApp, type DocumentedApp } from '../../support/documented-app.js';
import { eventually } from '../../support/eventually.js';
import { everyRowOf } from '../../support/law-database.js';
import { connectTools, namesOf } from '../../support/tools.js';
import { PASSWORD, usersOf } from '../../support/users.js';

let app: DocumentedApp;
beforeAll(async () => {
  app = await startDocumentedApp();
});
afterAll(() => app.close());

const PROJECT = { name: 'Berlin office', period_start: '2026-01-01', period_end: '2026-12-31' };

/** An organization with a key, whose tools may do what the rules say. */
async function anAgent(rules?: RulesByRisk, environment: Environment = 'live') {
  const { organization, keyId, key } = await aTenant(app, { environment });
  if (rules) await ruled(app, organization.id, rules);
  const headers = { 'X-API-Key': key };
  const api = new Client(app.url, key);
  const create = (inputs: object, sending = {}) => sends(app, headers, 'create_claim_project', inputs, sending);
  const projects = async () => ((await api.get('/v1/claim-projects')).body as { data: { name: string }[] }).data;
  const audit = () =>
    rowsOf<{ action: string; actor_name: string; actor_type: string; changes: Record<string, { to: unknown }> }>(
      app.databaseUrl,
      `SELECT action, actor_name, actor_type, changes FROM audit_entries
          WHERE organization_id = $1 AND action ~ '^(confirmation|claim_project|webhook)'
        UNION ALL SELECT action, actor_name, actor_type, changes FROM audit_events
          WHERE organization_id = $1 AND action ~ '^(confirmation|claim_project|webhook)'`,
      [organization.id],
    );
  const person = (role: UserRole = 'owner') => aVisitorOf(app, organization, { role });
  return { organization, keyId, key, headers, api, create, projects, audit, person };
}

const inputs = (more: object = {}) => ({ ...PROJECT, idempotency_key: newId(), confirm: true, ...more });
const idOf = ({ structuredContent }: Said): string => structuredContent!.confirmation!.id;
const pathOf = ({ structuredContent }: Said): string => new URL(structuredContent!.confirmation!.url).pathname;
type Person = Awaited<ReturnType<Awaited<ReturnType<typeof anAgent>>['person']>>;
const answers = async ({ browser }: Person, said: Said, answer: 'agree' | 'refuse', fields = {}) =>
  browser.send(await browser.visit(pathOf(said)), fields, `${pathOf(said)}/${answer}`);

async function aWebhook({ api }: Pick<Awaited<ReturnType<typeof anAgent>>, 'api'>) {
  const body = { name: 'Sync', targetUrl: 'https://hooks.example.com/claims', subscribedEvents: ['claim_project.created'] };
  return (await api.post('/v1/webhooks', body)).body.id as string;
}

describe('a rule', () => {
  it('lets models change live data and asks a person before they delete it, unless the organization says otherwise', async () => {
    const [live, test] = [await anAgent(), await anAgent(undefined, 'test')];
    for (const agent of [live, test]) expect((await agent.create(inputs())).isError).toBeUndefined();
    const [id, ofTest] = [await aWebhook(live), await aWebhook(test)];
    const said = await sends(app, live.headers, 'delete_webhook', { webhook_id: id, confirm_delete: true });
    expect(said).toMatchObject({ isError: true, structuredContent: { code: 'confirmation_needed', confirmation: { state: 'open' } } });
    expect((await live.api.get(`/v1/webhooks/${id}`)).status).toBe(200);
    const deleted = await sends(app, test.headers, 'delete_webhook', { webhook_id: ofTest, confirm_delete: true });
    expect(deleted.isError).toBeUndefined();
  });

  it('`never` refuses the tool, says so to the model, and does not list it', async () => {
    const agent = await anAgent({ write: 'never' });
    for (const given of [inputs(), inputs({ confirm: false })]) {
      const said = await agent.create(given);
      expect(said).toMatchObject({ isError: true, structuredContent: { code: 'confirmation_needed' } });
      expect(said.content![0]!.text).toMatch(/^The organization lets no tool do this\. Nothing was done\. .*do not call it again\./);
    }
    const names = await namesOf(await connectTools(app, agent.headers));
    expect(names).toContain('list_claim_projects');
    expect(names).not.toContain('create_claim_project');
    expect(await agent.projects()).toEqual([]);
  });

  it('is for tools: programs that call the API are not asked', async () => {
    const { api } = await anAgent({ write: 'never', destructive: 'never' });
    expect((await api.post('/v1/claim-projects', { name: 'Berlin', periodStart: '2026-01-01', periodEnd: '2026-12-31' })).status).toBe(201);
  });

  it('of an organization is set on its page by an admin, and the audit log has it', async () => {
    const agent = await anAgent();
    const admin = await agent.person('admin');
    await admin.browser.fill('/console/live/organization/edit', { 'live.write': 'two_people' }, '/console/live/organization/agents');
    const [row] = await rowsOf<{ confirmations: object }>(app.databaseUrl, 'SELECT confirmations FROM organizations WHERE id = $1', [
      agent.organization.id,
    ]);
    expect(row!.confirmations).toEqual({
      test: { write: 'model', destructive: 'model' },
      live: { write: 'two_people', destructive: 'person' },
    });
    const entries = await rowsOf(
      app.databaseUrl,
      `SELECT actor_id FROM audit_entries WHERE organization_id = $1 AND action = 'organization.agents_changed'`,
      [agent.organization.id],
    );
    expect(entries).toEqual([{ actor_id: admin.user.id }]);
    const refused = await (await agent.person('member')).browser.visit('/console/live/organization/edit');
    expect(refused.status).toBe(403);
  });
});

describe('under the rule `person`', () => {
  it('a call does nothing, and gives the model a link and what to do', async () => {
    const agent = await anAgent({ write: 'person' });
    const given = inputs();
    for (const confirm of [true, false]) {
      const said = await agent.create({ ...given, confirm });
      const { url } = said.structuredContent!.confirmation!;
      expect(url).toMatch(new RegExp(`^${app.url}/console/live/confirmations/[0-9a-f-]{36}$`));
      expect(said.content![0]!.text).toContain(`${url} Then repeat the same call, unchanged, with confirm: true.`);
      expect(said.structuredContent).toMatchObject({ wouldSend: { method: 'POST', url: '/v1/claim-projects' }, confirmationUrl: url });
    }
    expect(await agent.projects()).toEqual([]);
  });

  it('the same call asked again has the same confirmation, and any other one of its own', async () => {
    const agent = await anAgent({ write: 'person' });
    const given = inputs();
    const ids = [];
    for (const call of [given, given, { ...given, name: 'Other' }, { ...given, idempotency_key: newId() }])
      ids.push(idOf(await agent.create(call)));
    expect([ids[0] === ids[1], new Set(ids).size]).toEqual([true, 3]);
  });

  it('what a person agreed to on the page is done once, by the call that they saw, and the audit log names both', async () => {
    const agent = await anAgent({ write: 'person' });
    const given = inputs();
    const said = await agent.create(given);
    const person = await agent.person();
    const { text } = await person.browser.visit(pathOf(said));
    for (const shown of ['Create a claim project', 'A key (mcp, A client)', 'Berlin office', 'POST /v1/claim-projects'])
      expect(textOf(text)).toContain(shown);
    expect((await answers(person, said, 'agree')).status).toBe(200);
    expect(await agent.projects()).toEqual([]);
    expect((await agent.create({ ...given, name: 'Another' })).isError).toBe(true);
    const done = await agent.create(given);
    expect(done.structuredContent).toMatchObject({ name: 'Berlin office' });
    expect((await agent.create(given)).structuredContent).toEqual(done.structuredContent);
    expect(await agent.projects()).toHaveLength(1);
    const entries = await agent.audit();
    expect(entries.find(({ action }) => action === 'confirmation.agreed')).toMatchObject({
      actor_type: 'user',
      changes: { operation: { to: 'claim_projects.create' }, way: { to: 'page' }, sha256: { to: expect.stringMatching(/^[0-9a-f]{64}$/) } },
    });
    expect(entries.find(({ action }) => action === 'claim_project.created')!.actor_name).toBe(
      `A key (mcp, A client, confirmed ${idOf(said)})`,
    );
  });

  it('a second use is refused: a delete needs another agreement', async () => {
    const agent = await anAgent();
    const [id, person] = [await aWebhook(agent), await agent.person()];
    const remove = () => sends(app, agent.headers, 'delete_webhook', { webhook_id: id, confirm_delete: true });
    const said = await remove();
    await answers(person, said, 'agree', { password: PASSWORD });
    expect((await remove()).isError).toBeUndefined();
    const again = await remove();
    expect(again.structuredContent!.confirmation).toMatchObject({ state: 'open' });
    expect(idOf(again)).not.toBe(idOf(said));
  });

  it('many calls at once with one agreement are one write', async () => {
    const agent = await anAgent();
    const [id, person] = [await aWebhook(agent), await agent.person()];
    const remove = () => sends(app, agent.headers, 'delete_webhook', { webhook_id: id, confirm_delete: true });
    await answers(person, await remove(), 'agree', { password: PASSWORD });
    const all = await Promise.all(Array.from({ length: 8 }, remove));
    expect(all.filter(({ isError }) => !isError)).toHaveLength(1);
  });

  it('a delete is agreed to only by somebody who shows once more who they are', async () => {
    const agent = await anAgent();
    const [id, person] = [await aWebhook(agent), await agent.person()];
    const remove = () => sends(app, agent.headers, 'delete_webhook', { webhook_id: id, confirm_delete: true });
    const said = await remove();
    expect((await answers(person, said, 'agree', { password: 'wrong' })).status).toBe(400);
    expect((await remove()).structuredContent!.confirmation).toMatchObject({ state: 'open' });
    expect((await answers(person, said, 'agree', { password: PASSWORD })).status).toBe(200);
    expect((await remove()).isError).toBeUndefined();
  });

  it('a person refuses it on the page: the model is told, and asks nobody again for the same', async () => {
    const agent = await anAgent({ write: 'person' });
    const given = inputs();
    const said = await agent.create(given);
    await answers(await agent.person(), said, 'refuse');
    const after = await agent.create(given);
    expect(after.structuredContent!.confirmation).toMatchObject({ id: idOf(said), state: 'refused' });
    expect(after.content![0]!.text).toContain('a person has refused this call');
    expect((await agent.audit()).map(({ action }) => action)).toEqual(['confirmation.refused']);
    expect(await agent.projects()).toEqual([]);
  });

  it('who may not do it themselves neither sees nor answers it, nor does somebody of another organization', async () => {
    const [agent, other] = [await anAgent(), await anAgent()];
    const id = await aWebhook(agent);
    const said = await sends(app, agent.headers, 'delete_webhook', { webhook_id: id, confirm_delete: true });
    const [member, stranger] = [await agent.person('member'), await other.person()];
    expect((await member.browser.visit(pathOf(said))).status).toBe(403);
    expect((await member.browser.visit('/console/live/confirmations')).text).toContain('Nothing waits for you.');
    expect((await stranger.browser.visit(pathOf(said))).status).toBe(404);
    const owner = await agent.person();
    expect((await owner.browser.visit('/console/live/confirmations')).text).toContain(pathOf(said));
    const shown = await owner.browser.visit(pathOf(said));
    const csrf = /name="csrf" value="([^"]+)"/.exec((await member.browser.visit('/console/live')).text)![1]!;
    const sent = await member.browser.visit(`${pathOf(said)}/agree`, { csrf, password: PASSWORD });
    expect([shown.status, sent.status]).toEqual([200, 403]);
  });

  it('who was removed meanwhile agrees to nothing', async () => {
    const agent = await anAgent({ write: 'person' });
    const [given, person] = [inputs(), await agent.person('admin')];
    const said = await agent.create(given);
    const shown = await person.browser.visit(pathOf(said));
    await usersOf(app).remove(OPERATOR, person.user.id);
    await person.browser.send(shown, {}, `${pathOf(said)}/agree`);
    expect((await agent.create(given)).structuredContent!.confirmation).toMatchObject({ state: 'open' });
  });

  it.each(['removed', 'made a member'])('what somebody agreed to who was %s since is refused, and the audit log says so', async (what) => {
    const agent = await anAgent();
    const [id, person] = [await aWebhook(agent), await agent.person('admin')];
    const remove = () => sends(app, agent.headers, 'delete_webhook', { webhook_id: id, confirm_delete: true });
    await answers(person, await remove(), 'agree', { password: PASSWORD });
    if (what === 'removed') await usersOf(app).remove(OPERATOR, person.user.id);
    else await usersOf(app).changeRole(OPERATOR, person.user.id, 'member');
    expect(await remove()).toMatchObject({ isError: true, structuredContent: { confirmation: { state: 'refused' } } });
    expect((await agent.api.get(`/v1/webhooks/${id}`)).status).toBe(200);
    expect((await agent.audit()).map(({ action }) => action)).toContain('confirmation.refused');
  });

  it.each(['before it was agreed to', 'before it was used'])('what is over %s does nothing', async (when) => {
    const agent = await anAgent({ write: 'person' });
    const given = inputs();
    const said = await agent.create(given);
    const end = () =>
      rowsOf(app.databaseUrl, `UPDATE confirmations SET expires_at = now() - interval '1 second' WHERE id = $1`, [idOf(said)]);
    const person = await agent.person();
    if (when === 'before it was used') await answers(person, said, 'agree');
    else {
      const shown = await person.browser.visit(pathOf(said));
      await end();
      expect((await person.browser.send(shown, {}, `${pathOf(said)}/agree`)).status).toBe(404);
    }
    await end();
    const after = await agent.create(given);
    expect([after.isError, idOf(after) === idOf(said), await agent.projects()]).toEqual([true, false, []]);
  });

  it('an agreement is for one credential, one environment and one rule', async () => {
    const agent = await anAgent({ write: 'person' });
    const given = inputs();
    const { id: organizationId } = agent.organization;
    await answers(await agent.person(), await agent.create(given), 'agree');
    for (const environment of ['live', 'test'] as const) {
      const { key } = await aKey(app, organizationId, { environment });
      expect((await sends(app, { 'X-API-Key': key }, 'create_claim_project', given)).isError).toBe(true);
    }
    await ruled(app, organizationId, { write: 'two_people' });
    // What a key stands for is known for half a second.
    const other = inputs();
    await eventually(async () => expect((await agent.create(other)).structuredContent!.confirmation).toMatchObject({ rule: 'two_people' }));
    expect((await agent.create(given)).structuredContent!.confirmation).toMatchObject({ rule: 'two_people', state: 'open' });
    expect(await agent.projects()).toEqual([]);
  });

  it('wrong inputs are refused as ever, and people are not asked about them', async () => {
    const agent = await anAgent({ write: 'person', destructive: 'person' });
    const said = await agent.create(inputs({ period_end: 'soon', nonsense: 1 }));
    expect(said.structuredContent).toMatchObject({ code: 'validation_failed' });
    const id = await aWebhook(agent);
    const deletes = await sends(app, agent.headers, 'delete_webhook', { webhook_id: id, confirm_delete: true, nonsense: 1 });
    expect(deletes.structuredContent).toMatchObject({ code: 'validation_failed' });
    expect((await agent.create({ ...PROJECT })).structuredContent).toMatchObject({ code: 'idempotency_key_missing' });
    expect(await rowsOf(app.databaseUrl, 'SELECT 1 FROM confirmations WHERE organization_id = $1', [agent.organization.id])).toEqual([]);
  });

  it('at most 100 calls of a credential wait for people', async () => {
    const agent = await anAgent({ write: 'person' });
    await rowsOf(
      app.databaseUrl,
      `INSERT INTO confirmations (organization_id, id, environment, credential_id, asked_by, operation, digest, shown, rule,
          created_at, expires_at)
        SELECT $1, gen_random_uuid(), 'live', $2, '', 'claim_projects.create', '', '', 'person', now(), now() + interval '5 minutes'
          FROM generate_series(1, 100)`,
      [agent.organization.id, agent.keyId],
    );
    expect((await agent.create(inputs())).structuredContent).toMatchObject({ code: 'limit_exceeded' });
  });

  it('a worker removes it a day after it ended', async () => {
    const agent = await anAgent({ write: 'person' });
    const [old, young] = [idOf(await agent.create(inputs())), idOf(await agent.create(inputs()))];
    await rowsOf(app.databaseUrl, `UPDATE confirmations SET expires_at = now() - interval '25 hours' WHERE id = $1`, [old]);
    await app.app.get(ConfirmationUpkeep).remove();
    const rows = await rowsOf(app.databaseUrl, 'SELECT id FROM confirmations WHERE id = ANY ($1)', [[old, young]]);
    expect(rows).toEqual([{ id: young }]);
  });

  it('what would be sent is stored encrypted', async () => {
    const agent = await anAgent({ write: 'person' });
    await agent.create(inputs({ name: 'Seldom seen' }));
    expect(JSON.stringify((await everyRowOf(app, agent.organization.id)).confirmations)).not.toContain(
      Buffer.from('Seldom seen').toString('hex'),
    );
  });
});

describe('a client that can ask its person', () => {
  it('asks them, also about a call with `confirm: true`; their yes and the change are one transaction', async () => {
    const agent = await anAgent({ write: 'person' });
    const { asked, said } = await asksClient(app, agent.headers, 'create_claim_project', inputs());
    expect(asked).toMatchObject({ resultType: 'input_required' });
    expect(said.structuredContent).toMatchObject({ name: 'Berlin office' });
    const entries = await agent.audit();
    const [row] = await rowsOf<{ id: string }>(app.databaseUrl, 'SELECT id FROM confirmations WHERE organization_id = $1', [
      agent.organization.id,
    ]);
    expect(entries.find(({ action }) => action === 'confirmation.agreed')).toMatchObject({
      actor_type: 'api',
      changes: { way: { to: 'client' } },
    });
    expect(entries.map(({ actor_name: name }) => name)).toEqual(Array(2).fill(`A key (mcp, A client, confirmed ${row!.id})`));
  });

  it('may say no for them: the model is told no way around it', async () => {
    const agent = await anAgent({ write: 'person' });
    const given = inputs();
    const { said } = await asksClient(app, agent.headers, 'create_claim_project', given, NO);
    expect(said.structuredContent).toMatchObject({ code: 'confirmation_needed' });
    expect((await agent.create(given)).structuredContent!.confirmation).toMatchObject({ state: 'refused' });
    expect(await agent.projects()).toEqual([]);
  });

  it('counts for nothing where two people have to agree', async () => {
    const agent = await anAgent({ write: 'two_people' });
    const capabilities = { elicitation: { form: {} } };
    const said = await agent.create(inputs(), { capabilities, replies: { inputResponses: { confirmation: YES } } });
    expect(said.structuredContent!.confirmation).toMatchObject({ state: 'open', rule: 'two_people' });
    expect(await agent.projects()).toEqual([]);
  });
});

it('under the rule `two_people`, two different people agree on the page', async () => {
  const agent = await anAgent({ write: 'two_people' });
  const given = inputs();
  const said = await agent.create(given);
  const [one, other] = [await agent.person(), await agent.person('member')];
  await answers(one, said, 'agree');
  const shown = await one.browser.visit(pathOf(said));
  expect(shown.text).toContain('Another person has to agree, too.');
  expect(shown.text).not.toContain('/agree"');
  expect((await agent.create(given)).structuredContent!.confirmation).toMatchObject({ state: 'open' });
  await answers(other, said, 'agree');
  expect((await agent.create(given)).structuredContent).toMatchObject({ name: 'Berlin office' });
  const agreed = (await agent.audit()).filter(({ action }) => action === 'confirmation.agreed');
  expect(agreed).toHaveLength(2);
});
