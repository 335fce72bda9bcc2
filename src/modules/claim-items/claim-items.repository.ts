import { Injectable } from '@nestjs/common';
import { Database } from '../../store/database/database.js';
import type { WriteContext } from '../../store/database/unit-of-work.js';
import { RecordBounds } from '../../store/tenant/record-bounds.js';
import { TenantRepository } from '../../store/tenant/tenant-repository.js';
import { ClaimItem } from './claim-item.entity.js';

const RECORDS = { name: 'claimItems', noun: 'claim items', table: 'claim_items' } as const;

@Injectable()
export class ClaimItemsRepository extends TenantRepository<ClaimItem> {
  constructor(
    database: Database,
    private readonly bounds: RecordBounds,
  ) {
    super(database, ClaimItem, { keepsAll: true });
  }

  override insert(ctx: WriteContext, row: ClaimItem): Promise<void> {
    return this.bounds.create(ctx, RECORDS, () => super.insert(ctx, row));
  }
}
