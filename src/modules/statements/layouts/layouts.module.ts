import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { StatementLayout } from './statement-layout.entity.js';
import { StatementLayoutsRepository } from './statement-layouts.repository.js';
import { StatementLayoutsService } from './statement-layouts.service.js';

/** How organizations read the tables of their banks. */
@Module({
  imports: [TypeOrmModule.forFeature([StatementLayout])],
  providers: [StatementLayoutsRepository, StatementLayoutsService],
  exports: [StatementLayoutsRepository, StatementLayoutsService],
})
export class LayoutsModule {}
