import { setTimeout as delay } from 'node:timers/promises';
import { InvalidArgumentError, type Command } from 'commander';
import { OPERATOR } from '../../kernel/context.js';
import { utcTime } from '../../kernel/time.js';
import { withServices } from '../command-context.js';
import type { Services } from '../open-services.js';
import { commaList, duration, print, withJson } from '../options.js';

interface ReplayOptions {
  since: string;
  kinds?: string[];
  dryRun?: boolean;
  wait?: boolean;
  json?: boolean;
}

const PROGRESS_INTERVAL_MS = 1000;

/** Parses a time, or how long ago it was. */
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

export function addReplay(webhook: Command): void {
  withJson(
    webhook.command('replay <id>').description('Deliver all events since a time that an endpoint subscribes to and did not receive.'),
  )
    .requiredOption('--since <time>', 'a time such as 2026-03-01T09:30:00Z, or how long ago, such as 24h', since)
    .option('--kinds <kinds>', 'only these kinds of events, separated by commas', kindList)
    .option('--dry-run', 'only show what would be delivered')
    .option('--wait', 'show the progress until each event was sent once')
    .action((id: string, options: ReplayOptions) =>
      withServices((services) => (options.dryRun ? preview(services, id, options) : replay(services, id, options))),
    );

  withJson(
    webhook
      .command('replay-stop <id>')
      .description('Take back all that replays of an endpoint have not sent yet. It can be replayed later.'),
  ).action(async (id: string, options: { json?: boolean }) => {
    const stopped = await withServices(({ replays }) => replays.stop(OPERATOR, id));
    print(options, { webhookId: id, stopped }, [`${stopped} deliveries taken back; a worker may still send the few that it has in hand`]);
  });
}

async function preview({ replays }: Services, webhookId: string, { since: from, kinds, ...options }: ReplayOptions): Promise<void> {
  const byKind = await replays.preview({ webhookId, since: from, ...(kinds && { kinds }) });
  const deliveries = byKind.reduce((sum, kind) => sum + kind.deliveries, 0);
  const firstAt = byKind.map((kind) => kind.firstAt).sort()[0] ?? null;
  const lastAt =
    byKind
      .map((kind) => kind.lastAt)
      .sort()
      .at(-1) ?? null;
  const lines = byKind.map((kind) => `${String(kind.deliveries).padStart(8)}  ${kind.kind}  ${kind.firstAt} to ${kind.lastAt}`);
  const document = { webhookId, since: from, dryRun: true, deliveries, firstAt, lastAt, byKind };
  print(options, document, [`${deliveries} deliveries would be queued`, ...lines]);
}

async function replay({ replays }: Services, webhookId: string, { since: from, kinds, ...options }: ReplayOptions): Promise<void> {
  const { replayId, deliveries } = await replays.start(OPERATOR, { webhookId, since: from, ...(kinds && { kinds }) });
  const document = { webhookId, since: from, replayId, deliveries };
  if (!options.wait) return print(options, document, [`${deliveries} deliveries queued`]);
  if (!options.json)
    console.log(`${deliveries} deliveries queued; Ctrl-C ends the display, claims webhook replay-stop ${webhookId} the replay`);
  for (;;) {
    const progress = await replays.progress(webhookId, replayId);
    const { delivered, retrying, failed, waiting, stopped } = progress;
    const line = `${delivered} delivered, ${retrying} failed and retried later, ${failed} failed, ${stopped} stopped, ${waiting} waiting`;
    if (waiting === 0) return print(options, { ...document, ...progress }, [line]);
    if (!options.json) console.log(line);
    await delay(PROGRESS_INTERVAL_MS);
  }
}
