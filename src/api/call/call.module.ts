import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { CallGuard } from './pipeline.js';

/** Every call of an operation goes through the pipeline. */
@Module({ providers: [{ provide: APP_GUARD, useClass: CallGuard }] })
export class CallModule {}
