import { Module } from '@nestjs/common';
import { DatabaseGauges } from './database-gauges.js';
import { MetricsReader } from './metrics-reader.js';
import { RedisGauges } from './redis-gauges.js';
import { WaitingGauges } from './waiting-gauges.js';

@Module({ providers: [DatabaseGauges, RedisGauges, WaitingGauges, MetricsReader] })
export class MetricsModule {}
