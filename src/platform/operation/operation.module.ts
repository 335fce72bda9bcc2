import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Registry } from './registry.js';

@Global()
@Module({ imports: [DiscoveryModule], providers: [Registry], exports: [Registry] })
export class OperationModule {}
