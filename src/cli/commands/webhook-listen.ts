import { readFileSync } from 'node:fs';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { headersOf, makeSecret, signingKey } from '../../modules/webhooks/signing/index.js';
import { StartError } from '../../kernel/start-error.js';
import type { Environment } from '../../kernel/context.js';
import { commaList, parseEnvironment, print, serviceAddress, withJson } from '../options.js';
import { EventFeed, type FedEvent, type FeedOptions } from '../event-feed.js';
import { loginToken } from '../login-token.js';
import { loginAt } from '../logins.js';
import { forwardAll, type Forwarded } from '../forwarding.js';
import type { Services } from '../open-services.js';
import { withServices } from '../command-context.js';

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

export function addListen(webhook: Command): void {
  withJson(
    webhook
      .command('listen')
      .description('For local development: forward events to a URL as they happen, signed like deliveries, until Ctrl-C.'),
  )
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

async function* signed(events: AsyncIterable<FedEvent>, secret: string): AsyncGenerator<Forwarded, void> {
  const keys = [signingKey(secret)];
  for await (const event of events) {
    const { id, type: kind } = event;
    const body = JSON.stringify(event);
    yield { id, kind, body, headers: headersOf({ id, kind, body }, keys, new Date()) };
  }
}

/** Follows the table of events. */
async function listen(services: Services, options: ListenOptions, secret: string): Promise<void> {
  const { forwardTo, environment, events } = options;
  const organization = await organizationOf(services, options.org);
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

async function organizationOf({ organizations }: Services, named: string | undefined) {
  if (named !== undefined) return organizations.named(named);
  const [first, ...others] = await organizations.all();
  if (!first) throw new StartError('There is no organization yet: create one with `claims org create`.');
  if (others.length > 0) throw new StartError(`There are ${others.length + 1} organizations: say which one with --org.`);
  return first;
}
