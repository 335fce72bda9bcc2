import { Injectable } from '@nestjs/common';
import { RecordSearch, SearchSource } from '../../../api/console/search-source.js';
import { Implements } from '../../../store/discovery/ports.js';
import { CategoriesService } from '../categories.service.js';
import type { Category } from '../category.entity.js';

@Implements(SearchSource)
@Injectable()
export class CategorySearch extends RecordSearch<Category>({
  label: 'Categories',
  order: 30,
  path: 'categories',
  operations: 'expense_categories',
  titleOf: ({ name }) => name,
  aboutOf: ({ code }) => code,
}) {
  constructor(categories: CategoriesService) {
    super(categories);
  }
}
