import { Injectable } from '@nestjs/common';
import { OrganizationLimit } from '../../../api/limits/organization-limit.js';
import { changesBetween, changedProperties, given } from '../../../kernel/changes.js';
import { newId } from '../../../kernel/ids.js';
import type { Plan } from '../../../kernel/plans.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { Clock } from '../../../kernel/time.js';
import { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import type { ReadContext, WriteContext } from '../../../store/database/unit-of-work.js';
import { Implements } from '../../../store/discovery/ports.js';
import { hintOf, makeSigningSecret, type SigningSecret } from '../signing/webhook-secret.js';
import { EndpointPolicy, type By } from './endpoint-policy.js';
import { missing, requireManageable, SECRET_OVERLAP_MS, withStatus, WEBHOOKS_PLAN } from './endpoint-rules.js';
import { EndpointSecrets } from './endpoint-secrets.js';
import type { OwnHeaders } from './own-headers.js';
import type { WebhookEndpoint } from './webhook-endpoint.entity.js';
import { WEBHOOK_FIELDS, WebhookDto, type CreateWebhookDto, type UpdateWebhookDto } from './webhooks.dto.js';
import { WebhooksRepository } from './webhooks.repository.js';

const DEFAULTS = {
  description: null,
  ownHeaders: null,
  headerNames: [],
  rateLimit: null,
  ordered: false,
  payload: 'full',
  signature: 'hmac',
} satisfies Partial<WebhookEndpoint>;

/** An endpoint that was made or changed, and its secret if that is new: nobody can read it later. */
export interface WrittenEndpoint {
  readonly endpoint: WebhookEndpoint;
  readonly secret?: string;
}

@Injectable()
export class WebhooksService {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly secrets: EndpointSecrets,
    private readonly audit: AuditRecorder,
    private readonly clock: Clock,
    private readonly policy: EndpointPolicy,
  ) {}

  list(ctx: ReadContext): Promise<WebhookEndpoint[]> {
    return this.webhooks.list(ctx);
  }

  find(ctx: ReadContext, id: string): Promise<WebhookEndpoint | undefined> {
    return this.webhooks.get(ctx, id);
  }

  async get(ctx: ReadContext, id: string): Promise<WebhookEndpoint> {
    return (await this.find(ctx, id)) ?? missing();
  }

  /** For what is no secret: whose endpoint it is does not matter. */
  ofAnyone(id: string): Promise<WebhookEndpoint | undefined> {
    return this.webhooks.byId(id);
  }

  /** Those of one environment. A live credential of the API sees those of both, but a page shows one. */
  async ofEnvironment(ctx: ReadContext): Promise<WebhookEndpoint[]> {
    return (await this.list(ctx)).filter(({ environment }) => environment === ctx.environment);
  }

  async oneOfEnvironment(ctx: ReadContext, id: string): Promise<WebhookEndpoint> {
    const endpoint = await this.get(ctx, id);
    return endpoint.environment === ctx.environment ? endpoint : missing();
  }

  async create(ctx: WriteContext, input: CreateWebhookDto, { caller, target }: By): Promise<WrittenEndpoint> {
    const environment = input.environment ?? ctx.environment;
    requireManageable(ctx, environment);
    this.policy.requireReadable(caller, input);
    this.policy.requireTarget(target!, environment);
    const projectIds = await this.policy.existingProjects({ ...ctx, environment }, input.projectIds);
    const [id, made, now] = [newId(), makeSigningSecret(input.signature ?? DEFAULTS.signature), this.clock.timestamp()];
    const { headers, status = 'active', ...fields } = input;
    const endpoint: WebhookEndpoint = {
      id,
      organizationId: ctx.organizationId,
      createdAt: now,
      updatedAt: now,
      ...DEFAULTS,
      ...given(fields),
      ...WEBHOOK_FIELDS.stored(input),
      ...withStatus(status),
      ...this.secrets.sealedHeaders({ id, ownHeaders: null }, headers),
      environment,
      projectIds,
      ...this.sealed(id, made),
      previousSecret: null,
      previousSecretExpiresAt: null,
      lastDeliveryAt: null,
    };
    await this.webhooks.insert(ctx, endpoint);
    const changes = changesBetween(null, WebhookDto.from(endpoint));
    this.audit.record({ ...ctx, environment }, { action: 'webhook.created', resourceId: id, changes });
    return { endpoint, ...shownOnce(made) };
  }

  async update(ctx: WriteContext, id: string, input: UpdateWebhookDto, { caller, target }: By): Promise<WrittenEndpoint> {
    const before = (await this.webhooks.lock(ctx, id)) ?? missing();
    const { rotateSecret, status, headers, ...fields } = input;
    const { signature = before.signature } = fields;
    const made = rotateSecret || signature !== before.signature ? makeSigningSecret(signature) : undefined;
    const newHeaders = this.secrets.sealedHeaders(before, headersAt(before, fields.targetUrl, headers));
    const after: WebhookEndpoint = {
      ...before,
      ...given(fields),
      ...WEBHOOK_FIELDS.stored(input, before),
      ...(status && status !== before.status && withStatus(status, before)),
      ...(made && this.rotated(before, made)),
      ...newHeaders,
    };
    const isMoved = after.environment !== before.environment;
    this.policy.requireReadable(caller, after);
    requireManageable(ctx, after.environment);
    // Another environment may require https. The addresses of a target that stays the same are checked with every connection.
    if (isMoved || after.targetUrl !== before.targetUrl)
      this.policy.requireTarget(target ?? { url: after.targetUrl, addresses: [] }, after.environment);
    if (isMoved || fields.projectIds !== undefined)
      after.projectIds = await this.policy.existingProjects({ ...ctx, environment: after.environment }, after.projectIds);
    const areHeadersNew = 'ownHeaders' in newHeaders;
    if (!made && !areHeadersNew && changedProperties(WebhookDto.from(before), WebhookDto.from(after)).length === 0)
      return { endpoint: before };
    after.updatedAt = this.clock.after(before.updatedAt);
    // What it has missed there is not for it any more.
    if (isMoved) Object.assign(after, { failures: 0, catchUpSince: null });
    await (isMoved ? this.webhooks.move(ctx, after) : this.webhooks.update(ctx, after));
    if (isMoved) await this.webhooks.giveUpPending(ctx, id, 'environment_changed', after.updatedAt);
    else if (before.status === 'active' && after.status === 'disabled')
      await this.webhooks.giveUpPending(ctx, id, 'endpoint_disabled', after.updatedAt);
    const changes = {
      ...changesBetween(WebhookDto.from(before), WebhookDto.from(after)),
      // changesBetween leaves out the environment, which never changes for other records.
      ...(isMoved && { environment: { from: before.environment, to: after.environment } }),
      // Says what happened to the secrets, and nothing about their values.
      ...(made && { secretRotated: { from: false, to: true } }),
      ...(areHeadersNew && { headersReplaced: { from: false, to: true } }),
    };
    this.audit.record({ ...ctx, environment: after.environment }, { action: 'webhook.updated', resourceId: id, changes });
    return { endpoint: after, ...(made && shownOnce(made)) };
  }

  async delete(ctx: WriteContext, id: string): Promise<void> {
    const before = (await this.webhooks.lock(ctx, id)) ?? missing();
    await this.webhooks.delete(ctx, id);
    const { name, targetUrl, environment } = before;
    const changes = { name: { from: name, to: null }, targetUrl: { from: targetUrl, to: null } };
    this.audit.record({ ...ctx, environment }, { action: 'webhook.deleted', resourceId: id, changes });
  }

  private rotated({ id, secret }: WebhookEndpoint, next: SigningSecret): Partial<WebhookEndpoint> {
    const previousSecretExpiresAt = new Date(this.clock.now().getTime() + SECRET_OVERLAP_MS).toISOString();
    return { ...this.sealed(id, next), previousSecret: secret, previousSecretExpiresAt };
  }

  private sealed(id: string, made: SigningSecret): Pick<WebhookEndpoint, 'secret' | 'secretHint' | 'publicKey'> {
    return { secret: this.secrets.sealedSecret(id, made.secret), secretHint: hintOf(made), publicKey: made.publicKey };
  }
}

/** A URL that is none is refused elsewhere; it is equal to no other. */
const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url);

/** Another server does not get the headers: who may change the URL could otherwise read them. New ones in the same request are for it. */
const headersAt = (before: WebhookEndpoint, targetUrl: string | undefined, headers: OwnHeaders | null | undefined) =>
  headers === undefined && targetUrl !== undefined && originOf(targetUrl) !== originOf(before.targetUrl) ? null : headers;

/** A private key is never shown. */
const shownOnce = ({ secret, publicKey }: SigningSecret): { secret?: string } => (publicKey === null ? { secret } : {});

/** The limit as `GET /v1/organization` shows it. The plan itself is checked by the operations. */
@Implements(OrganizationLimit)
export class EndpointLimit implements OrganizationLimit {
  readonly name = 'webhooks';

  constructor(private readonly settings: Settings) {}

  of(plan: Plan): number {
    return this.settings.plans.includes(plan, WEBHOOKS_PLAN) ? this.settings.recordLimits.webhooks : 0;
  }
}
