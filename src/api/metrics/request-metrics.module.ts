import { Module } from '@nestjs/common';
import { RequestMetrics } from './request-metrics.js';

@Module({ providers: [RequestMetrics] })
export class RequestMetricsModule {}
