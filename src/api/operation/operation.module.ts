import { Global, Module } from '@nestjs/common';
import { Registry } from './registry.js';

@Global()
@Module({ providers: [Registry], exports: [Registry] })
export class OperationModule {}
