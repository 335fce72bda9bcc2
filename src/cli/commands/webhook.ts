import { type Command, InvalidArgumentError, Option } from 'commander';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Environment } from '../../kernel/context.js';
import { StartError } from '../../kernel/settings/settings.js';
import { utcTime } from '../../kernel/time.js';
import type { Heard } from '../../modules/webhooks/index.js';
import { headersOf, makeSecret, signingKey } from '../../modules/webhooks/signing/index.js';
import { call, reasonOf } from '../call.js';
import { commaList } from '../../kernel/text.js';
import { duration, jsonCommand, type JsonOption, parseEnvironment, print, serviceAddress, withServices, operator } from '../command.js';
import { EventFeed, type FedEvent, type FeedOptions } from '../event-feed.js';
import { loginToken, loginAt } from '../logins.js';
import type { Services } from '../open-services.js';
import { addExplain, addQuestion } from './support.js';

const TIMEOUT_MS = 15_000;

/** Posts events to a URL and prints how each was answered. One at a time, to keep their order. */
async function forwardAll(
  events: AsyncIterable<Heard>,
  options: { readonly forwardTo: string; readonly json?: boolean },
  stop: AbortSignal,
): Promise<void> {
  for await (const event of events) {
    const { status, error } = await forward(event, options.forwardTo, stop);
    if (stop.aborted) return;
    print(options, { id: event.id, kind: event.kind, responseStatus: status, error }, [
      `${event.kind}  ${event.id}  ${status ?? `FAILED: ${error}`}`,
    ]);
  }
}

/** Does not use the sender of deliveries, which refuses this machine. */
async function forward({ headers, body }: Heard, url: string, stop: AbortSignal): Promise<{ status: number | null; error: string | null }> {
  try {
    const all = { 'content-type': 'application/json', ...headers };
    return await call(url, { method: 'POST', headers: all, body, timeoutMs: TIMEOUT_MS, stop }, (answer) => {
      answer.destroy();
      return { status: answer.statusCode ?? null, error: null };
    });
  } catch (error) {
    return { status: null, error: reasonOf(error) };
  }
}

interface ListenOptions {
  forwardTo: string;
  api?: string;
  keyStdin?: boolean;
  org?: string;
  environment: Environment;
  events?: string[];
  secretStdin?: boolean;
  json?: boolean;
}

const SECRET_VARIABLE = 'CLAIMS_WEBHOOK_SECRET';
const KEY_VARIABLE = 'CLAIMS_API_KEY';

function address(value: string): string {
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol))
    throw new InvalidArgumentError('must be a URL such as http://127.0.0.1:4000/hooks');
  return value;
}

/** Not an option: everyone on the machine can see the arguments of a process. */
function givenSecret({ secretStdin }: ListenOptions, command: Command): string | undefined {
  const given = secretStdin ? readFileSync(0, 'utf8').trim() : process.env[SECRET_VARIABLE];
  // Any length that Standard Webhooks libraries accept.
  if (given !== undefined && !/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/.test(given))
    command.error('error: the signing secret must be whsec_ and 24 to 64 bytes in base64');
  return given;
}

/** The header of each call: with the key, or without one with the token of `claims login`. */
function credentialOf(api: string, { keyStdin }: ListenOptions, command: Command): FeedOptions['credential'] {
  const given = keyStdin ? readFileSync(0, 'utf8').trim() : process.env[KEY_VARIABLE];
  if (!given && !keyStdin && loginAt(api)) return async () => ({ authorization: `Bearer ${(await loginToken(api)).accessToken}` });
  if (!given)
    return command.error(
      `error: --api needs an API key: set ${KEY_VARIABLE}, or pass it on standard input with --key-stdin, or run \`claims login\` first`,
    );
  if (!/^[\x21-\x7e]+$/.test(given)) command.error('error: the API key contains characters that no key has');
  return () => Promise.resolve({ 'x-api-key': given });
}

