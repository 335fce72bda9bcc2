import { Injectable } from '@nestjs/common';
import { Database, RecordBounds, TenantRepository, type WriteContext } from '../../../extension-api.js';
import { Supplier } from './supplier.entity.js';

/** In each environment of an organization. */
const BOUND = { name: 'suppliers', noun: 'suppliers', table: 'suppliers', max: 10_000, canShrink: true };

@Injectable()
export class SuppliersRepository extends TenantRepository<Supplier> {
  constructor(
    database: Database,
    private readonly bounds: RecordBounds,
  ) {
    // Credentials for some claim projects read them.
    super(database, Supplier, { isForAll: true });
  }

  override insert(ctx: WriteContext, row: Supplier): Promise<void> {
    return this.bounds.create(ctx, BOUND, () => super.insert(ctx, row));
  }
}
