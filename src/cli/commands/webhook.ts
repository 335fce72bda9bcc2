import { InvalidArgumentError, type Command } from 'commander';
import { OPERATOR } from '../../kernel/context.js';
import { utcTime } from '../../kernel/time.js';
import { duration, print, withJson } from '../options.js';
import { addListen } from './webhook-listen.js';
import { withServices } from '../command-context.js';

/** Parses a time, or how long ago it was. */
function since(value: string): string {
  const time = utcTime(value);
  if (time !== undefined) return time;
  if (/^\d+[a-z]+$/.test(value)) return new Date(Date.now() - duration(value)).toISOString();
  throw new InvalidArgumentError('must be a time such as 2026-03-01T09:30:00Z, or how long ago, such as 24h');
}

export function addWebhook(program: Command): void {
  const webhook = program.command('webhook').description('Webhooks: ping an endpoint, redeliver, replay, listen.');

  withJson(
    webhook.command('ping <id>').description('Post an unsigned webhook.test to an endpoint. Exits with 1 unless it answers with 2xx.'),
  ).action(async (id: string, options: { json?: boolean }) => {
    const { status, errorCode, durationMs } = await withServices(({ pings }) => pings.ping(id));
    const ok = errorCode === null;
    print(options, { webhookId: id, ok, responseStatus: status, errorCode, durationMs }, [
      `${ok ? 'ok    ' : 'FAILED'}  ${status ?? errorCode} after ${durationMs} ms`,
    ]);
    if (!ok) process.exitCode = 1;
  });

  withJson(
    webhook
      .command('redeliver <delivery-id>')
      .description('Repeat a delivery with the same webhook-id: a new attempt, or the pending retry at once.'),
  ).action(async (deliveryId: string, options: { json?: boolean }) => {
    const made = await withServices(({ redeliveries }) => redeliveries.redeliver(OPERATOR, deliveryId));
    print(options, made, [`${made.id}  queued for endpoint ${made.webhookId}`]);
  });

  withJson(
    webhook.command('replay <id>').description('Deliver all events since a time that an endpoint subscribes to and did not receive.'),
  )
    .requiredOption('--since <time>', 'a time such as 2026-03-01T09:30:00Z, or how long ago, such as 24h', since)
    .action(async (id: string, options: { since: string; json?: boolean }) => {
      const deliveries = await withServices(({ redeliveries }) => redeliveries.replay(OPERATOR, id, options.since));
      print(options, { webhookId: id, since: options.since, deliveries }, [`${deliveries} deliveries queued`]);
    });

  addListen(webhook);
}
