import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationModule } from '../organization/index.js';
import { ProjectsModule } from '../projects/index.js';
import { DeliveriesConsole, EventsConsole, ReplayConsole } from './console/deliveries.console.js';
import { FailingEndpointsPanel, FirstDeliveryStep, WebhooksConsole } from './console/webhooks.console.js';
import { DeliveriesRepository, ReplaysRepository } from './deliveries/deliveries.repository.js';
import { DeliveriesService, DeliveryRetention } from './deliveries/deliveries.service.js';
import { PingService } from './deliveries/pings.service.js';
import { ReplaysController } from './deliveries/replays.controller.js';
import { ReplayService } from './deliveries/replays.service.js';
import { WebhookDelivery } from './deliveries/webhook-delivery.entity.js';
import { EndpointPolicy } from './endpoints/endpoint-policy.js';
import { EndpointLimit, WebhooksService } from './endpoints/webhooks.service.js';
import { EndpointSecrets } from './endpoints/endpoint-secrets.js';
import { WebhookEndpoint } from './endpoints/webhook-endpoint.entity.js';
import { WebhooksRepository } from './endpoints/webhooks.repository.js';
import { EndpointOperations, ListenService } from './operator/endpoint-operations.js';
import { DeliveryScheduler, DeliveryProcessor } from './sending/delivery.processor.js';
import { DueDeliveriesRepository } from './sending/due-deliveries.repository.js';
import { EventBodies } from './sending/event-bodies.js';
import { FailingNotice } from './sending/failing-notice.js';
import { CatchingUp } from './sending/catching-up.js';
import { EndpointHealth } from './sending/endpoint-health.js';
import { Sender } from './sending/sender.js';
import { WebhookKeysController } from './signing/keys.controller.js';
import { WebhooksController } from './webhooks.controller.js';

@Module({
  imports: [TypeOrmModule.forFeature([WebhookEndpoint, WebhookDelivery]), OrganizationModule, ProjectsModule],
  controllers: [
    WebhooksController,
    ReplaysController,
    WebhookKeysController,
    WebhooksConsole,
    DeliveriesConsole,
    ReplayConsole,
    EventsConsole,
  ],
  providers: [
    WebhooksService,
    WebhooksRepository,
    EndpointLimit,
    EndpointPolicy,
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
    EndpointHealth,
    CatchingUp,
    EndpointOperations,
    PingService,
    ReplayService,
    ListenService,
  ],
  exports: [WebhooksService, DeliveriesService, EndpointOperations, ReplayService, ListenService],
})
export class WebhooksModule {}
