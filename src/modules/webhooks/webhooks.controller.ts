import { Body, Controller, Param, Query } from '@nestjs/common';
import { Ahead, Ctx } from '../../api/call/ctx.decorator.js';
import type { RequestContext } from '../../api/operation/operation.js';
import type { InTransaction, ReadContext, WriteContext } from '../../store/database/unit-of-work.js';
import { Capability, Operation } from '../../api/operation/operation.decorator.js';
import { LookUps, type ResolvedTarget } from '../../api/outbound/look-ups.js';
import { pageOf, toPage, type Page } from '../../api/dto/page.js';
import { ENVIRONMENTS } from '../../kernel/context.js';
import { Settings } from '../../kernel/settings/settings.js';
import { DeliveriesService } from './deliveries/deliveries.service.js';
import type { By } from './endpoints/endpoint-policy.js';
import { WEBHOOKS_PLAN } from './endpoints/endpoint-rules.js';
import { ListDeliveriesQuery, WebhookDeliveryDetailsDto, WebhookDeliveryDto } from './deliveries/webhook-delivery.dto.js';
import { CreateWebhookDto, UpdateWebhookDto, WebhookDto, WebhookListDto, WebhookWithSecretDto } from './endpoints/webhooks.dto.js';
import { WebhooksService, type WrittenEndpoint } from './endpoints/webhooks.service.js';

/** How deliveries are sent: for those who run the receiver. */
const SENDING_OPTIONS = ['headers', 'rateLimit', 'ordered', 'payload', 'signature', 'projectIds'];
const ALL_ENDPOINTS =
  'All endpoints on one page, newest first. A live credential sees those of both environments, a test credential those of test.';
const ALL_ATTEMPTS = 'One record for each attempt, newest first; the next scheduled one is `pending`. Without bodies and tests.';

const READING = { scope: 'webhooks:read', plan: WEBHOOKS_PLAN } as const;
const READING_LOG = { scope: 'webhooks:deliveries:read', plan: WEBHOOKS_PLAN } as const;
const WRITING = {
  scope: 'webhooks:write',
  role: 'admin',
  plan: WEBHOOKS_PLAN,
  returns: WebhookWithSecretDto,
  returnsSecret: true,
  problems: ['environment_mismatch', 'event_not_allowed', 'limit_exceeded', 'related_record_missing', 'target_not_allowed'],
  ahead: 'lookUp',
} as const;

