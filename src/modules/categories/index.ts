export { CategoriesModule } from './categories.module.js';
export { CategoriesService } from './categories.service.js';
export { ExpenseCategoryCreated, ExpenseCategoryUpdated } from './categories.events.js';
export { CreateExpenseCategoryDto, ExpenseCategoryDto, UpdateExpenseCategoryDto } from './categories.dto.js';
export type { CategoryOutline } from './categories.repository.js';
export { PreviewFields, PreviewView } from './console/preview.views.js';
export { scopeIn } from './console/preview-scope.js';
export {
  PREVIEWED_LINES,
  RulePreviews,
  type PreviewedCategory,
  type PreviewedLine,
  type PreviewScope,
  type RulePreview,
} from './console/rule-previews.js';
