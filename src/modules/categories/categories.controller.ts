import { Body, Controller, Param, Query } from '@nestjs/common';
import { Ctx } from '../../api/call/ctx.decorator.js';
import type { ReadContext, WriteContext } from '../../store/database/unit-of-work.js';
import { UNCHANGED } from '../../api/operation/operation.js';
import { Capability, Operation } from '../../api/operation/operation.decorator.js';
import { pageOf, toPage, type Page } from '../../api/dto/page.js';
import { CreateExpenseCategoryDto, ListExpenseCategoriesQuery, ExpenseCategoryDto, UpdateExpenseCategoryDto } from './categories.dto.js';
import { ExpenseCategoryCreated, ExpenseCategoryUpdated } from './categories.events.js';
import { CategoriesService } from './categories.service.js';

@Capability({
  about:
    'An expense category is a kind of expense that can be claimed. ' +
    'The rules in its `sourceMapping` decide which lines of bank statements belong to it.',
  guide: 'docs/claim-reports.md',
})
@Controller('v1/expense-categories')
export class CategoriesController {
  constructor(private readonly categories: CategoriesService) {}

  @Operation({
    id: 'expense_categories.list',
    route: 'GET /',
    scope: 'expense_categories:read',
    tool: { name: 'list_expense_categories', risk: 'read_only', says: 'To find categories of expenses and their ids. Newest first.' },
    summary: 'List expense categories',
    description: 'Newest first. `search` finds a substring of the code or name.',
    returns: pageOf(ExpenseCategoryDto),
  })
  async list(@Ctx() ctx: ReadContext, @Query() query: ListExpenseCategoriesQuery): Promise<Page<ExpenseCategoryDto>> {
    return toPage(query, await this.categories.list(ctx, query), ExpenseCategoryDto.from);
  }

  @Operation({
    id: 'expense_categories.create',
    route: 'POST /',
    scope: 'expense_categories:write',
    tool: {
      name: 'create_expense_category',
      risk: 'write',
      says:
        'Create one for each kind of expense before a report. Next: create_claim_report. ' +
        'A code can be used once in a project, and once without a project.',
      shows: ['sourceMapping'],
    },
    summary: 'Create an expense category',
    description: 'A code can be used once in a project, and once without a project; its case does not matter.',
    isBatched: true,
    returns: ExpenseCategoryDto,
    emits: [ExpenseCategoryCreated],
    problems: ['related_record_missing', 'already_exists', 'limit_exceeded'],
  })
  async create(@Ctx() ctx: WriteContext, @Body() input: CreateExpenseCategoryDto): Promise<ExpenseCategoryDto> {
    return ExpenseCategoryDto.from(await this.categories.create(ctx, input));
  }

  @Operation({
    id: 'expense_categories.get',
    route: 'GET /:category_id',
    scope: 'expense_categories:read',
    tool: {
      name: 'get_expense_category',
      risk: 'read_only',
      says: 'Takes an id from list_expense_categories, archived or not.',
      isLarge: true,
    },
    summary: 'Get an expense category',
    description: 'Archived categories can be read, too.',
    returns: ExpenseCategoryDto,
  })
  async get(@Ctx() ctx: ReadContext, @Param('category_id') id: string): Promise<ExpenseCategoryDto> {
    return ExpenseCategoryDto.from(await this.categories.get(ctx, id));
  }

  @Operation({
    id: 'expense_categories.update',
    route: 'PATCH /:category_id',
    scope: 'expense_categories:write',
    tool: { name: 'update_expense_category', risk: 'write', says: 'Set `status` to archive it. Fields left out keep their value.' },
    summary: 'Update an expense category',
    description: `Fields left out keep their value; \`sourceMapping\` is replaced as a whole. ${UNCHANGED}`,
    returns: ExpenseCategoryDto,
    emits: [ExpenseCategoryUpdated],
    problems: ['related_record_missing', 'already_exists'],
  })
  async update(
    @Ctx() ctx: WriteContext,
    @Param('category_id') id: string,
    @Body() input: UpdateExpenseCategoryDto,
  ): Promise<ExpenseCategoryDto> {
    return ExpenseCategoryDto.from(await this.categories.update(ctx, id, input));
  }
}
