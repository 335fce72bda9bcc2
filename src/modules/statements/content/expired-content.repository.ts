import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../kernel/context.js';
import { Database, prepared, type Sql } from '../../../store/database/database.js';
import { ROWS_PER_DELETE } from '../../../store/database/housekeeping.js';
import { StoredFiles } from '../../../store/files/stored-files.js';
import type { Unit } from '../../../store/database/unit-of-work.js';
import { originalOf } from './originals.repository.js';

/** A part of a file has a mebibyte, so that a few take as long as many lines. */
const PARTS_PER_DELETE = 4;

const OF_STATEMENT = 'statement_id = $1 AND organization_id = $2 AND environment = $3';

/** It is one that no worker has to read any more. */
const HAS_EXPIRED = "content_removed_at IS NULL AND redaction_status IN ('succeeded', 'skipped', 'failed')";
const OLDEST = prepared({
  name: 'bank_statements.oldest',
  text: `SELECT id, created_at AS "createdAt", organization_id AS "organizationId", environment FROM bank_statements
    WHERE ${HAS_EXPIRED} AND created_at < $1 AND (created_at, id) > ($2, $3) ORDER BY created_at, id LIMIT 1`,
});
const EXPIRE = prepared({
  name: 'bank_statements.expire',
  text: `UPDATE bank_statements SET content_expired_at = coalesce(content_expired_at, $4)
    WHERE id = (SELECT id FROM bank_statements WHERE id = $1 AND organization_id = $2 AND environment = $3 AND ${HAS_EXPIRED}
      FOR UPDATE SKIP LOCKED) AND organization_id = $2 RETURNING true AS expired`,
});
// From the last deleted number on, so that what is deleted already is not passed again each time.
const deleteSome = (table: string, number: string, limit: number): Sql =>
  prepared({
    name: `${table}.expire`,
    text: `DELETE FROM ${table} WHERE ${OF_STATEMENT} AND ${number} = ANY (ARRAY(
      SELECT ${number} FROM ${table} WHERE ${OF_STATEMENT} AND ${number} > $4 ORDER BY ${number} LIMIT ${limit} FOR UPDATE SKIP LOCKED))
    RETURNING ${number} AS number`,
  });
const DELETES = [
  deleteSome('statement_lines', 'line_number', ROWS_PER_DELETE),
  deleteSome('statement_originals', 'part', PARTS_PER_DELETE),
];
const HAS_CONTENT = prepared({
  name: 'bank_statements.has_content',
  text: `SELECT EXISTS (SELECT 1 FROM statement_lines WHERE ${OF_STATEMENT})
      OR EXISTS (SELECT 1 FROM statement_originals WHERE ${OF_STATEMENT}) AS found`,
});

export interface ExpiredStatement extends Tenant {
  readonly id: string;
  readonly createdAt: string;
}

/** Before the first statement. */
export const START = { id: '00000000-0000-0000-0000-000000000000', createdAt: '-infinity' };

const paramsOf = ({ id, organizationId, environment }: ExpiredStatement): unknown[] => [id, organizationId, environment];

/** The content of statements whose retention has ended. */
@Injectable()
export class ExpiredContentRepository {
  constructor(
    private readonly database: Database,
    private readonly stored: StoredFiles,
  ) {}

  /** The next oldest statement from before a time that has content. From now on no run uses it. Undefined if there is none. */
  async next(now: string, before: string, after: Pick<ExpiredStatement, 'id' | 'createdAt'>): Promise<ExpiredStatement | undefined> {
    for (let last = after; ;) {
      const [oldest] = await this.database.rows<ExpiredStatement>(OLDEST, [before, last.createdAt, last.id]);
      if (!oldest) return undefined;
      const expired = await this.database.rows(EXPIRE, [...paramsOf(oldest), now]);
      if (expired.length > 0) return oldest;
      // Somebody has locked it: it is found again next time.
      last = oldest;
    }
  }

  /** Deletes the content, some of it with each turn. What others have locked is left, and a foreign store is told by a job. */
  async *delete(statement: ExpiredStatement): AsyncGenerator<void> {
    await this.stored.retireNow(statement, originalOf(statement.id));
    for (const deletion of DELETES) {
      for (let last = -1; ;) {
        const deleted = await this.database.rows<{ number: number }>(deletion, [...paramsOf(statement), last]);
        if (deleted.length === 0) break;
        last = deleted.reduce((highest, { number }) => Math.max(highest, number), last);
        yield;
      }
    }
  }

  async hasContent(statement: ExpiredStatement, unit: Unit): Promise<boolean> {
    const [here] = await this.database.rows<{ found: boolean }>(HAS_CONTENT, paramsOf(statement), unit);
    return here!.found || (await this.stored.has(statement, originalOf(statement.id), unit));
  }
}
