import { InvalidArgumentError, type Command } from 'commander';
import type { Heard } from '../modules/webhooks/index.js';
import { StartError } from '../kernel/start-error.js';
import type { Environment } from '../kernel/context.js';
import { commaList, parseEnvironment, print, withJson } from './options.js';
import type { Services } from './open-services.js';
import { withServices } from './command-context.js';

interface ListenOptions {
  forwardTo: string;
  org?: string;
  environment: Environment;
  events?: string[];
  secret?: string;
  json?: boolean;
}

const TIMEOUT_MS = 15_000;

function address(value: string): string {
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol))
    throw new InvalidArgumentError('must be a URL such as http://127.0.0.1:4000/hooks');
  return value;
}

/** Any length that Standard Webhooks libraries accept. */
function secret(value: string): string {
  if (!/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/.test(value)) throw new InvalidArgumentError('must be whsec_ and 24 to 64 bytes in base64');
  return value;
}

export function addListen(webhook: Command): void {
  withJson(
    webhook
      .command('listen')
      .description('For local development: forward events to a URL as they happen, signed like deliveries, until Ctrl-C.'),
  )
    .requiredOption('--forward-to <url>', 'URL to post events to; your own machine is allowed', address)
    .option('--org <org>', 'organization: id or slug; default: the only one')
    .option('--environment <environment>', 'test or live', parseEnvironment, 'test')
    .option('--events <kinds>', 'kinds of events, separated by commas; default: all', commaList)
    .option('--secret <secret>', 'signing secret; default: a new one, which is printed', secret)
    .action((options: ListenOptions, command: Command) =>
      withServices((services) => {
        const unknown = (options.events ?? []).filter((kind) => !services.eventKinds.includes(kind));
        if (unknown.length > 0)
          command.error(`error: option '--events <kinds>' holds ${unknown.join(', ')}; the kinds are ${services.eventKinds.join(', ')}`);
        return listen(services, options);
      }),
    );
}

async function listen(services: Services, options: ListenOptions): Promise<void> {
  const { forwardTo: url, environment, events, secret: key = services.makeWebhookSecret() } = options;
  const organization = await organizationOf(services, options.org);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const heard = await services.listening.listen(
    { tenant: { organizationId: organization.id, environment }, kinds: events, url, secret: key },
    stop.signal,
  );
  const listening = { forwardTo: url, organizationId: organization.id, environment, events: events ?? null, secret: key };
  print(options, { listening }, [
    `Forwarding the ${environment} events of ${organization.name} to ${url}; Ctrl-C ends.`,
    `Signed with ${key}`,
  ]);
  for await (const event of heard) {
    const { status, error } = await forward(event, stop.signal);
    if (stop.signal.aborted) return;
    print(options, { id: event.id, kind: event.kind, responseStatus: status, error }, [
      `${event.kind}  ${event.id}  ${status ?? `FAILED: ${error}`}`,
    ]);
  }
}

/** Does not use the sender of deliveries, which refuses this machine. Events are sent one at a time, to keep their order. */
async function forward(
  { message: { url, headers, body } }: Heard,
  stop: AbortSignal,
): Promise<{ status: number | null; error: string | null }> {
  try {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(TIMEOUT_MS)]);
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      redirect: 'manual',
      signal,
    });
    await answer.body?.cancel();
    return { status: answer.status, error: null };
  } catch (error) {
    const { message, cause } = error as Error & { cause?: { code?: string } };
    return { status: null, error: cause?.code ?? message };
  }
}

async function organizationOf({ organizations }: Services, named: string | undefined) {
  if (named !== undefined) return organizations.named(named);
  const [first, ...others] = await organizations.all();
  if (!first) throw new StartError('There is no organization yet: create one with `claims org create`.');
  if (others.length > 0) throw new StartError(`There are ${others.length + 1} organizations: say which one with --org.`);
  return first;
}
