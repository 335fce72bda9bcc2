import { Module } from '@nestjs/common';
import { ConfigurationsModule } from '../configurations/index.js';
import { OrganizationDataModule } from '../organization-data/index.js';
import { TestEnvironmentController } from './test-environment.controller.js';
import { TestEvents } from './test-events.service.js';

@Module({ imports: [ConfigurationsModule, OrganizationDataModule], controllers: [TestEnvironmentController], providers: [TestEvents] })
export class TestEnvironmentModule {}
