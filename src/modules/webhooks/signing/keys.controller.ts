import { Controller, Get, Header, Param } from '@nestjs/common';
import { Protocol } from '../../../api/operation/operation.decorator.js';
import { isUuid } from '../../../kernel/ids.js';
import { notFound } from '../../../kernel/problems.js';
import { EndpointSecrets } from '../endpoints/endpoint-secrets.js';
import { WebhooksService } from '../endpoints/webhooks.service.js';
import type { PublishedKey } from './webhook-secret.js';

/** Receivers that verify with a public key need no credential of the API. */
@Controller('webhooks')
export class WebhookKeysController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly secrets: EndpointSecrets,
  ) {}

  @Protocol('RFC 7517: the public keys that verify the deliveries of a webhook endpoint.')
  @Get(':webhook_id/jwks.json')
  @Header('Cache-Control', 'public, max-age=300')
  async published(@Param('webhook_id') id: string): Promise<{ keys: PublishedKey[] }> {
    const endpoint = isUuid(id) ? await this.webhooks.ofAnyone(id) : undefined;
    const keys = endpoint ? this.secrets.keysOf(endpoint).flatMap(({ published }) => published ?? []) : [];
    // One that signs with a secret looks like one that does not exist.
    return keys.length > 0 ? { keys } : notFound('There are no public keys of a webhook endpoint with this id.');
  }
}
