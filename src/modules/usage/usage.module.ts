import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationModule } from '../organization/index.js';
import { BudgetNotice } from './budget-notice.js';
import { UsageConsole, UsagePanel } from './console/usage.console.js';
import { UsageCounter, UsageService } from './usage.service.js';
import { UsageCredential } from './usage-credential.entity.js';
import { UsageDay } from './usage-day.entity.js';
import { UsageController } from './usage.controller.js';
import { UsageRepository } from './usage.repository.js';

@Module({
  imports: [TypeOrmModule.forFeature([UsageDay, UsageCredential]), OrganizationModule],
  controllers: [UsageController, UsageConsole],
  providers: [UsageService, UsageCounter, UsageRepository, UsagePanel, BudgetNotice],
})
export class UsageModule {}
