import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Application } from './application.entity.js';
import { ApplicationsRepository } from './applications.repository.js';
import { ApplicationsService } from './applications.service.js';
import { KnownApplications } from './known-applications.js';

/** Partner applications. */
@Module({
  imports: [TypeOrmModule.forFeature([Application])],
  providers: [ApplicationsService, ApplicationsRepository, KnownApplications],
  exports: [ApplicationsService, KnownApplications],
})
export class ApplicationsModule {}
