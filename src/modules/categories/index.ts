export { CategoriesModule } from './categories.module.js';
export { CategoriesService } from './categories.service.js';
export { ExpenseCategoryCreated, ExpenseCategoryUpdated } from './categories.events.js';
export { CreateExpenseCategoryDto, ExpenseCategoryDto, UpdateExpenseCategoryDto } from './categories.dto.js';
export type { CategoryOutline } from './categories.repository.js';
export { PREVIEWED_LINES, PreviewFields, PreviewView, RulePreviews, scopeIn } from './console/rule-previews.js';
export type { PreviewedCategory, PreviewedLine, PreviewScope, RulePreview } from './console/rule-previews.js';
