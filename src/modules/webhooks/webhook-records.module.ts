import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DeliveriesRepository } from './deliveries/deliveries.repository.js';
import { ReplaysRepository } from './deliveries/replays.repository.js';
import { WebhookDelivery } from './deliveries/webhook-delivery.entity.js';
import { WebhookEndpoint } from './endpoints/webhook-endpoint.entity.js';
import { WebhooksRepository } from './endpoints/webhooks.repository.js';

const REPOSITORIES = [WebhooksRepository, DeliveriesRepository, ReplaysRepository];

/** Endpoints and the delivery log, for requests and for operators. */
@Module({ imports: [TypeOrmModule.forFeature([WebhookEndpoint, WebhookDelivery])], providers: REPOSITORIES, exports: REPOSITORIES })
export class WebhookRecordsModule {}
