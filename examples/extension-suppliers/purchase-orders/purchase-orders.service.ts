import { Injectable } from '@nestjs/common';
import {
  changedProperties,
  Clock,
  Events,
  Problem,
  searchKeyOf,
  type PageOf,
  type ReadContext,
  type WriteContext,
} from '../../../extension-api.js';
import { PURCHASE_ORDER_FIELDS, type PurchaseOrder } from './purchase-order.entity.js';
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

  async areOpenFor(ctx: ReadContext, projectId: string): Promise<boolean> {
    return (await this.orders.findOneBy(ctx, { projectId, status: 'open' })) !== undefined;
  }

  async create(ctx: WriteContext, input: CreatePurchaseOrderDto): Promise<PurchaseOrder> {
    const row = PURCHASE_ORDER_FIELDS.make(ctx, input, this.clock.timestamp());
    await this.orders.insert(ctx, { ...row, searchKey: searchKeyOf(row.name) });
    this.events.append(ctx, PurchaseOrderCreated, { before: null, after: PurchaseOrderDto.from(row) });
    return row;
  }

  async update(ctx: WriteContext, id: string, input: UpdatePurchaseOrderDto): Promise<PurchaseOrder> {
    const before = (await this.orders.lock(ctx, id)) ?? missing();
    const after = PURCHASE_ORDER_FIELDS.change(before, input);
    const changed = changedProperties(before, after);
    if (changed.length === 0) return before;
    after.updatedAt = this.clock.after(before.updatedAt);
    await this.orders.update(ctx, { ...after, searchKey: searchKeyOf(after.name) }, [...changed, 'updatedAt', 'searchKey']);
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
}

function missing(): never {
  throw new Problem('not_found', { detail: 'There is no purchase order with this id.' });
}
