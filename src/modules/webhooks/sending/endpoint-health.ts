import { Injectable } from '@nestjs/common';
import type { WriteContext } from '../../../store/database/unit-of-work.js';
import { Events } from '../../../store/events/events.js';
import { WakeUps } from '../../../store/jobs/wake-ups.js';
import { disabledAtOf } from '../endpoints/endpoint-rules.js';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import { WebhookDisabled, WebhookFailing, type WebhookHealthDto, WebhookRecovered } from '../webhooks.events.js';
import { FailingNotice } from './failing-notice.js';

/** Others are told of an endpoint after so many failed attempts in a row. */
export const FAILURES_TOLD = 4;
/** Sends endpoints that work again what they have missed. */
export const CATCH_UP_JOB = 'webhooks.catch_up';

interface Attempt {
  readonly status: 'delivered' | 'failed';
  readonly attemptedAt: string;
  readonly isCounted?: boolean;
}

export type Health = Pick<WebhookEndpoint, 'failingSince' | 'failures'>;

/** Whether others were told that it fails, and not yet that it has recovered. */
export const isToldFailing = ({ failingSince, failures }: Health): boolean => failingSince !== null && failures >= FAILURES_TOLD;

/** Deliveries that tell of other endpoints do not count: two endpoints that tell each other of their failures would never end. */
export const counts = (eventKind: string): boolean => !eventKind.startsWith('webhook.');

/** The health of an endpoint after these attempts. One success is enough, as for `failing_since`. */
export function healthAfter({ failingSince, failures }: Health, results: readonly Attempt[]): Health {
  if (results.some(({ status }) => status === 'delivered')) return { failingSince: null, failures: 0 };
  const counted = results.filter(({ isCounted = true }) => isCounted).length;
  const [first = null] = results.map(({ attemptedAt }) => attemptedAt).sort();
  return failingSince === null ? { failingSince: first, failures: counted } : { failingSince, failures: failures + counted };
}

/** Tells how endpoints fare, in the transaction that writes it: by events, and their owners by mail when one is disabled. */
@Injectable()
export class EndpointHealth {
  constructor(
    private readonly events: Events,
    private readonly notice: FailingNotice,
    private readonly wakeUps: WakeUps,
  ) {}

  /** If results have made an endpoint fail, or recover. */
  tellTurn(ctx: WriteContext, before: WebhookEndpoint, after: WebhookEndpoint): void {
    if (isToldFailing(before) === isToldFailing(after)) return;
    const works = shownHealth({ ...after, failingSince: null });
    if (isToldFailing(after)) return this.events.append(ctx, WebhookFailing, { before: works, after: shownHealth(after) });
    const was = shownHealth(before);
    const recovered: WebhookHealthDto = { ...was, disabledAt: null };
    this.events.append(ctx, WebhookRecovered, { before: was, after: recovered });
    ctx.unit.afterCommit.push(() => this.wakeUps.wake(CATCH_UP_JOB));
  }

  async tellDisabled(ctx: WriteContext, endpoint: WebhookEndpoint, disabledAt: string): Promise<void> {
    const after: WebhookHealthDto = { ...shownHealth(endpoint), disabledAt };
    this.events.append(ctx, WebhookDisabled, { before: { ...after, status: 'active', disabledReason: null, disabledAt: null }, after });
    await this.notice.tellDisabled(ctx, endpoint);
  }
}

const shownHealth = ({ id, environment, name, targetUrl, status, disabledReason, failingSince }: WebhookEndpoint): WebhookHealthDto => ({
  id,
  environment,
  name,
  host: new URL(targetUrl).host,
  status,
  disabledReason,
  failingSince,
  disabledAt: failingSince && disabledAtOf(failingSince),
});
