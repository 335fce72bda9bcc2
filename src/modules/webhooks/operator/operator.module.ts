import { Module } from '@nestjs/common';
import { SendingModule } from '../sending/sending.module.js';
import { WebhookRecordsModule } from '../webhook-records.module.js';
import { EndpointOperations } from './endpoint-operations.js';
import { EventFeedRepository } from './event-feed.repository.js';
import { ExampleService } from './example.service.js';
import { ListenService } from './listen.service.js';
import { PingService } from './ping.service.js';
import { RedeliveryService } from './redelivery.service.js';
import { ReplayService } from './replay.service.js';

/** What operators do with endpoints at the command line. */
@Module({
  imports: [WebhookRecordsModule, SendingModule],
  providers: [EndpointOperations, PingService, ExampleService, RedeliveryService, ReplayService, ListenService, EventFeedRepository],
  exports: [PingService, ExampleService, RedeliveryService, ReplayService, ListenService],
})
export class OperatorModule {}