function addListen(webhook: Command): void {
  jsonCommand(webhook, 'listen', 'For local development: forward events to a URL as they happen, signed like deliveries, until Ctrl-C.')
    .requiredOption('--forward-to <url>', 'URL to post events to; your own machine is allowed', address)
    .addOption(
      new Option('--api <url>', 'URL of the service: needs only an API key, and no database')
        .argParser(serviceAddress)
        .conflicts(['org', 'environment']),
    )
    .addOption(
      new Option('--key-stdin', `with --api: read the API key from standard input; default: ${KEY_VARIABLE}`).conflicts('secretStdin'),
    )
    .option('--org <org>', 'without --api: organization: id or slug; default: the only one')
    .option('--environment <environment>', 'without --api: test or live', parseEnvironment, 'test')
    .option('--events <kinds>', 'kinds of events, separated by commas; default: all', commaList)
    .option('--secret-stdin', `read the signing secret from standard input; default: ${SECRET_VARIABLE}, else a new one, which is printed`)
    .action((options: ListenOptions, command: Command) => {
      if (options.keyStdin && options.api === undefined) command.error("error: option '--key-stdin' needs '--api <url>'");
      const secret = givenSecret(options, command) ?? makeSecret();
      const { api } = options;
      if (api !== undefined) return listenTo(api, credentialOf(api, options, command), options, secret);
      return withServices((services) => {
        const unknown = (options.events ?? []).filter((kind) => !services.eventKinds.includes(kind));
        if (unknown.length > 0)
          command.error(`error: option '--events <kinds>' holds ${unknown.join(', ')}; the kinds are ${services.eventKinds.join(', ')}`);
        return listen(services, options, secret);
      });
    });
}

function untilSignal(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  return stop.signal;
}

/** Follows a service with a credential, which decides about organization and environment. */
async function listenTo(api: string, credential: FeedOptions['credential'], options: ListenOptions, secret: string): Promise<void> {
  const { forwardTo, events } = options;
  const stop = untilSignal();
  const report = (line: string): void => console.error(`claims: ${line}`);
  const fed = await new EventFeed({ api, credential, kinds: events, stop, report }).open();
  if (stop.aborted) return;
  print(options, { listening: { api, forwardTo, events: events ?? null, secret } }, [
    `Forwarding the events of ${api} to ${forwardTo}; Ctrl-C ends.`,
    `Signed with ${secret}`,
  ]);
  await forwardAll(signed(fed, secret), options, stop);
}

async function* signed(events: AsyncIterable<FedEvent>, secret: string): AsyncGenerator<Heard, void> {
  const keys = [signingKey(secret)];
  for await (const event of events) {
    const { id, type: kind } = event;
    const body = JSON.stringify(event);
    yield { id, kind, body, headers: headersOf({ id, kind, body }, keys, new Date()) };
  }
}

async function listen(services: Services, options: ListenOptions, secret: string): Promise<void> {
  const { forwardTo, environment, events } = options;
  const organization = await findOrganization(services, options.org);
  const stop = untilSignal();
  const heard = await services.listening.listen(
    { tenant: { organizationId: organization.id, environment }, kinds: events, url: forwardTo, secret },
    stop,
  );
  const listening = { forwardTo, organizationId: organization.id, environment, events: events ?? null, secret };
  print(options, { listening }, [
    `Forwarding the ${environment} events of ${organization.name} to ${forwardTo}; Ctrl-C ends.`,
    `Signed with ${secret}`,
  ]);
  await forwardAll(heard, options, stop);
}

async function findOrganization({ organizations }: Services, named: string | undefined) {
  if (named !== undefined) return organizations.named(named);
  const [first, ...others] = await organizations.all();
  if (!first) throw new StartError('There is no organization yet: create one with `claims org create`.');
  if (others.length > 0) throw new StartError(`There are ${others.length + 1} organizations: say which one with --org.`);
  return first;
}

interface ReplayOptions {
  since: string;
  kinds?: string[];
  dryRun?: boolean;
  wait?: boolean;
  json?: boolean;
}

const PROGRESS_INTERVAL_MS = 1000;

function since(value: string): string {
  const time = utcTime(value);
  if (time !== undefined) return time;
  if (/^\d+[a-z]+$/.test(value)) return new Date(Date.now() - duration(value)).toISOString();
  throw new InvalidArgumentError('must be a time such as 2026-03-01T09:30:00Z, or how long ago, such as 24h');
}

function kindList(value: string): string[] {
  const kinds = commaList(value);
  if (kinds.length === 0) throw new InvalidArgumentError('must name kinds of events, separated by commas');
  return kinds;
}

