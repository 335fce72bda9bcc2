import { Module } from '@nestjs/common';
import { DeliveriesConsole } from './console/deliveries.console.js';
import { EventsConsole } from './console/events.console.js';
import { FailingEndpointsPanel } from './console/failing-endpoints.panel.js';
import { FirstDeliveryStep } from './console/first-delivery.step.js';
import { ReplayConsole } from './console/replay.console.js';
import { WebhooksConsole } from './console/webhooks.console.js';
import { DeliveriesService } from './deliveries/deliveries.service.js';
import { EndpointLimit } from './endpoints/endpoint-limit.js';
import { WebhooksService } from './endpoints/webhooks.service.js';
import { OperatorModule } from './operator/operator.module.js';
import { SendingModule } from './sending/sending.module.js';
import { WebhookRecordsModule } from './webhook-records.module.js';
import { WebhooksController } from './webhooks.controller.js';

@Module({
  imports: [WebhookRecordsModule, SendingModule, OperatorModule],
  controllers: [WebhooksController, WebhooksConsole, DeliveriesConsole, ReplayConsole, EventsConsole],
  providers: [WebhooksService, EndpointLimit, DeliveriesService, FailingEndpointsPanel, FirstDeliveryStep],
  exports: [WebhooksService, DeliveriesService, OperatorModule],
})
export class WebhooksModule {}
