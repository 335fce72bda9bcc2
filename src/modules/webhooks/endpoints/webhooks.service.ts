import { Injectable } from '@nestjs/common';
import { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import { changesBetween, changedProperties, given } from '../../../kernel/changes.js';
import { Clock } from '../../../kernel/clock.js';
import { Settings } from '../../../kernel/settings/settings.js';
import type { ReadContext, WriteContext } from '../../../store/database/transaction.js';
import { newId } from '../../../kernel/ids.js';
import { Secrets } from '../../../store/secrets/secrets.js';
import { requireAllowedTarget } from '../targets/target-url.js';
import type { WebhookEndpoint } from './webhook-endpoint.entity.js';
import { missing, requireManageable, requireRoom, statusOf } from './endpoint-rules.js';
import { hintOf, makeSecret, secretPlace } from './webhook-secret.js';
import { WebhookDto, type CreateWebhookDto, type UpdateWebhookDto, type WebhookWithSecretDto } from './webhooks.dto.js';
import { WebhooksRepository } from './webhooks.repository.js';

/** So long the secret before signs beside a new one. */
const OVERLAP_MS = 24 * 3_600_000;

@Injectable()
export class WebhooksService {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly secrets: Secrets,
    private readonly audit: AuditRecorder,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  all(ctx: ReadContext): Promise<WebhookEndpoint[]> {
    return this.webhooks.all(ctx);
  }

  async get(ctx: ReadContext, id: string): Promise<WebhookEndpoint> {
    return (await this.webhooks.get(ctx, id)) ?? missing();
  }

  async create(ctx: WriteContext, input: CreateWebhookDto): Promise<WebhookWithSecretDto> {
    const environment = input.environment ?? ctx.environment;
    requireManageable(ctx, environment);
    // Before the count, which keeps others from making one meanwhile: a look-up may take its time.
    await requireAllowedTarget(input.targetUrl, environment, this.settings.webhookAllowedNetworks);
    requireRoom(environment, await this.webhooks.count(ctx, environment));
    const [id, secret, now] = [newId(), makeSecret(), this.clock.timestamp()];
    const { name, targetUrl, subscribedEvents, description = null, status = 'active' } = input;
    const own = { id, organizationId: ctx.organizationId, environment, createdAt: now, updatedAt: now };
    const sealed = {
      secret: this.secrets.encrypt(secret, secretPlace(id)),
      secretHint: hintOf(secret),
      previousSecret: null,
      previousSecretExpiresAt: null,
    };
    const endpoint: WebhookEndpoint = {
      ...own,
      name,
      targetUrl,
      subscribedEvents,
      description,
      ...statusOf(status),
      ...sealed,
      lastDeliveryAt: null,
      failingSince: null,
    };
    await this.webhooks.insert(ctx, endpoint);
    const shown = WebhookDto.from(endpoint);
    this.audit.record({ ...ctx, environment }, { action: 'webhook.created', resourceId: id, changes: changesBetween(null, shown) });
    return { ...shown, secret };
  }

  async update(ctx: WriteContext, id: string, input: UpdateWebhookDto): Promise<WebhookWithSecretDto> {
    const before = (await this.webhooks.lock(ctx, id)) ?? missing();
    const { rotateSecret, status, ...fields } = input;
    const secret = rotateSecret ? makeSecret() : undefined;
    const after: WebhookEndpoint = {
      ...before,
      ...given(fields),
      ...(status && status !== before.status && statusOf(status)),
      ...(secret && this.rotated(before, secret)),
    };
    requireManageable(ctx, after.environment);
    const isMoved = after.environment !== before.environment;
    if (after.targetUrl !== before.targetUrl || isMoved)
      await requireAllowedTarget(after.targetUrl, after.environment, this.settings.webhookAllowedNetworks);
    if (isMoved) requireRoom(after.environment, await this.webhooks.count(ctx, after.environment));
    if (!secret && changedProperties(WebhookDto.from(before), WebhookDto.from(after)).length === 0) return WebhookDto.from(before);
    after.updatedAt = this.clock.timestamp();
    await this.webhooks.update(ctx, after);
    if (isMoved) await this.webhooks.giveUpPending(ctx, id, 'environment_changed', after.updatedAt);
    else if (before.status === 'active' && after.status === 'disabled')
      await this.webhooks.giveUpPending(ctx, id, 'endpoint_disabled', after.updatedAt);
    const shown = WebhookDto.from(after);
    // The environment of other records never changes, so that of an endpoint is told apart.
    const changes = {
      ...changesBetween(WebhookDto.from(before), shown),
      ...(isMoved && { environment: { from: before.environment, to: after.environment } }),
    };
    this.audit.record({ ...ctx, environment: after.environment }, { action: 'webhook.updated', resourceId: id, changes });
    return secret ? { ...shown, secret } : shown;
  }

  async delete(ctx: WriteContext, id: string): Promise<void> {
    const before = (await this.webhooks.lock(ctx, id)) ?? missing();
    await this.webhooks.delete(ctx, id);
    const { name, targetUrl } = before;
    this.audit.record(
      { ...ctx, environment: before.environment },
      { action: 'webhook.deleted', resourceId: id, changes: { name: { from: name, to: null }, targetUrl: { from: targetUrl, to: null } } },
    );
  }

  private rotated({ id, secret }: WebhookEndpoint, next: string): Partial<WebhookEndpoint> {
    const previousSecretExpiresAt = new Date(this.clock.now().getTime() + OVERLAP_MS).toISOString();
    return {
      secret: this.secrets.encrypt(next, secretPlace(id)),
      secretHint: hintOf(next),
      previousSecret: secret,
      previousSecretExpiresAt,
    };
  }
}
