import { declareEvent, type EventDeclaration } from '../../kernel/declare-event.js';
import { ExpenseCategoryDto } from './categories.dto.js';

const OF_ALL = { status: 'emitted', data: ExpenseCategoryDto, collection: '/v1/expense-categories' } as const;

export const ExpenseCategoryCreated: EventDeclaration = declareEvent({
  kind: 'expense_category.created',
  summary: 'An expense category was created.',
  ...OF_ALL,
});
export const ExpenseCategoryUpdated: EventDeclaration = declareEvent({
  kind: 'expense_category.updated',
  summary: 'An expense category was changed.',
  ...OF_ALL,
});
