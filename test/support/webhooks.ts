import type { Log } from '../../src/kernel/log.js';
import { expect } from 'vitest';
import { OPERATOR, type Environment } from '../../src/kernel/context.js';
import { EndpointOperations } from '../../src/modules/webhooks/index.js';
import { startApp, type TestApp } from './app.js';
import { aTenant } from './builders.js';
import { Client } from './client.js';
import { createDatabase } from './database.js';
import { eventually } from './eventually.js';
import { Receiver, type Received } from './receiver.js';

export const WEBHOOKS = '/v1/webhooks';

/** An endpoint as REST returns it. */
export interface Webhook {
  readonly id: string;
  readonly environment: Environment;
  readonly name: string;
  readonly targetUrl: string;
  readonly subscribedEvents: string[];
  readonly description: string | null;
  readonly status: 'active' | 'disabled';
  readonly disabledReason: string | null;
  readonly secretHint: string;
  readonly previousSecretExpiresAt: string | null;
  readonly lastDeliveryAt: string | null;
  readonly headerNames: string[];
  readonly rateLimit: number | null;
  readonly projectIds: string[] | null;
  readonly ordered: boolean;
  readonly payload: 'full' | 'thin';
  readonly signature: 'hmac' | 'ed25519';
  readonly publicKey: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly secret?: string;
}

/** The body of a create request. Its target need not resolve. */
export function webhookInput(wanted: object = {}) {
  return {
    name: 'Month-end sync',
    targetUrl: 'https://hooks.example.com/claims',
    subscribedEvents: ['claim_project.created', 'claim_project.updated'],
    ...wanted,
  };
}

export async function aWebhook(api: Client, wanted: object = {}): Promise<Webhook> {
  const { status, text, body } = await api.post(WEBHOOKS, webhookInput(wanted));
  expect(status, text).toBe(201);
  return body as Webhook;
}

/** A row of the delivery log as REST returns it. */
export interface Delivery {
  readonly id: string;
  readonly eventId: string;
  readonly eventKind: string;
  readonly attempt: number;
  readonly trigger: string;
  readonly status: string;
  readonly responseStatus: number | null;
  readonly errorCode: string | null;
  readonly durationMs: number | null;
  readonly scheduledAt: string;
  readonly attemptedAt: string | null;
  readonly nextAttemptAt: string | null;
  readonly requestId: string | null;
  readonly createdAt: string;
}

/** Settings for deliveries in tests: to this machine, with short retries. */
export const DELIVERING = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', WEBHOOK_RETRY_SCHEDULE: '0s,100ms,200ms' };

/** An application with a worker. Workers serve all organizations, so it has a database of its own. */
export async function startDelivering(env: Record<string, string> = {}, log?: Log): Promise<TestApp> {
  const database = await createDatabase();
  const app = await startApp({ DATABASE_URL: database.url, ROLE: 'all', ...DELIVERING, ...env }, log);
  return { ...app, close: () => app.close().then(database.drop) };
}

/** An endpoint of a new organization, and its receiver, which responds with 200 unless told otherwise. */
export async function openHook(app: TestApp, wanted: object = {}) {
  const { key, organization } = await aTenant(app);
  const api = new Client(app.url, key);
  const receiver = await Receiver.start();
  const webhook = await aWebhook(api, { targetUrl: `${receiver.url}/hook`, ...wanted });
  const path = `${WEBHOOKS}/${webhook.id}`;
  const current = async () => (await api.get(path)).body as Webhook;
  const change = async (body: object) => {
    const answer = await api.patch(path, body);
    expect(answer.status, answer.text).toBe(200);
    return answer.body as Webhook;
  };
  const log = async (query = '') => (await api.get(`${path}/deliveries${query}`)).body.data as Delivery[];
  return { api, key, organizationId: organization.id, receiver, webhook, path, current, change, log };
}

export type Hook = Awaited<ReturnType<typeof openHook>>;

const PROJECTS = '/v1/claim-projects';
let projects = 0;

/** Creates a project, which emits an event. */
export async function aProject(api: Client): Promise<{ id: string; name: string }> {
  projects += 1;
  const { status, text, body } = await api.post(PROJECTS, {
    name: `Project ${projects}`,
    periodStart: '2026-01-01',
    periodEnd: '2026-12-31',
  });
  expect(status, text).toBe(201);
  return body as { id: string; name: string };
}

export const renameProject = (api: Client, id: string, name: string) => api.patch(`${PROJECTS}/${id}`, { name });

/** Waits until exactly this many requests were received. */
export const untilReceived = (receiver: Receiver, count: number): Promise<void> =>
  eventually(() => expect(receiver.received.map(({ path }) => path)).toHaveLength(count));

/** Waits until no delivery is pending, and returns the delivery log. */
export const untilSettled = (hook: Hook): Promise<Delivery[]> =>
  eventually(async () => {
    const log = await hook.log();
    expect(log).not.toHaveLength(0);
    expect(log.filter(({ status }) => status === 'pending')).toEqual([]);
    return log;
  });

/** Replays what an endpoint has missed since a time, and returns how many deliveries that makes. */
export async function replay({ app }: TestApp, { webhook }: Hook, since: string): Promise<number> {
  return (await app.get(EndpointOperations).replay(OPERATOR, webhook.id, { since })).deliveries;
}

/** Makes an event, and returns what the receiver of the endpoint got. */
export async function nextDelivery(hook: Hook): Promise<Received> {
  const { length } = hook.receiver.received;
  await aProject(hook.api);
  await untilReceived(hook.receiver, length + 1);
  return hook.receiver.received[length]!;
}
