import { Global, Module } from '@nestjs/common';
import { LookUps } from './look-ups.js';

/** Requests to addresses that strangers chose. */
@Global()
@Module({ providers: [LookUps], exports: [LookUps] })
export class OutboundModule {}
