import { readFileSync } from 'node:fs';
import { InvalidArgumentError, type Command } from 'commander';
import type { Heard } from '../../modules/webhooks/index.js';
import { StartError } from '../../kernel/start-error.js';
import type { Environment } from '../../kernel/context.js';
import { commaList, parseEnvironment, print, withJson } from '../options.js';
import type { Services } from '../open-services.js';
import { withServices } from '../command-context.js';

interface ListenOptions {
  forwardTo: string;
  org?: string;
  environment: Environment;
  events?: string[];
  secretStdin?: boolean;
  json?: boolean;
}

const TIMEOUT_MS = 15_000;
const SECRET_VARIABLE = 'CLAIMS_WEBHOOK_SECRET';

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
    .option('--secret-stdin', `read the signing secret from standard input; default: ${SECRET_VARIABLE}, else a new one, which is printed`)
    .action((options: ListenOptions, command: Command) => {
      const secret = givenSecret(options, command);
      return withServices((services) => {
        const unknown = (options.events ?? []).filter((kind) => !services.eventKinds.includes(kind));
        if (unknown.length > 0)
          command.error(`error: option '--events <kinds>' holds ${unknown.join(', ')}; the kinds are ${services.eventKinds.join(', ')}`);
        return listen(services, options, secret ?? services.makeWebhookSecret());
      });
    });
}

async function listen(services: Services, options: ListenOptions, key: string): Promise<void> {
  const { forwardTo: url, environment, events } = options;
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
