import { Module } from '@nestjs/common';
import { ContractsController } from './contracts.controller.js';
import { Documents } from './documents.js';
import { FirstPageController } from './first-page.controller.js';
import { GuidesController } from './guides.controller.js';
import { Site } from './site/site.js';

@Module({ controllers: [ContractsController, FirstPageController, GuidesController], providers: [Documents, Site], exports: [Documents] })
export class ContractsModule {}
