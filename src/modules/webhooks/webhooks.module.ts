import { Module } from '@nestjs/common';
import { DeliveriesConsole } from './console/deliveries.console.js';
import { EndpointPages } from './console/endpoint-pages.js';
import { EventKindsConsole } from './console/event-kinds.console.js';
import { FailingEndpointsPanel } from './console/failing-endpoints.panel.js';
import { WebhookReceivedStep } from './console/webhook-received.step.js';
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
  controllers: [WebhooksController, WebhooksConsole, DeliveriesConsole, EventKindsConsole],
  providers: [WebhooksService, EndpointLimit, DeliveriesService, EndpointPages, FailingEndpointsPanel, WebhookReceivedStep],
  exports: [WebhooksService, DeliveriesService, OperatorModule],
})
export class WebhooksModule {}
