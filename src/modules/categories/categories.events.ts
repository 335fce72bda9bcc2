import { declareEvent, type EventDeclaration } from '../../kernel/declare-event.js';
import { ExpenseCategoryDto } from './categories.dto.js';

export const ExpenseCategoryCreated: EventDeclaration = declareEvent({
  kind: 'expense_category.created',
  status: 'emitted',
  summary: 'An expense category was created.',
  data: ExpenseCategoryDto,
  collection: '/v1/expense-categories',
});
export const ExpenseCategoryUpdated: EventDeclaration = declareEvent({
  kind: 'expense_category.updated',
  status: 'emitted',
  summary: 'An expense category was changed.',
  data: ExpenseCategoryDto,
  collection: '/v1/expense-categories',
});
