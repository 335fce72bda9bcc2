import { Injectable } from '@nestjs/common';
import {
  changedProperties,
  Clock,
  Events,
  given,
  newId,
  Problem,
  searchKeyOf,
  type PageOf,
  type ReadContext,
  type WriteContext,
} from '../../../extension-api.js';
import { Supplier } from './supplier.entity.js';
import { SupplierDto, type CreateSupplierDto, type ListSuppliersQuery, type UpdateSupplierDto } from './suppliers.dto.js';
import { SupplierCreated, SupplierDeleted, SupplierUpdated } from './suppliers.events.js';
import { SuppliersRepository } from './suppliers.repository.js';

@Injectable()
export class SuppliersService {
  constructor(
    private readonly suppliers: SuppliersRepository,
    private readonly events: Events,
    private readonly clock: Clock,
  ) {}

  list(ctx: ReadContext, query: ListSuppliersQuery): Promise<PageOf<Supplier>> {
    return this.suppliers.page(ctx, query, { status: query.status, search: query.search });
  }

  async get(ctx: ReadContext, id: string): Promise<Supplier> {
    return (await this.suppliers.get(ctx, id)) ?? missing();
  }

  async create(ctx: WriteContext, input: CreateSupplierDto): Promise<Supplier> {
    const now = this.clock.timestamp();
    const defaults = { taxId: null, status: 'active' as const };
    const own = { id: newId(), organizationId: ctx.organizationId, environment: ctx.environment, createdAt: now, updatedAt: now };
    const row: Supplier = { ...own, ...defaults, ...given(input) };
    await this.suppliers.insert(ctx, { ...row, searchKey: searchKeyOf(row.name) });
    this.events.append(ctx, SupplierCreated, { before: null, after: SupplierDto.from(row) });
    return row;
  }

  async update(ctx: WriteContext, id: string, input: UpdateSupplierDto): Promise<Supplier> {
    const before = (await this.suppliers.lock(ctx, id)) ?? missing();
    const after: Supplier = { ...before, ...given(input) };
    const changed = changedProperties(before, after);
    if (changed.length === 0) return before;
    after.updatedAt = this.clock.after(before.updatedAt);
    await this.suppliers.update(ctx, { ...after, searchKey: searchKeyOf(after.name) }, [...changed, 'updatedAt', 'searchKey']);
    this.events.append(ctx, SupplierUpdated, { before: SupplierDto.from(before), after: SupplierDto.from(after) });
    return after;
  }

  async delete(ctx: WriteContext, id: string): Promise<void> {
    // Locked first: If-Match may say which version is meant.
    if (!(await this.suppliers.lock(ctx, id))) missing();
    const before = (await this.suppliers.remove(ctx, id)) ?? missing();
    this.events.append(ctx, SupplierDeleted, { before: SupplierDto.from(before), after: null });
  }
}

function missing(): never {
  throw new Problem('not_found', { detail: 'There is no supplier with this id.' });
}
