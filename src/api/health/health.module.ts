import { Module } from '@nestjs/common';
import { HealthController } from './health.controller.js';
import { Health } from './health.js';

@Module({ controllers: [HealthController], providers: [Health] })
export class HealthModule {}
