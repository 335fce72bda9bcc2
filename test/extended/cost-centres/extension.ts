import { Module } from '@nestjs/common';
import { CategoriesModule, declareExtension } from '../../../src/extension-api.js';
import { PeriodRules } from './period-rules.js';

@Module({ imports: [CategoriesModule], providers: [PeriodRules] })
class CostCentresModule {}

export const costCentres = declareExtension({ name: 'cost-centres', madeFor: '1.0.0', modules: [CostCentresModule] });
