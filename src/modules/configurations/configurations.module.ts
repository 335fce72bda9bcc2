import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ProjectsModule } from '../projects/index.js';
import { Configuration } from './configuration.entity.js';
import { ConfigurationsController } from './configurations.controller.js';
import { ConfigurationsRepository } from './configurations.repository.js';
import { ConfigurationsService } from './configurations.service.js';
import {
  ConfigurationCopies,
  ProjectConfigurations,
  ConfigurationsConsole,
  ConfigurationSearch,
} from './console/configurations.console.js';

@Module({
  imports: [TypeOrmModule.forFeature([Configuration]), ProjectsModule],
  controllers: [ConfigurationsController, ConfigurationsConsole],
  providers: [ConfigurationsService, ConfigurationsRepository, ConfigurationCopies, ProjectConfigurations, ConfigurationSearch],
  exports: [ConfigurationsService],
})
export class ConfigurationsModule {}
