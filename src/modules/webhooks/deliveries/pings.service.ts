import { Injectable } from '@nestjs/common';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '../../../kernel/ids.js';
import { packageFolder } from '../../../kernel/package-folder.js';
import { Clock } from '../../../kernel/time.js';
import { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import type { WriteContext } from '../../../store/database/unit-of-work.js';
import { EndpointSecrets } from '../endpoints/endpoint-secrets.js';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import { excerptOf } from '../sending/answer-excerpt.js';
import { type Outgoing, Sender } from '../sending/sender.js';
import { headersOf } from '../signing/message.js';
import { WebhookTest } from '../webhooks.events.js';
import type { PingDto } from './replays.dto.js';

/** Tells receivers that nothing happened. */
export const EXAMPLE_HEADER = 'X-Service-Example';

/** Sends to endpoints what is no event: at once, and without an entry in the delivery log. */
@Injectable()
export class PingService {
  constructor(
    private readonly secrets: EndpointSecrets,
    private readonly sender: Sender,
    private readonly clock: Clock,
    private readonly audit: AuditRecorder,
  ) {}

  /** An unsigned `webhook.test`; or the example of a kind, signed as the event would be. undefined: the kind has no example. */
  async send(endpoint: WebhookEndpoint, kind?: string): Promise<PingDto | undefined> {
    const { id: webhookId, organizationId, environment, targetUrl: url } = endpoint;
    const [id, now] = [newId(), this.clock.now()];
    const said =
      kind === undefined ? { id, type: WebhookTest.kind, timestamp: '', apiVersion: 'v1', data: { webhookId } } : await makeExample(kind);
    if (!said) return undefined;
    const body = JSON.stringify({ ...said, id, timestamp: now.toISOString(), environment, organizationId });
    const own = kind === undefined ? {} : this.secrets.headersOf(endpoint);
    const headers = kind === undefined ? { 'X-Service-Event': said.type } : this.signed(endpoint, { id, kind, body }, now);
    const outcome = await this.sender.send({ organizationId, url, headers: { ...own, ...headers }, body });
    const { status: responseStatus, errorCode, durationMs, start, isLonger = false } = outcome;
    const answer = start && excerptOf(start, isLonger, Object.values(own));
    const response = answer ? { body: answer.body, truncated: answer.isTruncated } : null;
    return { eventKind: said.type, responseStatus, errorCode, durationMs, response };
  }

  private signed(endpoint: WebhookEndpoint, message: Parameters<typeof headersOf>[0], now: Date): Outgoing['headers'] {
    return { ...headersOf(message, this.secrets.keysOf(endpoint), now), [EXAMPLE_HEADER]: 'true' };
  }

  note(ctx: WriteContext, webhookId: string, { eventKind }: PingDto): void {
    this.audit.record(ctx, { action: 'webhook.tested', resourceId: webhookId, changes: { eventKind: { from: null, to: eventKind } } });
  }
}

/** The body of an event, as the AsyncAPI document shows it. */
export interface ExampleBody {
  readonly type: string;
  readonly data: object;
  readonly changedFields?: string[];
}

interface Document {
  readonly components: {
    readonly messages: Readonly<Record<string, { readonly examples?: readonly { readonly payload: ExampleBody }[] }>>;
  };
}

let kept: Promise<Document> | undefined;

/** The example of a kind; undefined for one whose data is not settled. The document is read once. */
export async function makeExample(kind: string): Promise<ExampleBody | undefined> {
  kept ??= readFile(join(packageFolder(), 'docs', 'asyncapi.json'), 'utf8').then((text) => JSON.parse(text) as Document);
  const { messages } = (await kept).components;
  return Object.hasOwn(messages, kind) ? messages[kind]!.examples?.[0]?.payload : undefined;
}
