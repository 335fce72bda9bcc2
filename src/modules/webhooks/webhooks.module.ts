import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DeliveriesService } from './deliveries.service.js';
import { DispatchModule } from './dispatch/dispatch.module.js';
import { EndpointLimit } from './endpoint-limit.js';
import { EventFeedRepository } from './event-feed.repository.js';
import { ListenService } from './listen.service.js';
import { PingService } from './ping.service.js';
import { RedeliveryService } from './redelivery.service.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksRepository } from './webhooks.repository.js';
import { WebhooksService } from './webhooks.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([WebhookEndpoint, WebhookDelivery]), DispatchModule],
  controllers: [WebhooksController],
  providers: [
    WebhooksService,
    WebhooksRepository,
    DeliveriesService,
    DeliveriesRepository,
    PingService,
    RedeliveryService,
    ListenService,
    EventFeedRepository,
    EndpointLimit,
  ],
  exports: [WebhooksService, PingService, RedeliveryService, ListenService],
})
export class WebhooksModule {}
