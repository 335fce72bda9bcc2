import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { OpenApiSource } from './openapi-source.js';
import { Registry } from './registry.js';

@Global()
@Module({ imports: [DiscoveryModule], providers: [Registry, OpenApiSource], exports: [Registry, OpenApiSource] })
export class OperationModule {}
