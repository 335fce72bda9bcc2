import { Module } from '@nestjs/common';
import { DeliveryRetention } from '../deliveries/delivery-retention.js';
import { Dispatcher } from '../sending/delivery.processor.js';
import { DispatchRepository } from '../sending/due-deliveries.repository.js';
import { FanOut } from '../sending/delivery-scheduler.js';
import { Sender } from '../sending/sender.js';

/** From an event to the requests that tell of it. */
@Module({ providers: [Dispatcher, DispatchRepository, FanOut, Sender, DeliveryRetention], exports: [Sender] })
export class DispatchModule {}
