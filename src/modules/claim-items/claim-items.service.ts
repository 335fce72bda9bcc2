import { Injectable } from '@nestjs/common';
import { Between } from 'typeorm';
import { changedProperties } from '../../kernel/changes.js';
import { moneyOf } from '../../kernel/money.js';
import { notFound, Problem } from '../../kernel/problems.js';
import { searchKeyOf } from '../../kernel/text.js';
import { Clock } from '../../kernel/time.js';
import type { Tenant } from '../../kernel/context.js';
import type { ReadContext, WriteContext } from '../../store/database/unit-of-work.js';
import { Events } from '../../store/events/events.js';
import type { PageOf } from '../../store/tenant/page.js';
import { CategoriesService } from '../categories/index.js';
import { ProjectsService } from '../projects/index.js';
import { CLAIM_ITEM_FIELDS, type ClaimItem, shownItem } from './claim-item.entity.js';
import type { CreateClaimItemDto, ListClaimItemsQuery, UpdateClaimItemDto } from './claim-items.dto.js';
import { ClaimItemCreated, ClaimItemUpdated } from './claim-items.events.js';
import { ClaimItemsRepository } from './claim-items.repository.js';

/** Costs that no bank statement has, such as mileage, day rates and hours of staff. */
@Injectable()
export class ClaimItemsService {
  constructor(
    private readonly items: ClaimItemsRepository,
    private readonly projects: ProjectsService,
    private readonly categories: CategoriesService,
    private readonly events: Events,
    private readonly clock: Clock,
  ) {}

  list(ctx: ReadContext, query: ListClaimItemsQuery): Promise<PageOf<ClaimItem>> {
    const { status, search, project_id: projectId, category_id: categoryId } = query;
    return this.items.page(ctx, query, { status, search, projectId, categoryId, ...CLAIM_ITEM_FIELDS.filters(query) });
  }

  async get(ctx: ReadContext, id: string): Promise<ClaimItem> {
    return (await this.find(ctx, id)) ?? missing();
  }

  find(ctx: ReadContext, id: string): Promise<ClaimItem | undefined> {
    return this.items.get(ctx, id);
  }

  /** Those that are claimed for days of a period, in their order: of a project, or of all. */
  claimed(
    ctx: Tenant,
    projectId: string | null,
    period: { readonly start: string; readonly end: string } | null,
    limit: number,
  ): Promise<ClaimItem[]> {
    const where = {
      status: 'active' as const,
      ...(projectId !== null && { projectId }),
      ...(period && { incurredOn: Between(period.start, period.end) }),
    };
    return this.items.find(ctx, { where, order: { incurredOn: 'ASC', id: 'ASC' }, take: limit });
  }

  async create(ctx: WriteContext, input: CreateClaimItemDto): Promise<ClaimItem> {
    const row: ClaimItem = { ...CLAIM_ITEM_FIELDS.make(ctx, input, this.clock.timestamp()), enteredBy: ctx.actor.name };
    await this.write(ctx, row, () => this.items.insert(ctx, { ...row, searchKey: keyOf(row) }));
    this.events.append(ctx, ClaimItemCreated, { before: null, after: shownItem(row) });
    return row;
  }

  async update(ctx: WriteContext, id: string, input: UpdateClaimItemDto): Promise<ClaimItem> {
    const before = (await this.items.lock(ctx, id)) ?? missing();
    const after = CLAIM_ITEM_FIELDS.change(before, input);
    const changed = changedProperties(before, after);
    if (changed.length === 0) return before;
    await this.projects.requireOpen(ctx, before.projectId, { start: before.incurredOn, end: before.incurredOn });
    after.updatedAt = this.clock.after(before.updatedAt);
    const row = { ...after, enteredBy: ctx.actor.name, searchKey: keyOf(after) };
    await this.write(ctx, after, () => this.items.update(ctx, row, [...changed, 'updatedAt', 'enteredBy', 'searchKey']));
    this.events.append(ctx, ClaimItemUpdated, { before: shownItem(before), after: shownItem(after) });
    return after;
  }

  /** What costs something, for a category of its project, on a day of no final claim. The rest is rolled back. */
  private async write(ctx: WriteContext, item: ClaimItem, write: () => Promise<void>): Promise<void> {
    const { projectId, categoryId, incurredOn } = item;
    requirePositive(item);
    let isFit = false;
    await this.projects.writeRelated(ctx, projectId, async () => {
      await this.projects.requireOpen(ctx, projectId, { start: incurredOn, end: incurredOn });
      isFit = await this.categories.isFor(ctx, categoryId, projectId);
      await write();
    });
    if (isFit) return;
    const message = 'must be the id of an expense category of the project, or of none';
    throw Problem.relatedMissing('categoryId', 'category for the project', message);
  }
}

const keyOf = (row: ClaimItem): string => searchKeyOf(row.name, ...CLAIM_ITEM_FIELDS.searched(row));

function requirePositive(priced: Pick<ClaimItem, 'quantity' | 'rate'>): void {
  for (const field of ['quantity', 'rate'] as const)
    if (moneyOf(priced[field]) <= 0n) throw Problem.invalidField(field, 'out_of_range', 'must be more than 0');
}

const missing = (): never => notFound('There is no claim item with this id.');
