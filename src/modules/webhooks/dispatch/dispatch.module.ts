import { Module } from '@nestjs/common';
import { DeliveryRetention } from './delivery-retention.js';
import { Dispatcher } from './dispatcher.js';
import { DispatchRepository } from './dispatch.repository.js';
import { FanOut } from './fan-out.js';
import { Sender } from './sender.js';

/** From an event to the requests that tell of it. */
@Module({ providers: [Dispatcher, DispatchRepository, FanOut, Sender, DeliveryRetention], exports: [Sender] })
export class DispatchModule {}
