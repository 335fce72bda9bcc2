import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationModule } from '../organization/index.js';
import { DeliveriesConsole } from './console/deliveries.console.js';
import { EventsConsole } from './console/events.console.js';
import { FailingEndpointsPanel, FirstDeliveryStep } from './console/overview-parts.js';
import { ReplayConsole } from './console/replay.console.js';
import { WebhooksConsole } from './console/webhooks.console.js';
import { DeliveriesRepository } from './deliveries/deliveries.repository.js';
import { DeliveriesService } from './deliveries/deliveries.service.js';
import { DeliveryRetention } from './deliveries/delivery-retention.js';
import { ReplaysRepository } from './deliveries/replays.repository.js';
import { WebhookDelivery } from './deliveries/webhook-delivery.entity.js';
import { EndpointLimit } from './endpoints/endpoint-limit.js';
import { EndpointSecrets } from './endpoints/endpoint-secrets.js';
import { WebhookEndpoint } from './endpoints/webhook-endpoint.entity.js';
import { WebhooksRepository } from './endpoints/webhooks.repository.js';
import { WebhooksService } from './endpoints/webhooks.service.js';
import { EndpointOperations } from './operator/endpoint-operations.js';
import { ListenService } from './operator/listen.service.js';
import { PingService } from './operator/ping.service.js';
import { RedeliveryService } from './operator/redelivery.service.js';
import { ReplayService } from './operator/replay.service.js';
import { DeliveryScheduler } from './sending/delivery-scheduler.js';
import { DeliveryProcessor } from './sending/delivery.processor.js';
import { DueDeliveriesRepository } from './sending/due-deliveries.repository.js';
import { EventBodies } from './sending/event-bodies.js';
import { FailingNotice } from './sending/failing-notice.js';
import { Sender } from './sending/sender.js';
import { WebhooksController } from './webhooks.controller.js';

@Module({
  imports: [TypeOrmModule.forFeature([WebhookEndpoint, WebhookDelivery]), OrganizationModule],
  controllers: [WebhooksController, WebhooksConsole, DeliveriesConsole, ReplayConsole, EventsConsole],
  providers: [
    WebhooksService,
    WebhooksRepository,
    EndpointLimit,
    EndpointSecrets,
    DeliveriesService,
    DeliveriesRepository,
    DeliveryRetention,
    ReplaysRepository,
    FailingEndpointsPanel,
    FirstDeliveryStep,
    // Schedules a delivery for each endpoint that subscribes to an event, sends what is due and retries what failed.
    DeliveryScheduler,
    DeliveryProcessor,
    DueDeliveriesRepository,
    EventBodies,
    Sender,
    FailingNotice,
    EndpointOperations,
    PingService,
    RedeliveryService,
    ReplayService,
    ListenService,
  ],
  exports: [WebhooksService, DeliveriesService, PingService, RedeliveryService, ReplayService, ListenService],
})
export class WebhooksModule {}
