import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { NextPeriodConsole, ProjectSearch, ProjectsConsole } from './console/projects.console.js';
import { Project } from './project.entity.js';
import { ProjectsController } from './projects.controller.js';
import { ProjectsRepository } from './projects.repository.js';
import { ProjectsService } from './projects.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Project])],
  controllers: [ProjectsController, ProjectsConsole, NextPeriodConsole],
  providers: [ProjectsService, ProjectsRepository, ProjectSearch],
  exports: [ProjectsService],
})
export class ProjectsModule {}
