import { Module } from '@nestjs/common';
import { ContractsController } from './contracts.controller.js';
import { Documents } from './documents.js';
import { FirstPageController } from './first-page.controller.js';
import { GuidesController } from './guides.controller.js';

@Module({ controllers: [ContractsController, FirstPageController, GuidesController], providers: [Documents], exports: [Documents] })
export class ContractsModule {}
