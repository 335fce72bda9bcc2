import { Module } from '@nestjs/common';
import { ContractsController } from './contracts.controller.js';
import { Documents } from './documents.js';

@Module({ controllers: [ContractsController], providers: [Documents], exports: [Documents] })
export class ContractsModule {}
