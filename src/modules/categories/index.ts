export { CategoriesModule } from './categories.module.js';
export { CategoriesService } from './categories.service.js';
export { ExpenseCategoryCreated, ExpenseCategoryUpdated } from './categories.events.js';
export type { CategoryOutline } from './categories.repository.js';
