import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditEvent } from '../audit/audit-event.entity.js';
import { AuditRecorder } from '../audit/audit-recorder.js';
import { DomainEvent } from './event.entity.js';
import { Events } from './events.js';

/** What every change leaves behind: its event and its audit row. */
@Global()
@Module({ imports: [TypeOrmModule.forFeature([DomainEvent, AuditEvent])], providers: [Events, AuditRecorder], exports: [Events, AuditRecorder] })
export class EventsModule {}
