import { Module } from '@nestjs/common';
import { DeliveryRetention } from '../deliveries/delivery-retention.js';
import { DeliveryProcessor } from './delivery.processor.js';
import { DeliveryScheduler } from './delivery-scheduler.js';
import { DueDeliveriesRepository } from './due-deliveries.repository.js';
import { EventBodies } from './event-bodies.js';
import { Sender } from './sender.js';

/** Schedules a delivery for each endpoint that subscribes to an event, sends what is due and retries what failed. */
@Module({
  providers: [DeliveryScheduler, DeliveryProcessor, DueDeliveriesRepository, EventBodies, Sender, DeliveryRetention],
  exports: [Sender],
})
export class SendingModule {}
