import { Module } from '@nestjs/common';
import { OrganizationModule } from '../../organization/index.js';
import { UsersModule } from '../../users/index.js';
import { ProviderModule } from '../provider/provider.module.js';
import { SharedModule } from '../shared/shared.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { ApplicationConsent } from './application-consent.js';
import { InteractionsController } from './interactions.controller.js';
import { InteractionsService } from './interactions.service.js';
import { OpenQuestions } from './open-questions.js';
import { SharedConsent } from './shared-consent.js';

/** The pages between an authorization request and its answer. */
@Module({
  imports: [SharedModule, StorageModule, ProviderModule, OrganizationModule, UsersModule],
  controllers: [InteractionsController],
  providers: [OpenQuestions, InteractionsService, ApplicationConsent, SharedConsent],
})
export class InteractionsModule {}
