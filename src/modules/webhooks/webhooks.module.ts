import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DeliveriesRepository } from './deliveries/deliveries.repository.js';
import { DeliveriesService } from './deliveries/deliveries.service.js';
import { WebhookDelivery } from './deliveries/webhook-delivery.entity.js';
import { EndpointLimit } from './endpoints/endpoint-limit.js';
import { WebhookEndpoint } from './endpoints/webhook-endpoint.entity.js';
import { WebhooksRepository } from './endpoints/webhooks.repository.js';
import { WebhooksService } from './endpoints/webhooks.service.js';
import { EventFeedRepository } from './operator/event-feed.repository.js';
import { ListenService } from './operator/listen.service.js';
import { PingService } from './operator/ping.service.js';
import { RedeliveryService } from './operator/redelivery.service.js';
import { SendingModule } from './sending/sending.module.js';
import { WebhooksController } from './webhooks.controller.js';

@Module({
  imports: [TypeOrmModule.forFeature([WebhookEndpoint, WebhookDelivery]), SendingModule],
  controllers: [WebhooksController],
  providers: [
    WebhooksService,
    WebhooksRepository,
    EndpointLimit,
    DeliveriesService,
    DeliveriesRepository,
    PingService,
    RedeliveryService,
    ListenService,
    EventFeedRepository,
  ],
  exports: [WebhooksService, PingService, RedeliveryService, ListenService],
})
export class WebhooksModule {}
