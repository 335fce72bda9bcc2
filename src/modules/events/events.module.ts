import { Module } from '@nestjs/common';
import { EventsController } from './events.controller.js';
import { EventsRepository } from './events.repository.js';
import { EventsService } from './events.service.js';

/** For clients that fetch events. Events are written in `store/events`. */
@Module({ controllers: [EventsController], providers: [EventsService, EventsRepository] })
export class EventFeedModule {}
