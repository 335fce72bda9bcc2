import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixtureOf, signedFixture } from '../../client/src/fixtures.js';
import { Claims, WebhookError, Webhooks, type ClaimsEvent, type EventType } from '../../client/src/index.js';
import type { TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { expectValid } from '../support/law-answers.js';
import type { OpenApi } from '../support/law-document.js';
import { aProject, openHook, startDelivering } from '../support/webhooks.js';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

const text = await readFile(fileURLToPath(new URL('../../docs/openapi.json', import.meta.url)), 'utf8');
const document = JSON.parse(text) as OpenApi;
const KINDS = Object.keys(document.webhooks) as EventType[];

function expectOfItsKind(event: ClaimsEvent): void {
  const { $ref } = document.webhooks[event.type]!.post.requestBody!.content['application/json']!.schema!;
  expectValid(document, $ref!.slice(2).split('/'), event);
}

describe('a fixture', () => {
  it.each(KINDS)('of %s matches its schema, and verifies when signed', async (kind) => {
    expectOfItsKind(fixtureOf(kind));
    const { body, headers } = await signedFixture(kind, SECRET);
    expect(new Webhook(SECRET).verify(body, headers)).toEqual(JSON.parse(body));
    expect(await Webhooks.verify(body, headers, SECRET)).toMatchObject({ type: kind });
    expect(headers).toMatchObject({ 'x-service-event': kind, 'webhook-id': (JSON.parse(body) as ClaimsEvent).id });
  });

  it('that lacks a field does not match its schema', () => {
    const { organizationId: _left, ...event } = fixtureOf('claim_project.created');
    expect(() => expectOfItsKind(event as ClaimsEvent)).toThrow(/organizationId/);
  });

  it('is an event of its own each time, with what the test states', () => {
    const [one, other] = [1, 2].map(() => fixtureOf('claim_project.updated', { changedFields: ['status'], data: { status: 'archived' } }));
    expect(one!.id).not.toBe(other!.id);
    expect(one).toMatchObject({ type: 'claim_project.updated', changedFields: ['status'], data: { status: 'archived' } });
    expect(one!.data!.periodStart).toBe(fixtureOf('claim_project.updated').data!.periodStart);
    expectOfItsKind(one!);
  });

  it('with a record has no data, as when the record is too large', () => {
    const record = { id: crypto.randomUUID(), type: 'claim_report', path: '/v1/claim-reports/x' } as const;
    const event = fixtureOf('claim_report.succeeded', { record });
    expect(event).toMatchObject({ record });
    expect(event).not.toHaveProperty('data');
    expectOfItsKind(event);
  });

  it('can be as old as the test needs', async () => {
    const { body, headers } = await signedFixture('user.invited', SECRET, {}, { timestamp: new Date(Date.now() - 301_000) });
    const error: unknown = await Webhooks.verify(body, headers, SECRET).catch((thrown: unknown) => thrown);
    expect(error instanceof WebhookError && error.mistake).toBe('clock');
  });
});

describe('with the service', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startDelivering();
  });
  afterAll(() => app.close());

  it('listEvents has the events of deliveries, told apart by their kind', async () => {
    const { api, key, receiver } = await openHook(app);
    const claims = new Claims({ apiKey: key, baseUrl: app.url });
    const { nextCursor } = await claims.webhooks.listEvents().page();
    const { name } = await aProject(api);
    const found = await eventually(async () => {
      const names: string[] = [];
      for await (const event of claims.webhooks.listEvents({ ...nextCursor, kind: 'claim_project.created' }))
        if (event.type === 'claim_project.created') names.push(event.data!.name);
      expect(names).toHaveLength(1);
      return names;
    });
    expect(found).toEqual([name]);
    await receiver.close();
  });
});
