import { InvalidArgumentError, type Command } from 'commander';
import type { Heard } from '../modules/webhooks/index.js';
import { StartError } from '../kernel/start-error.js';
import type { Environment } from '../kernel/context.js';
import { commaList, environment, print, withJson } from './options.js';
import type { Services } from './services.js';
import { withServices } from './with-services.js';

interface ListenOptions {
  forwardTo: string;
  org?: string;
  environment: Environment;
  events?: string[];
  secret?: string;
  json?: boolean;
}

const PATIENCE_MS = 15_000;

function address(value: string): string {
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol))
    throw new InvalidArgumentError('must be an address such as http://127.0.0.1:4000/hooks');
  return value;
}

/** Of any length that a Standard Webhooks library takes. */
function secret(value: string): string {
  if (!/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/.test(value)) throw new InvalidArgumentError('must be whsec_ and 24 to 64 bytes in base64');
  return value;
}

export function addListen(webhook: Command): void {
  withJson(
    webhook
      .command('listen')
      .description('For local development: forward events to an address as they happen, signed like deliveries, until Ctrl-C.'),
  )
    .requiredOption('--forward-to <url>', 'where to post them; your own machine is allowed', address)
    .option('--org <org>', 'organization: id or slug; may be left out where there is only one')
    .option('--environment <environment>', 'test, live', environment, 'test')
    .option('--events <kinds>', 'kinds of events, separated by commas; all when left out', commaList)
    .option('--secret <secret>', 'the secret to sign with; a new one is made and printed when left out', secret)
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
  const { forwardTo: url, environment: world, events, secret: key = services.makeWebhookSecret() } = options;
  const organization = await organizationOf(services, options.org);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const heard = await services.listening.listen(
    { tenant: { organizationId: organization.id, environment: world }, kinds: events, url, secret: key },
    stop.signal,
  );
  const listening = { forwardTo: url, organizationId: organization.id, environment: world, events: events ?? null, secret: key };
  print(options, { listening }, [`Forwarding the ${world} events of ${organization.name} to ${url}; Ctrl-C ends.`, `Signed with ${key}`]);
  for await (const event of heard) {
    const { status, error } = await forward(event, stop.signal);
    if (stop.signal.aborted) return;
    print(options, { id: event.id, kind: event.kind, responseStatus: status, error }, [
      `${event.kind}  ${event.id}  ${status ?? `FAILED: ${error}`}`,
    ]);
  }
}

/** Not by the service's own sender, to which this machine is forbidden. One at a time, so that they arrive in their order. */
async function forward(
  { message: { url, headers, body } }: Heard,
  stop: AbortSignal,
): Promise<{ status: number | null; error: string | null }> {
  try {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(PATIENCE_MS)]);
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
  if (!first) throw new StartError('There is no organization yet: make one with `claims org create`.');
  if (others.length > 0) throw new StartError(`There are ${others.length + 1} organizations: say which one with --org.`);
  return first;
}
