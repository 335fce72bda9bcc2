import { Injectable } from '@nestjs/common';
import {
  Before,
  CalendarDate,
  ChangeHook,
  CreateClaimProjectDto,
  customFields,
  type CurrencyAmount,
  DateTime,
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
  @CalendarDate({ about: 'Day on which the claim is due.', example: '2027-03-31' }) dueOn: string;
  @DateTime({ about: 'When the work begins.', example: '2026-03-01T09:30:00Z' }) beginsAt: string;
}

export const projectFields = customFields('claim_projects', ProjectFields, {
  filters: ['costCentre', 'isApproved'],
  ranges: ['soldHours', 'dueOn', 'beginsAt'],
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
