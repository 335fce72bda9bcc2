import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ProjectsModule } from '../projects/index.js';
import { Category } from './category.entity.js';
import { CategoriesController } from './categories.controller.js';
import { CategoriesRepository } from './categories.repository.js';
import { CategoriesService } from './categories.service.js';
import { CategoriesConsole, CategorySearch, CategoryCopies, ProjectCategories } from './console/categories.console.js';
import { TemplatesConsole } from './console/templates.console.js';

@Module({
  imports: [TypeOrmModule.forFeature([Category]), ProjectsModule],
  controllers: [CategoriesController, CategoriesConsole, TemplatesConsole],
  providers: [CategoriesService, CategoriesRepository, CategoryCopies, ProjectCategories, CategorySearch],
  exports: [CategoriesService],
})
export class CategoriesModule {}
