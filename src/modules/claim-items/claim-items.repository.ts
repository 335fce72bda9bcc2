import { Injectable } from '@nestjs/common';
import { Between } from 'typeorm';
import type { Tenant } from '../../kernel/context.js';
import { Database } from '../../store/database/database.js';
import { TenantRepository } from '../../store/tenant/tenant-repository.js';
import { ClaimItem } from './claim-item.entity.js';

@Injectable()
export class ClaimItemsRepository extends TenantRepository<ClaimItem> {
  constructor(database: Database) {
    super(database, ClaimItem, { keepsAll: true });
  }

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
    return this.find(ctx, { where, order: { incurredOn: 'ASC', id: 'ASC' }, take: limit });
  }
}
