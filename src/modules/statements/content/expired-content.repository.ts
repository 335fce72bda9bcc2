import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../kernel/context.js';
import { Database } from '../../../store/database/database.js';
import { ROWS_PER_DELETE } from '../../../store/database/housekeeping.js';
import { StoredFiles } from '../../../store/files/stored-files.js';
import type { Unit } from '../../../store/database/unit-of-work.js';
import { acrossTenants, ORGANIZATION, TENANT, tenantSql } from '../../../store/tenant/tenant-sql.js';
import { originalOf } from './originals.repository.js';

/** A part of a file has a mebibyte, so that a few take as long as many lines. */
const PARTS_PER_DELETE = 4;
const OF_STATEMENT = `statement_id = :statementId AND ${TENANT}` as const;
/** It is one that no worker has to read any more. */
const HAS_EXPIRED = "content_removed_at IS NULL AND redaction_status IN ('succeeded', 'skipped', 'failed')";
const OLDEST = acrossTenants(
  'bank_statements.oldest',
  'A worker finds the oldest statement of all tenants.',
  `SELECT id, created_at AS "createdAt", organization_id AS "organizationId", environment FROM bank_statements
    WHERE ${HAS_EXPIRED} AND created_at < :before AND (created_at, id) > (:createdAt, :id) ORDER BY created_at, id LIMIT 1`,
);
const EXPIRE = tenantSql(
  'bank_statements.expire',
  `UPDATE bank_statements SET content_expired_at = coalesce(content_expired_at, :now)
    WHERE id = (SELECT id FROM bank_statements WHERE id = :id AND ${TENANT} AND ${HAS_EXPIRED}
      FOR UPDATE SKIP LOCKED) AND ${ORGANIZATION} RETURNING true AS expired`,
);
// From the last deleted number on, so that what is deleted already is not passed again each time.
const deleteSome = (table: string, number: string, limit: number) =>
  tenantSql(
    `${table}.expire`,
    `DELETE FROM ${table} WHERE ${OF_STATEMENT} AND ${number} = ANY (ARRAY(
      SELECT ${number} FROM ${table} WHERE ${OF_STATEMENT} AND ${number} > :last ORDER BY ${number} LIMIT ${limit} FOR UPDATE SKIP LOCKED))
    RETURNING ${number} AS number`,
  );
const DELETES = [
  deleteSome('statement_lines', 'line_number', ROWS_PER_DELETE),
  deleteSome('statement_originals', 'part', PARTS_PER_DELETE),
];
const DELETE_NAMES = tenantSql('statement_names.expire', `DELETE FROM statement_names WHERE ${OF_STATEMENT}`);
const HAS_CONTENT = tenantSql(
  'bank_statements.has_content',
  `SELECT EXISTS (SELECT 1 FROM statement_lines WHERE ${OF_STATEMENT})
      OR EXISTS (SELECT 1 FROM statement_names WHERE ${OF_STATEMENT})
      OR EXISTS (SELECT 1 FROM statement_originals WHERE ${OF_STATEMENT}) AS found`,
);

export interface ExpiredStatement extends Tenant {
  readonly id: string;
  readonly createdAt: string;
}

/** Before the first statement. */
export const START = { id: '00000000-0000-0000-0000-000000000000', createdAt: '-infinity' };

@Injectable()
export class ExpiredContentRepository {
  constructor(
    private readonly database: Database,
    private readonly stored: StoredFiles,
  ) {}

  /** The next oldest statement from before a time that has content. From now on no run uses it. Undefined if there is none. */
  async next(now: string, before: string, after: Pick<ExpiredStatement, 'id' | 'createdAt'>): Promise<ExpiredStatement | undefined> {
    for (let last = after; ;) {
      const [oldest] = await this.database.rows<ExpiredStatement>(...OLDEST.bind({ before, createdAt: last.createdAt, id: last.id }));
      if (!oldest) return undefined;
      const expired = await this.database.rows(...EXPIRE.bind(oldest, { id: oldest.id, now }));
      if (expired.length > 0) return oldest;
      // Somebody has locked it: it is found again next time.
      last = oldest;
    }
  }

  /** Deletes the content, some of it with each turn. What others have locked is left, and a foreign store is told by a job. */
  async *delete(statement: ExpiredStatement): AsyncGenerator<void> {
    await this.stored.retireNow(statement, originalOf(statement.id));
    await this.database.rows(...DELETE_NAMES.bind(statement, { statementId: statement.id }));
    for (const deletion of DELETES) {
      for (let last = -1; ;) {
        const deleted = await this.database.rows<{ number: number }>(...deletion.bind(statement, { statementId: statement.id, last }));
        if (deleted.length === 0) break;
        last = deleted.reduce((highest, { number }) => Math.max(highest, number), last);
        yield;
      }
    }
  }

  async hasContent(statement: ExpiredStatement, unit: Unit): Promise<boolean> {
    const [here] = await this.database.rows<{ found: boolean }>(...HAS_CONTENT.bind(statement, { statementId: statement.id }), unit);
    return here!.found || (await this.stored.has(statement, originalOf(statement.id), unit));
  }
}
