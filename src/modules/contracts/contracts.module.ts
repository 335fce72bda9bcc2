import { Module } from '@nestjs/common';
import { ContractsController } from './contracts.controller.js';
import { Documents } from './documents.js';
import { FirstPageController } from './first-page.controller.js';

@Module({ controllers: [ContractsController, FirstPageController], providers: [Documents], exports: [Documents] })
export class ContractsModule {}
