import type { Command } from 'commander';
import { OPERATOR } from '../../kernel/context.js';
import { print, withJson } from '../options.js';
import { addListen } from './webhook-listen.js';
import { addReplay } from './webhook-replay.js';
import { withServices } from '../command-context.js';

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

  addReplay(webhook);
  addListen(webhook);
}
