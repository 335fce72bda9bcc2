import { Injectable } from '@nestjs/common';
import { Database } from '../../store/database/database.js';
import { BoundedRepository, RecordBounds } from '../../store/tenant/record-bounds.js';
import { ClaimItem } from './claim-item.entity.js';

const RECORDS = { name: 'claimItems', noun: 'claim items', table: 'claim_items' } as const;

@Injectable()
export class ClaimItemsRepository extends BoundedRepository<ClaimItem> {
  constructor(database: Database, bounds: RecordBounds) {
    super(database, bounds, ClaimItem, RECORDS, { keepsAll: true });
  }
}
