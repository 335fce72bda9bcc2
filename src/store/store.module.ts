import { Global, Module, type DynamicModule } from '@nestjs/common';
import { DiscoveryModule as NestDiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Log } from '../kernel/log.js';
import { Settings } from '../kernel/settings/settings.js';
import { Clock } from '../kernel/time.js';
import { AuditEntry, AuditRecorder, ThrottledRecorder } from './audit/audit-recorder.js';
import { connectionOptions } from './database/connection-options.js';
import { DatabaseClock } from './database/database-clock.js';
import { Database } from './database/database.js';
import { Partitions } from './database/partitions.js';
import { UnitOfWork } from './database/unit-of-work.js';
import { Ports } from './discovery/ports.js';
import { EventRetention, Events, DomainEvent } from './events/events.js';
import { FileScanner } from './files/file-scanner.js';
import { FileExamination, FileRemoval, StoredFiles } from './files/stored-files.js';
import { FileStoreCalls } from './files/file-store-calls.js';
import { StoredFile } from './files/stored-file.entity.js';
import { StoredFilesRepository } from './files/stored-files.repository.js';
import { JobsModule } from './jobs/jobs.module.js';
import { MailOutbox, MailSender } from './mail/mail-outbox.js';
import { OutgoingMail } from './mail/outgoing-mail.entity.js';
import { MetricsReader, DatabaseGauges, RedisGauges, WaitingGauges } from './metrics/metrics-reader.js';
import { RedisModule } from './redis/redis.module.js';
import { Reencryption } from './secrets/reencryption.js';
import { Secrets } from './secrets/secrets.js';
import { RecordBounds } from './tenant/record-bounds.js';
import { RelatedTables } from './tenant/relations.js';
import { Threads } from './threads/threads.js';
import { Tracing } from './tracing/tracing.js';

/** What the service keeps and does later: Postgres, Redis, events, files, jobs, mail, secrets, threads. No HTTP, and no resource. */
@Global()
@Module({})
export class StoreModule {
  static with(settings: Settings, log: Log): DynamicModule {
    return {
      module: StoreModule,
      imports: [
        DatabaseModule.on(settings),
        RedisModule,
        DiscoveryModule,
        EventsModule,
        FilesModule,
        JobsModule.on(settings),
        MailModule,
        MetricsModule,
        TracingModule,
      ],
      providers: [{ provide: Settings, useValue: settings }, { provide: Log, useValue: log }, Clock, Secrets, Reencryption, Threads],
      exports: [Settings, Log, Clock, Secrets, Reencryption, Threads],
    };
  }
}

@Global()
@Module({
  providers: [Database, DatabaseClock, UnitOfWork, Partitions, RecordBounds, RelatedTables],
  exports: [Database, DatabaseClock, UnitOfWork, Partitions, RecordBounds, RelatedTables],
})
class DatabaseModule {
  static on(settings: Settings): DynamicModule {
    const connection = { ...connectionOptions(settings.databaseUrl!, settings), autoLoadEntities: true, retryAttempts: 0 };
    return { module: DatabaseModule, imports: [TypeOrmModule.forRoot(connection)] };
  }
}

/** How classes with a decorator are found at start. */
@Global()
@Module({ imports: [NestDiscoveryModule], providers: [Ports], exports: [Ports, NestDiscoveryModule] })
export class DiscoveryModule {}

@Global()
@Module({
  imports: [TypeOrmModule.forFeature([DomainEvent, AuditEntry])],
  providers: [Events, EventRetention, AuditRecorder, ThrottledRecorder],
  exports: [Events, AuditRecorder, ThrottledRecorder],
})
class EventsModule {}

@Global()
@Module({
  imports: [TypeOrmModule.forFeature([StoredFile])],
  providers: [FileScanner, FileStoreCalls, StoredFilesRepository, StoredFiles, FileRemoval, FileExamination],
  exports: [StoredFiles, FileRemoval, FileExamination],
})
class FilesModule {}

@Global()
@Module({ imports: [TypeOrmModule.forFeature([OutgoingMail])], providers: [MailOutbox, MailSender], exports: [MailOutbox, MailSender] })
class MailModule {}

@Module({ providers: [DatabaseGauges, RedisGauges, WaitingGauges, MetricsReader] })
class MetricsModule {}

@Global()
@Module({
  providers: [{ provide: Tracing, inject: [Settings], useFactory: (settings: Settings) => Tracing.by(settings) }],
  exports: [Tracing],
})
class TracingModule {}
