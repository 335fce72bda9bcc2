import { Module } from '@nestjs/common';
import { declareExtension } from '../../../src/extension-api.js';
import { IndexProjectFields1800000000000 } from './index-project-fields.js';
import { Budgets } from './project-fields.js';

@Module({ providers: [Budgets] })
class ProjectFieldsModule {}

export const projectFieldsExtension = declareExtension({
  name: 'project-fields',
  madeFor: '1.0.0',
  modules: [ProjectFieldsModule],
  migrations: [IndexProjectFields1800000000000],
});