@Capability({
  about: 'A webhook endpoint is a URL of yours that gets events as signed requests. The delivery log has every attempt.',
  guide: 'docs/webhooks.md',
})
@Controller('v1/webhooks')
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly deliveries: DeliveriesService,
    private readonly settings: Settings,
    private readonly lookUps: LookUps,
  ) {}

  /** The addresses of the host in `targetUrl`: DNS may be slow, and an open transaction occupies a connection. */
  lookUp({ organizationId }: RequestContext, { targetUrl }: UpdateWebhookDto): Promise<ResolvedTarget> | undefined {
    return targetUrl === undefined ? undefined : this.lookUps.resolve(targetUrl, organizationId);
  }

  @Operation({
    id: 'webhooks.list',
    route: 'GET /',
    ...READING,
    tool: {
      name: 'list_webhooks',
      risk: 'read_only',
      says: `To find an endpoint and its \`id\`. ${ALL_ENDPOINTS}`,
    },
    summary: 'List webhook endpoints',
    description: ALL_ENDPOINTS,
    returns: WebhookListDto,
  })
  async list(@Ctx() ctx: ReadContext): Promise<WebhookListDto> {
    const data = (await this.webhooks.list(ctx)).map(WebhookDto.from);
    // As many endpoints as there can be, of both environments together.
    const pageSize = ENVIRONMENTS.length * this.settings.recordLimits.webhooks;
    return { data, pagination: { page: 1, pageSize, total: data.length, totalRelation: 'exact', hasMore: false } };
  }

  @Operation({
    id: 'webhooks.create',
    route: 'POST /',
    tool: {
      name: 'create_webhook',
      risk: 'write',
      says: 'To receive events. Next: list_webhook_deliveries shows whether they arrive. Receivers verify them with `publicKey`.',
      without: SENDING_OPTIONS,
      // No secret is put before a model.
      sets: { signature: 'ed25519' },
    },
    summary: 'Create a webhook endpoint',
    description: 'The response contains the signing secret. No other response does.',
    ...WRITING,
  })
  async create(
    @Ctx() ctx: InTransaction<RequestContext>,
    @Body() input: CreateWebhookDto,
    @Ahead() target: By['target'],
  ): Promise<WebhookWithSecretDto> {
    return withSecret(await this.webhooks.create(ctx, input, { caller: ctx.principal, target }));
  }

  @Operation({
    id: 'webhooks.get',
    route: 'GET /:webhook_id',
    ...READING,
    tool: { name: 'get_webhook', risk: 'read_only', says: 'When you have the id from list_webhooks. Without the signing secret.' },
    summary: 'Get a webhook endpoint',
    description: 'Without the signing secret: only the answers to creating it and to rotating the secret contain that.',
    returns: WebhookDto,
  })
  async get(@Ctx() ctx: ReadContext, @Param('webhook_id') id: string): Promise<WebhookDto> {
    return WebhookDto.from(await this.webhooks.get(ctx, id));
  }

  @Operation({
    id: 'webhooks.update',
    route: 'PATCH /:webhook_id',
    tool: {
      name: 'update_webhook',
      risk: 'write',
      says: 'Set `status` to disable or enable it. Properties that are left out stay unchanged.',
      without: ['rotateSecret', ...SENDING_OPTIONS],
    },
    summary: 'Update a webhook endpoint',
    description:
      'Properties that are left out stay unchanged. With `rotateSecret` the response contains the new signing secret; no other ' +
      'response does. A change applies from the next delivery on.',
    ...WRITING,
  })
  async update(
    @Ctx() ctx: InTransaction<RequestContext>,
    @Param('webhook_id') id: string,
    @Body() input: UpdateWebhookDto,
    @Ahead() target: By['target'],
  ): Promise<WebhookWithSecretDto> {
    return withSecret(await this.webhooks.update(ctx, id, input, { caller: ctx.principal, target }));
  }

  @Operation({
    id: 'webhooks.delete',
    route: 'DELETE /:webhook_id',
    scope: 'webhooks:delete',
    role: 'admin',
    plan: WEBHOOKS_PLAN,
    tool: {
      name: 'delete_webhook',
      risk: 'destructive',
      says:
        'Cannot be undone; update_webhook can disable it instead. ' +
        'Its delivery log is deleted too, and its pending deliveries are not sent.',
    },
    summary: 'Delete a webhook endpoint',
    description: 'Its delivery log is deleted too, and its pending deliveries are not sent.',
  })
  async delete(@Ctx() ctx: WriteContext, @Param('webhook_id') id: string): Promise<void> {
    await this.webhooks.delete(ctx, id);
  }

  @Operation({
    id: 'webhooks.list_deliveries',
    route: 'GET /:webhook_id/deliveries',
    ...READING_LOG,
    tool: {
      name: 'list_webhook_deliveries',
      risk: 'read_only',
      says: `To find out whether events arrived, or why they did not. ${ALL_ATTEMPTS}`,
      without: ['event_kind', 'event_id', 'since', 'until'],
    },
    summary: 'List the deliveries of a webhook endpoint',
    description: ALL_ATTEMPTS,
    returns: pageOf(WebhookDeliveryDto),
  })
  async listDeliveries(
    @Ctx() ctx: ReadContext,
    @Param('webhook_id') id: string,
    @Query() query: ListDeliveriesQuery,
  ): Promise<Page<WebhookDeliveryDto>> {
    const { environment } = await this.webhooks.get(ctx, id);
    return toPage(query, await this.deliveries.list({ ...ctx, environment }, id, query), WebhookDeliveryDto.from);
  }

  @Operation({
    id: 'webhooks.get_delivery',
    cannotBeCut: true,
    route: 'GET /:webhook_id/deliveries/:delivery_id',
    ...READING_LOG,
    summary: 'Get a delivery with its message',
    description:
      'One attempt with the message that was sent and the beginning of the answer, to find out why an endpoint refused it. The ' +
      'credential may read the record of the event. An addition.',
    returns: WebhookDeliveryDetailsDto,
    problems: ['event_not_allowed'],
  })
  async getDelivery(
    @Ctx() ctx: RequestContext,
    @Param('webhook_id') webhookId: string,
    @Param('delivery_id') id: string,
  ): Promise<WebhookDeliveryDetailsDto> {
    const { environment } = await this.webhooks.get(ctx, webhookId);
    const { delivery, message } = await this.deliveries.get({ ...ctx, environment }, webhookId, id, ctx.principal);
    return WebhookDeliveryDetailsDto.fromParts(delivery, message);
  }
}

const withSecret = ({ endpoint, ...secret }: WrittenEndpoint): WebhookWithSecretDto => ({ ...WebhookDto.from(endpoint), ...secret });