function addReplay(webhook: Command): void {
  jsonCommand(webhook, 'replay <id>', 'Deliver all events since a time that an endpoint subscribes to and did not receive.')
    .requiredOption('--since <time>', 'a time such as 2026-03-01T09:30:00Z, or how long ago, such as 24h', since)
    .option('--kinds <kinds>', 'only these kinds of events, separated by commas', kindList)
    .option('--dry-run', 'only show what would be delivered')
    .option('--wait', 'show the progress until each event was sent once')
    .action((id: string, options: ReplayOptions) =>
      withServices((services) => (options.dryRun ? preview(services, id, options) : replay(services, id, options))),
    );

  jsonCommand(webhook, 'replay-stop <id>', 'Take back all that replays of an endpoint have not sent yet. It can be replayed later.').action(
    async (id: string, options: JsonOption) => {
      const stopped = await withServices(({ endpoints }) => endpoints.stopReplays(operator(), id));
      print(options, { webhookId: id, stopped }, [`${stopped} deliveries taken back; a worker may still send the few that it has in hand`]);
    },
  );
}

async function preview({ endpoints }: Services, webhookId: string, { since: from, kinds, ...options }: ReplayOptions): Promise<void> {
  const byKind = await endpoints.preview(webhookId, { since: from, kinds });
  const deliveries = byKind.reduce((sum, kind) => sum + kind.deliveries, 0);
  const firstAt = byKind.map((kind) => kind.firstAt).sort()[0] ?? null;
  const [lastAt = null] = byKind.map((kind) => kind.lastAt).sort((a, b) => (a < b ? 1 : -1));
  const lines = byKind.map((kind) => `${String(kind.deliveries).padStart(8)}  ${kind.kind}  ${kind.firstAt} to ${kind.lastAt}`);
  const document = { webhookId, since: from, dryRun: true, deliveries, firstAt, lastAt, byKind };
  print(options, document, [`${deliveries} deliveries would be queued`, ...lines]);
}

async function replay({ endpoints }: Services, webhookId: string, { since: from, kinds, ...options }: ReplayOptions): Promise<void> {
  const { replayId, deliveries } = await endpoints.replay(operator(), webhookId, { since: from, kinds });
  const document = { webhookId, since: from, replayId, deliveries };
  if (!options.wait) return print(options, document, [`${deliveries} deliveries queued`]);
  if (!options.json)
    console.log(`${deliveries} deliveries queued; Ctrl-C ends the display, claims webhook replay-stop ${webhookId} the replay`);
  for (;;) {
    const progress = await endpoints.progress(webhookId, replayId);
    const { delivered, retrying, failed, waiting, stopped } = progress;
    const line = `${delivered} delivered, ${retrying} failed and retried later, ${failed} failed, ${stopped} stopped, ${waiting} waiting`;
    if (waiting === 0) return print(options, { ...document, ...progress }, [line]);
    if (!options.json) console.log(line);
    await delay(PROGRESS_INTERVAL_MS);
  }
}

export function addWebhook(program: Command): void {
  const webhook = program
    .command('webhook')
    .description('Webhooks: list, deliveries, explain, ping an endpoint, redeliver, replay, listen.');
  addQuestion(webhook, 'list', 'The endpoints of an organization, whether they fail, and what waits for them.', 'endpoints');
  addExplain(webhook, 'deliveries', 'The newest 50 deliveries of an endpoint.', 'deliveries', false);
  addExplain(webhook, 'explain', 'What is known of one delivery: attempts, answer, what it waits for.', 'delivery');

  jsonCommand(webhook, 'ping <id>', 'Post an unsigned webhook.test to an endpoint. Exits with 1 unless it answers with 2xx.').action(
    async (id: string, options: JsonOption) => {
      const { responseStatus, errorCode, durationMs } = await withServices(({ endpoints }) => endpoints.ping(operator(), id));
      const ok = errorCode === null;
      print(options, { webhookId: id, ok, responseStatus, errorCode, durationMs }, [
        `${ok ? 'ok    ' : 'FAILED'}  ${responseStatus ?? errorCode} after ${durationMs} ms`,
      ]);
      if (!ok) process.exitCode = 1;
    },
  );

  jsonCommand(
    webhook,
    'redeliver <delivery-id>',
    'Repeat a delivery with the same webhook-id: a new attempt, or the pending retry at once.',
  ).action(async (deliveryId: string, options: JsonOption) => {
    const made = await withServices(({ endpoints }) => endpoints.redeliver(operator(), deliveryId));
    print(options, made, [`${made.id}  queued for endpoint ${made.webhookId}`]);
  });

  addReplay(webhook);
  addListen(webhook);
}
