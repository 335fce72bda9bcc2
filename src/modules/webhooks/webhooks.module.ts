import { Module } from '@nestjs/common';
import { DeliveriesService } from './deliveries/deliveries.service.js';
import { EndpointLimit } from './endpoints/endpoint-limit.js';
import { WebhooksService } from './endpoints/webhooks.service.js';
import { OperatorModule } from './operator/operator.module.js';
import { SendingModule } from './sending/sending.module.js';
import { WebhookRecordsModule } from './webhook-records.module.js';
import { WebhooksController } from './webhooks.controller.js';

@Module({
  imports: [WebhookRecordsModule, SendingModule, OperatorModule],
  controllers: [WebhooksController],
  providers: [WebhooksService, EndpointLimit, DeliveriesService],
  exports: [WebhooksService, DeliveriesService, OperatorModule],
})
export class WebhooksModule {}
