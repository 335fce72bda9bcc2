import { Global, Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Settings } from '../../kernel/settings/settings.js';
import { connectionOptions } from './connection-options.js';
import { Database } from './database.js';
import { DatabaseClock } from './database-clock.js';
import { RecordBounds } from '../tenant/record-bounds.js';
import { Partitions } from './partitions.js';
import { UnitOfWork } from './unit-of-work.js';

@Global()
@Module({
  providers: [Database, DatabaseClock, UnitOfWork, Partitions, RecordBounds],
  exports: [Database, DatabaseClock, UnitOfWork, Partitions, RecordBounds],
})
export class DatabaseModule {
  static on(settings: Settings): DynamicModule {
    const connection = { ...connectionOptions(settings.databaseUrl!, settings), autoLoadEntities: true, retryAttempts: 0 };
    return { module: DatabaseModule, imports: [TypeOrmModule.forRoot(connection)] };
  }
}
