import { Injectable } from '@nestjs/common';
import { IsNull, Not } from 'typeorm';
import type { Tenant } from '../../../kernel/context.js';
import { Database } from '../../../store/database/database.js';
import { prepared } from '../../../store/database/prepared-statements.js';
import type { WriteContext } from '../../../store/database/unit-of-work.js';
import { Implements } from '../../../store/discovery/ports.js';
import { EncryptedFiles } from '../../../store/files/encrypted-files.js';
import { FileOwner } from '../../../store/files/file-owner.js';
import { StoredFiles } from '../../../store/files/stored-files.js';
import { EncryptedColumns, Secrets } from '../../../store/secrets/secrets.js';
import { BoundedRepository, RecordBounds } from '../../../store/tenant/record-bounds.js';
import { tenantOf, tenantSql } from '../../../store/tenant/tenant-sql.js';
import type { RunReceipt } from '../engine/inputs.js';
import { Receipt } from './receipt.entity.js';

@Implements(EncryptedColumns)
@Implements(FileOwner)
export class ReceiptFiles extends EncryptedFiles {
  constructor(database: Database, secrets: Secrets, stored: StoredFiles) {
    super(database, secrets, stored, { table: 'receipt_files', owner: 'receiptId', noun: 'receipt' });
  }
}

const RECORDS = { name: 'receipts', noun: 'receipts', table: 'receipts' } as const;
const QUEUE_UP = prepared({ name: 'receipts.queue_up', text: "SELECT pg_advisory_xact_lock(hashtextextended('receipts ' || $1, 0))" });

const OF_RUN = tenantSql(
  'receipts.of_run',
  `SELECT id, coalesce(fingerprint, replace(claim_item_id::text, '-', '')) AS fingerprint,
      CASE WHEN claim_item_id IS NULL THEN occurrence ELSE 1 END AS occurrence, file_name AS "fileName", media_type AS "mediaType",
      size_bytes AS "sizeBytes", sha256, tax_amount::text AS "taxAmount"
    FROM receipts receipt WHERE ${tenantOf('receipt')} AND status = 'active' AND (
      claim_item_id = ANY (:itemIds::uuid[])
      OR (claim_item_id IS NULL AND fingerprint IS NULL AND (:projectId::uuid IS NULL OR project_id = :projectId))
      OR (fingerprint IS NOT NULL AND (:start::date IS NULL OR booked_on BETWEEN :start AND :end::date) AND EXISTS (
        SELECT 1 FROM statement_lines said WHERE said.organization_id = receipt.organization_id
          AND said.statement_id = ANY (:statementIds::uuid[]) AND said.fingerprint = receipt.fingerprint)))
    ORDER BY id LIMIT :limit::int`,
);

@Injectable()
export class ReceiptsRepository extends BoundedRepository<Receipt> {
  constructor(database: Database, bounds: RecordBounds) {
    super(database, bounds, Receipt, RECORDS, { keepsAll: true });
  }

  /** The other active ones of its line or item; of a project those with the same file. One transaction about a place after the other. */
  async othersAt(ctx: WriteContext, row: Receipt, limit: number): Promise<Receipt[]> {
    const { id, fingerprint, occurrence, claimItemId, projectId, sha256 } = row;
    await this.database.rows(QUEUE_UP, [`${ctx.organizationId} ${ctx.environment} ${fingerprint ?? claimItemId ?? projectId}`], ctx.unit);
    const ofProject = { projectId: projectId!, claimItemId: IsNull(), fingerprint: IsNull(), sha256 };
    const place = fingerprint !== null ? { fingerprint, occurrence: occurrence! } : claimItemId !== null ? { claimItemId } : ofProject;
    return this.find(ctx, { where: { ...place, status: 'active', id: Not(id) }, take: limit });
  }

  /** The active ones of lines, items and the project of a run, in order. Most tenants have none: then no line is looked at for them. */
  async ofRun(tenant: Tenant, run: Parameters<typeof OF_RUN.bind>[1]): Promise<RunReceipt[]> {
    if ((await this.find(tenant, { where: { status: 'active' }, take: 1 })).length === 0) return [];
    return this.database.rows<RunReceipt>(...OF_RUN.bind(tenant, run));
  }
}
