import { Module } from '@nestjs/common';
import { MetricsReader } from './metrics-reader.js';
import { DatabaseGauges, RedisGauges, WaitingGauges } from './waiting-gauges.js';

@Module({ providers: [DatabaseGauges, RedisGauges, WaitingGauges, MetricsReader] })
export class MetricsModule {}
