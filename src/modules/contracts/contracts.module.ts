import { Module } from '@nestjs/common';
import { ContractsController, FirstPageController, GuidesController } from './contracts.controller.js';
import { Documents } from './documents.js';
import { Site } from './site/site.js';

@Module({ controllers: [ContractsController, FirstPageController, GuidesController], providers: [Documents, Site], exports: [Documents] })
export class ContractsModule {}
