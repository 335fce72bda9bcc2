import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { gauge } from '../../kernel/metrics.js';
import { Settings } from '../../kernel/settings/settings.js';
import { poolOf } from '../database/borrowed.js';
import { Implements } from '../discovery/ports.js';
import { Gauges } from './gauges.js';

const CONNECTIONS = gauge('database_connections', 'Connections of the pool.', ['state']);
const MAXIMUM = gauge('database_connections_max', 'The size of the pool: DATABASE_POOL_SIZE.');
const WAITING = gauge('database_connections_awaited', 'Statements and transactions that wait for a connection of the pool.');

@Implements(Gauges)
@Injectable()
export class DatabaseGauges extends Gauges {
  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: Settings,
  ) {
    super();
  }

  readGauges(): void {
    const { totalCount, idleCount, waitingCount } = poolOf(this.dataSource);
    CONNECTIONS.set({ state: 'idle' }, idleCount);
    CONNECTIONS.set({ state: 'used' }, totalCount - idleCount);
    MAXIMUM.set(this.settings.databasePoolSize);
    WAITING.set(waitingCount);
  }
}
