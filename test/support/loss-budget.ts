import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { rowsOf } from './database.js';
import type { Deployment } from './deployment.js';
import { eventually } from './eventually.js';
import type { Fault } from './faults.js';
import { report } from './figures.js';
import { compared, lossesOf } from './losses.js';
import { Writers } from './writers.js';

/** From the end of a fault. */
const WRITTEN_AGAIN_WITHIN_MS = 5000;
/** Whoever calls meanwhile learns of it. */
const REFUSED_WITHIN_MS = 5000;
const DELIVERED_WITHIN_MS = 90_000;

/** When a fault comes and for how long, and who writes meanwhile. */
export interface Circumstances {
  readonly afterMs: number;
  readonly lastsMs: number;
  readonly perSecond: number;
  readonly clients?: number;
}

const CLIENTS = 8;
/** Writes before and after a fault. */
const WRITES = 25;

/** Writes at a steady rate while a fault comes and goes, and holds what is left against what was acknowledged. */
export async function spend(deployment: Deployment, name: string, fault: Fault, circumstances: Circumstances): Promise<void> {
  const { afterMs, lastsMs, perSecond, clients = CLIENTS } = circumstances;
  const { organizationId, api } = await deployment.aTenant();
  const writers = new Writers(api, { clients, perSecond });
  await writers.untilMore(WRITES);
  await delay(afterMs);
  await fault.make(deployment, lastsMs, writers);
  const firstWriteMs = await writers.firstAfter(performance.now());
  await writers.untilMore(WRITES);
  await writers.stop();
  const { lost, doubled, sentAgain } = await leftAfter(deployment, writers, organizationId);
  const failed = writers.refusals.length;
  report({
    fault: name,
    calls: writers.acknowledged.length + failed,
    failed,
    lost: lost.length,
    doubled: doubled.length,
    sentAgain,
    firstWriteMs,
    longestPauseMs: writers.longestPauseMs,
  });
  expect({ lost, doubled }).toEqual({ lost: [], doubled: [] });
  expect(await eventually(() => deployment.auditFault(organizationId))).toBeNull();
  deployment.expectAllAlive();
  expectAdvised(writers, fault);
  expect(firstWriteMs).toBeLessThan(WRITTEN_AGAIN_WITHIN_MS);
}

/** What was refused was a 503 that says when to try again, and came soon. */
function expectAdvised({ refusals, unadvised, slowestRefusalMs }: Writers, { refusal, refusedWithinMs = REFUSED_WITHIN_MS }: Fault): void {
  expect(refusals.filter((status) => status !== 503 && status !== refusal)).toEqual([]);
  expect(unadvised).toBe(0);
  expect(slowestRefusalMs).toBeLessThan(refusedWithinMs);
}

/** Rows and received deliveries, once no delivery is pending. One that is sent again has the same id, so that receivers know it. */
export async function leftAfter({ postgres, receiver }: Deployment, { names }: Writers, organizationId: string) {
  const pending = "SELECT 1 FROM webhook_deliveries WHERE organization_id = $1 AND status = 'pending'";
  await eventually(async () => expect(await rowsOf(postgres.directUrl, pending, [organizationId])).toEqual([]), DELIVERED_WITHIN_MS);
  const { received } = receiver;
  const sent = new Map(
    received.map(({ headers, body }) => [headers['webhook-id'], (JSON.parse(body) as { data: { name: string } }).data.name]),
  );
  const sentAgain = received.length - sent.size;
  received.length = 0;
  const rows = await lossesOf(names, postgres.directUrl, organizationId);
  const deliveries = compared('received delivery', names, [...sent.values()]);
  return { lost: [...rows.lost, ...deliveries.lost], doubled: [...rows.doubled, ...deliveries.doubled], sentAgain };
}
