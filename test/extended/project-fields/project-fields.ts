import { Injectable } from '@nestjs/common';
import {
  Before,
  ChangeHook,
  CreateClaimProjectDto,
  customFields,
  type CurrencyAmount,
  Decimal,
  Flag,
  Implements,
  MoneyWithCurrency,
  Percent,
  Problem,
  Text,
  type WriteContext,
} from '../../../src/extension-api.js';

class ProjectFields {
  @Text({ about: 'Cost centre that is charged.', min: 1, max: 20, example: 'CC-100' }) costCentre: string;
  @Percent({ about: 'Expected margin.' }) margin: string;
  @MoneyWithCurrency({ about: 'Budget of the project.' }) budget: CurrencyAmount;
  @Flag({ about: 'Whether the partner has approved it.', example: true }) isApproved: boolean;
  @Decimal({ about: 'Hours that were sold.', places: 2, min: '0', max: '10000', example: '7.25' }) soldHours: string;
}

export const projectFields = customFields('claim_projects', ProjectFields, {
  filters: ['costCentre', 'isApproved'],
  search: ['costCentre'],
});

/** Projects with a budget need a cost centre. */
@Injectable()
@Implements(ChangeHook)
export class Budgets extends ChangeHook {
  @Before('claim_projects.create')
  check(_ctx: WriteContext, input: CreateClaimProjectDto): void {
    const { budget, costCentre } = projectFields.of(input);
    if (budget && !costCentre) throw Problem.invalidField('customFields.costCentre', 'required', 'is required with a budget');
  }
}
