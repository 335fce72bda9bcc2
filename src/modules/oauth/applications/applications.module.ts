import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Application } from './application.entity.js';
import { ApplicationsRepository } from './applications.repository.js';
import { ApplicationsService } from './applications.service.js';
import { ApplicationCache } from './application-cache.js';

@Module({
  imports: [TypeOrmModule.forFeature([Application])],
  providers: [ApplicationsService, ApplicationsRepository, ApplicationCache],
  exports: [ApplicationsService, ApplicationsRepository, ApplicationCache],
})
export class ApplicationsModule {}
