import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { WidgetsConsole } from './console/widgets.console.js';
import { Widget } from './widget.entity.js';
import { WidgetsController } from './widgets.controller.js';
import { WidgetsRepository } from './widgets.repository.js';
import { WidgetsService } from './widgets.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Widget])],
  controllers: [WidgetsController, WidgetsConsole],
  providers: [WidgetsService, WidgetsRepository],
  exports: [WidgetsService],
})
export class WidgetsModule {}
