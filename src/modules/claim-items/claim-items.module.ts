import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CategoriesModule } from '../categories/index.js';
import { ProjectsModule } from '../projects/index.js';
import { ClaimItemsConsole } from './console/claim-items.console.js';
import { ClaimItem } from './claim-item.entity.js';
import { ClaimItemsController } from './claim-items.controller.js';
import { ClaimItemsRepository } from './claim-items.repository.js';
import { ClaimItemsService } from './claim-items.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([ClaimItem]), ProjectsModule, CategoriesModule],
  controllers: [ClaimItemsController, ClaimItemsConsole],
  providers: [ClaimItemsService, ClaimItemsRepository],
  exports: [ClaimItemsService],
})
export class ClaimItemsModule {}
