import { Injectable } from '@nestjs/common';
import { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import { changesBetween, changedProperties, given } from '../../../kernel/changes.js';
import { Clock } from '../../../kernel/time.js';
import { Settings } from '../../../kernel/settings/settings.js';
import type { ReadContext, WriteContext } from '../../../store/database/unit-of-work.js';
import { newId } from '../../../kernel/ids.js';
import { Secrets } from '../../../store/secrets/secrets.js';
import { requireAllowedTarget } from '../targets/target-url.js';
import type { ResolvedTarget } from '../../../api/outbound/look-ups.js';
import { missing, requireManageable, SECRET_OVERLAP_MS, withStatus } from './endpoint-rules.js';
import type { WebhookEndpoint } from './webhook-endpoint.entity.js';
import { hintOf, makeSecret, secretBoundTo } from '../signing/webhook-secret.js';
import { WebhookDto, type CreateWebhookDto, type UpdateWebhookDto, type WebhookWithSecretDto } from './webhooks.dto.js';
import { WebhooksRepository } from './webhooks.repository.js';

@Injectable()
export class WebhooksService {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly secrets: Secrets,
    private readonly audit: AuditRecorder,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  list(ctx: ReadContext): Promise<WebhookEndpoint[]> {
    return this.webhooks.list(ctx);
  }

  async get(ctx: ReadContext, id: string): Promise<WebhookEndpoint> {
    return (await this.webhooks.get(ctx, id)) ?? missing();
  }

  /** `target` is the `targetUrl` of the input, which was looked up before the transaction. */
  async create(ctx: WriteContext, input: CreateWebhookDto, target: ResolvedTarget): Promise<WebhookWithSecretDto> {
    const environment = input.environment ?? ctx.environment;
    requireManageable(ctx, environment);
    requireAllowedTarget(target, environment, this.settings.webhookAllowedNetworks);
    const [id, secret, now] = [newId(), makeSecret(), this.clock.timestamp()];
    const { name, targetUrl, subscribedEvents, description = null, status = 'active' } = input;
    const endpoint: WebhookEndpoint = {
      id,
      organizationId: ctx.organizationId,
      environment,
      createdAt: now,
      updatedAt: now,
      name,
      targetUrl,
      subscribedEvents,
      description,
      ...withStatus(status),
      secret: this.secrets.encrypt(secret, secretBoundTo(id)),
      secretHint: hintOf(secret),
      previousSecret: null,
      previousSecretExpiresAt: null,
      lastDeliveryAt: null,
    };
    await this.webhooks.insert(ctx, endpoint);
    const shown = WebhookDto.from(endpoint);
    this.audit.record({ ...ctx, environment }, { action: 'webhook.created', resourceId: id, changes: changesBetween(null, shown) });
    return { ...shown, secret };
  }

  /** `target` is the `targetUrl` of the input if it has one, which was looked up before the transaction. */
  async update(ctx: WriteContext, id: string, input: UpdateWebhookDto, target?: ResolvedTarget): Promise<WebhookWithSecretDto> {
    const before = (await this.webhooks.lock(ctx, id)) ?? missing();
    const { rotateSecret, status, ...fields } = input;
    const secret = rotateSecret ? makeSecret() : undefined;
    const after: WebhookEndpoint = {
      ...before,
      ...given(fields),
      ...(status && status !== before.status && withStatus(status)),
      ...(secret && this.rotated(before, secret)),
    };
    this.requireAllowed(ctx, before, after, target);
    if (!secret && changedProperties(WebhookDto.from(before), WebhookDto.from(after)).length === 0) return WebhookDto.from(before);
    after.updatedAt = this.clock.after(before.updatedAt);
    const isMoved = after.environment !== before.environment;
    await (isMoved ? this.webhooks.move(ctx, after) : this.webhooks.update(ctx, after));
    if (isMoved) await this.webhooks.giveUpPending(ctx, id, 'environment_changed', after.updatedAt);
    else if (before.status === 'active' && after.status === 'disabled')
      await this.webhooks.giveUpPending(ctx, id, 'endpoint_disabled', after.updatedAt);
    const shown = WebhookDto.from(after);
    const changes = {
      ...changesBetween(WebhookDto.from(before), shown),
      // changesBetween leaves out the environment, which never changes for other records.
      ...(isMoved && { environment: { from: before.environment, to: after.environment } }),
      // Says what happened to the secret, and nothing about its value.
      ...(secret && { secretRotated: { from: false, to: true } }),
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

  private requireAllowed(ctx: WriteContext, before: WebhookEndpoint, after: WebhookEndpoint, target?: ResolvedTarget): void {
    requireManageable(ctx, after.environment);
    const isMoved = after.environment !== before.environment;
    // Another environment may require https. The addresses of a target that stays the same are checked with every connection.
    if (isMoved || after.targetUrl !== before.targetUrl)
      requireAllowedTarget(target ?? { url: after.targetUrl, addresses: [] }, after.environment, this.settings.webhookAllowedNetworks);
  }

  private rotated({ id, secret }: WebhookEndpoint, next: string): Partial<WebhookEndpoint> {
    const previousSecretExpiresAt = new Date(this.clock.now().getTime() + SECRET_OVERLAP_MS).toISOString();
    return {
      secret: this.secrets.encrypt(next, secretBoundTo(id)),
      secretHint: hintOf(next),
      previousSecret: secret,
      previousSecretExpiresAt,
    };
  }
}
