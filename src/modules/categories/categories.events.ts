import { declareChange, type EventDeclaration } from '../../kernel/declare-event.js';
import { ExpenseCategoryDto } from './categories.dto.js';

const OF = { kind: 'expense_category', one: 'An expense category', data: ExpenseCategoryDto, collection: '/v1/expense-categories' };
export const ExpenseCategoryCreated: EventDeclaration = declareChange(OF, 'created');
export const ExpenseCategoryUpdated: EventDeclaration = declareChange(OF, 'updated');
