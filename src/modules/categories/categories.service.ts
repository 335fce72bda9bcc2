import { Injectable } from '@nestjs/common';
import type { Seeing } from '../../api/call/hidden-answers.js';
import { Clock } from '../../kernel/time.js';
import type { ReadContext, WriteContext } from '../../store/database/unit-of-work.js';
import { brokenConstraint } from '../../store/database/database.js';
import { notFound, Problem } from '../../kernel/problems.js';
import { Events } from '../../store/events/events.js';
import type { PageOf } from '../../store/tenant/page.js';
import { changedProperties } from '../../kernel/changes.js';
import { digestOf, foldText, searchKeyOf } from '../../kernel/text.js';
import { ProjectsService } from '../projects/index.js';
import { CATEGORY_FIELDS, type Category } from './category.entity.js';
import type { CreateExpenseCategoryDto, ListExpenseCategoriesQuery, UpdateExpenseCategoryDto } from './categories.dto.js';
import { ExpenseCategoryDto } from './categories.dto.js';
import { ExpenseCategoryCreated, ExpenseCategoryUpdated } from './categories.events.js';
import { CategoriesRepository, type CategoryOutline } from './categories.repository.js';

/** More than anybody looks through. */
const MAX_CHOICES = 500;

@Injectable()
export class CategoriesService {
  constructor(
    private readonly categories: CategoriesRepository,
    private readonly projects: ProjectsService,
    private readonly events: Events,
    private readonly clock: Clock,
  ) {}

  list(ctx: ReadContext, query: ListExpenseCategoriesQuery): Promise<PageOf<Category>> {
    return this.categories.page(ctx, query, {
      projectId: query.project_id,
      status: query.status,
      search: query.search,
      ...CATEGORY_FIELDS.filters(query),
    });
  }

  async get(ctx: ReadContext, id: string): Promise<Category> {
    return (await this.categories.get(ctx, id)) ?? missing();
  }

  /** The categories that apply to a project, without their rules: its own, and those without a project. Without a project, all. */
  applicable(ctx: ReadContext, projectId: string | null): Promise<CategoryOutline[]> {
    return this.categories.applicable(ctx, projectId);
  }

  /** How many active ones apply to a project; undefined if they are too many for a page. */
  async countApplicable(ctx: ReadContext, projectId: string): Promise<number | undefined> {
    const counts = await Promise.all([projectId, null].map((of) => this.categories.countsBy(ctx, 'status', of)));
    return counts.some((one) => one === undefined) ? undefined : counts.reduce((sum, one) => sum + (one!.get('active') ?? 0), 0);
  }

  /** The active ones, for people to choose from: id and label. */
  async choices(ctx: ReadContext & Seeing): Promise<[id: string, label: string][]> {
    const active = (await this.categories.applicable(ctx, null)).filter(({ status }) => status === 'active');
    const seen = active.slice(0, MAX_CHOICES).map((row) => ctx.hidden?.cut(ExpenseCategoryDto, row) ?? row);
    return seen.map(({ id, code, name }) => [id, [code, name].filter(Boolean).join(' ')]);
  }

  names(ctx: ReadContext, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.categories.findNames(ctx, ids, 'name');
  }

  /** Whether there is such a category, and costs of the project can be claimed for it. */
  async isFor(ctx: ReadContext, id: string, projectId: string): Promise<boolean> {
    const category = await this.categories.get(ctx, id);
    return category !== undefined && (category.projectId === null || category.projectId === projectId);
  }

  mappings(ctx: ReadContext, ids: readonly string[]): ReturnType<CategoriesRepository['mappings']> {
    return this.categories.mappings(ctx, ids);
  }

  async create(ctx: WriteContext, input: CreateExpenseCategoryDto): Promise<Category> {
    const row = CATEGORY_FIELDS.make(ctx, input, this.clock.timestamp());
    const keys = keysOf(row);
    await this.write(ctx, input.projectId, keys, () => this.categories.insert(ctx, { ...row, ...keys }));
    this.events.append(ctx, ExpenseCategoryCreated, { before: null, after: ExpenseCategoryDto.from(row) });
    return row;
  }

  async update(ctx: WriteContext, id: string, input: UpdateExpenseCategoryDto): Promise<Category> {
    const before = (await this.categories.lock(ctx, id)) ?? missing();
    const after = CATEGORY_FIELDS.change(before, input);
    const changed = changedProperties(before, after);
    if (changed.length === 0) return before;
    after.updatedAt = this.clock.after(before.updatedAt);
    const keys = keysOf(after);
    const properties = [...changed, 'updatedAt', 'uniqueKey', 'searchKey'] as const;
    await this.write(ctx, input.projectId, keys, () => this.categories.update(ctx, { ...after, ...keys }, properties));
    this.events.append(ctx, ExpenseCategoryUpdated, { before: ExpenseCategoryDto.from(before), after: ExpenseCategoryDto.from(after) });
    return after;
  }

  private write(ctx: WriteContext, projectId: string | null | undefined, { uniqueKey }: Keys, write: () => Promise<void>): Promise<void> {
    const explainDuplicate = async (error: unknown): Promise<never> => {
      if (brokenConstraint(error) !== 'expense_categories_unique') throw error;
      throw Problem.alreadyUsed(['code', 'projectId'], 'category', await this.categories.idOfUnique(ctx, uniqueKey), error);
    };
    return this.projects.writeRelated(ctx, projectId, () => write().catch(explainDuplicate));
  }
}

type Keys = Required<Pick<Category, 'uniqueKey' | 'searchKey'>>;

function keysOf(row: Category): Keys {
  const { projectId, code, name } = row;
  return { uniqueKey: digestOf(projectId, foldText(code)), searchKey: searchKeyOf(code, name, ...CATEGORY_FIELDS.searched(row)) };
}

const missing = (): never => notFound('There is no expense category with this id.');
