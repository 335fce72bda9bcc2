import { Module } from '@nestjs/common';
import { OrganizationModule } from '../../organization/index.js';
import { DeliveryRetention } from '../deliveries/delivery-retention.js';
import { EndpointSecrets } from '../endpoints/endpoint-secrets.js';
import { DeliveryProcessor } from './delivery.processor.js';
import { DeliveryScheduler } from './delivery-scheduler.js';
import { DueDeliveriesRepository } from './due-deliveries.repository.js';
import { EventBodies } from './event-bodies.js';
import { Sender } from './sender.js';
import { FailingNotice } from './failing-notice.js';

/** Schedules a delivery for each endpoint that subscribes to an event, sends what is due and retries what failed. */
@Module({
  imports: [OrganizationModule],
  providers: [
    DeliveryScheduler,
    DeliveryProcessor,
    DueDeliveriesRepository,
    EventBodies,
    EndpointSecrets,
    Sender,
    DeliveryRetention,
    FailingNotice,
  ],
  exports: [EndpointSecrets, Sender],
})
export class SendingModule {}
