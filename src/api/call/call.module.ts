import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { OpenRouteGuard } from '../access/open-route.guard.js';
import { AnsweredCalls } from './answered-calls.js';
import { Executor } from './executor.js';

/** Every call of an operation goes through the executor. Nest's own guards are asked for other routes alone. */
@Global()
@Module({ providers: [{ provide: APP_GUARD, useClass: OpenRouteGuard }, Executor, AnsweredCalls], exports: [Executor, AnsweredCalls] })
export class CallModule {}
