import { Global, Module } from '@nestjs/common';
import { DiscoveryModule as NestDiscoveryModule } from '@nestjs/core';
import { Ports } from './ports.js';

/** How classes with a decorator are found at start. */
@Global()
@Module({ imports: [NestDiscoveryModule], providers: [Ports], exports: [Ports, NestDiscoveryModule] })
export class DiscoveryModule {}
