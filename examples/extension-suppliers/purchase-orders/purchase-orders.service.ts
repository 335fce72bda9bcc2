import { Injectable } from '@nestjs/common';
import {
  changedProperties,
  Clock,
  Events,
  given,
  newId,
  Problem,
  ProjectsService,
  searchKeyOf,
  type PageOf,
  type ReadContext,
  type WriteContext,
} from '../../../extension-api.js';
import { SuppliersService } from '../suppliers/index.js';
import { PurchaseOrder } from './purchase-order.entity.js';
import {
  ListPurchaseOrdersQuery,
  PurchaseOrderDto,
  type CreatePurchaseOrderDto,
  type UpdatePurchaseOrderDto,
} from './purchase-orders.dto.js';
import { PurchaseOrderCreated, PurchaseOrderReceived, PurchaseOrderUpdated } from './purchase-orders.events.js';
import { PurchaseOrdersRepository } from './purchase-orders.repository.js';

@Injectable()
export class PurchaseOrdersService {
  constructor(
    private readonly orders: PurchaseOrdersRepository,
    private readonly suppliers: SuppliersService,
    private readonly projects: ProjectsService,
    private readonly events: Events,
    private readonly clock: Clock,
  ) {}

  list(ctx: ReadContext, query: ListPurchaseOrdersQuery): Promise<PageOf<PurchaseOrder>> {
    const { supplier_id: supplierId, project_id: projectId, status, search } = query;
    return this.orders.page(ctx, query, { supplierId, projectId, status, search, ...ListPurchaseOrdersQuery.rangesIn(query) });
  }

  async get(ctx: ReadContext, id: string): Promise<PurchaseOrder> {
    return (await this.orders.get(ctx, id)) ?? missing();
  }

  /** Whether the supplier has any order, also one that was cancelled. */
  async areAnyOf(ctx: ReadContext, supplierId: string): Promise<boolean> {
    return (await this.orders.findOneBy(ctx, { supplierId })) !== undefined;
  }

  async areOpenFor(ctx: ReadContext, projectId: string): Promise<boolean> {
    return (await this.orders.findOneBy(ctx, { projectId, status: 'open' })) !== undefined;
  }

  async create(ctx: WriteContext, input: CreatePurchaseOrderDto): Promise<PurchaseOrder> {
    const now = this.clock.timestamp();
    const defaults = { projectId: null, number: null, quantity: '1', status: 'open' as const };
    const own = { id: newId(), organizationId: ctx.organizationId, environment: ctx.environment, createdAt: now, updatedAt: now };
    const row: PurchaseOrder = { ...own, ...defaults, ...given(input) };
    await this.requireSupplier(ctx, input.supplierId);
    const write = () => this.orders.insert(ctx, { ...row, searchKey: searchKeyOf(row.name) });
    await this.projects.writeRelated(ctx, input.projectId, write);
    this.events.append(ctx, PurchaseOrderCreated, { before: null, after: PurchaseOrderDto.from(row) });
    return row;
  }

  async update(ctx: WriteContext, id: string, input: UpdatePurchaseOrderDto): Promise<PurchaseOrder> {
    const before = (await this.orders.lock(ctx, id)) ?? missing();
    const after: PurchaseOrder = { ...before, ...given(input) };
    const changed = changedProperties(before, after);
    if (changed.length === 0) return before;
    if (after.supplierId !== before.supplierId) await this.requireSupplier(ctx, after.supplierId);
    after.updatedAt = this.clock.after(before.updatedAt);
    const properties = [...changed, 'updatedAt', 'searchKey'] as const;
    const write = () => this.orders.update(ctx, { ...after, searchKey: searchKeyOf(after.name) }, properties);
    await this.projects.writeRelated(ctx, input.projectId, write);
    this.events.append(ctx, PurchaseOrderUpdated, { before: PurchaseOrderDto.from(before), after: PurchaseOrderDto.from(after) });
    return after;
  }

  async receive(ctx: WriteContext, id: string): Promise<PurchaseOrder> {
    const before = (await this.orders.lock(ctx, id)) ?? missing();
    if (before.status === 'received') return before;
    if (before.status !== 'open')
      throw new Problem('wrong_state', { detail: `Only an open order is received; this one is ${before.status}.` });
    const after: PurchaseOrder = { ...before, status: 'received', updatedAt: this.clock.after(before.updatedAt) };
    await this.orders.update(ctx, after, ['status', 'updatedAt']);
    this.events.append(ctx, PurchaseOrderReceived, { before: PurchaseOrderDto.from(before), after: PurchaseOrderDto.from(after) });
    return after;
  }

  /** It stays until the order is committed: whoever deletes it waits, and then finds the order. */
  private async requireSupplier(ctx: WriteContext, id: string): Promise<void> {
    if (await this.suppliers.held(ctx, id)) return;
    throw new Problem('related_record_missing', {
      detail: 'There is no supplier with the id in supplierId.',
      errors: [{ location: 'body', field: 'supplierId', code: 'related_record_missing', message: 'must be the id of a supplier' }],
    });
  }
}

function missing(): never {
  throw new Problem('not_found', { detail: 'There is no purchase order with this id.' });
}
