import { Injectable } from '@nestjs/common';
import { Database } from '../../../store/database/database.js';
import { Implements } from '../../../store/discovery/ports.js';
import { EncryptedFiles } from '../../../store/files/encrypted-files.js';
import { FileOwner } from '../../../store/files/file-owner.js';
import { type FileOf, StoredFiles } from '../../../store/files/stored-files.js';
import { EncryptedColumns, Secrets } from '../../../store/secrets/secrets.js';
import { randomBytes } from 'node:crypto';
import { Clock } from '../../../kernel/time.js';
import type { Tenant } from '../../../kernel/context.js';
import { TENANT, tenantSql, acrossTenants, ORGANIZATION, isStayingSql } from '../../../store/tenant/tenant-sql.js';
import { entityColumns, selectList } from '../../../store/database/sql.js';
import type { WriteContext, Unit } from '../../../store/database/unit-of-work.js';
import { CounterpartyDecision } from './statement-content.entity.js';
import { ROWS_PER_DELETE } from '../../../store/database/housekeeping.js';

const TABLE = 'statement_originals';

/** What an original is in a foreign store. */
export const originalOf = (statementId: string): FileOf => ({ kind: TABLE, ownerId: statementId, name: '' });

@Implements(EncryptedColumns)
@Implements(FileOwner)
export class OriginalsRepository extends EncryptedFiles {
  constructor(database: Database, secrets: Secrets, stored: StoredFiles) {
    super(database, secrets, stored, { table: TABLE, owner: 'statementId', noun: 'bank statement' });
  }
}

const KEY_BYTES = 32;
const GET = tenantSql(
  'redaction_keys.get',
  `SELECT secret FROM redaction_keys WHERE ${TENANT}`,
  'How files are redacted: no answer has it.',
);
const MAKE = tenantSql(
  'redaction_keys.make',
  `INSERT INTO redaction_keys (organization_id, environment, secret, created_at)
    VALUES (:organizationId, :environment, :secret, :createdAt) ON CONFLICT DO NOTHING`,
  'How files are redacted: no answer has it.',
);

const boundTo = (organizationId: string, environment: string): string => `redaction key ${organizationId} ${environment}`;

/** The secret for an organization's tokens: equal names get equal tokens in all its statements, but not in those of others. */
@Implements(EncryptedColumns)
export class RedactionKeysRepository implements EncryptedColumns {
  readonly encrypted = [{ table: 'redaction_keys', column: 'secret', key: ['organization_id', 'environment'], owner: boundTo }];

  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
    private readonly clock: Clock,
  ) {}

  async findOrMake(tenant: Tenant): Promise<Buffer> {
    const owner = boundTo(tenant.organizationId, tenant.environment);
    const find = () => this.database.rows<{ secret: Buffer }>(...GET.bind(tenant));
    let [found] = await find();
    if (!found) {
      // If two callers create it at the same time, both use the first one.
      const secret = this.secrets.encryptBytes(randomBytes(KEY_BYTES), owner);
      await this.database.rows(...MAKE.bind(tenant, { secret, createdAt: this.clock.timestamp() }));
      [found] = await find();
    }
    return this.secrets.decryptBytes(found!.secret, owner);
  }
}

/** A statement is redacted with all of them in memory. */
export const MAX_DECISIONS = 10_000;
const SELECTED = selectList(entityColumns(CounterpartyDecision));
const ALL = tenantSql(
  'counterparty_decisions.all',
  `SELECT ${SELECTED} FROM counterparty_decisions WHERE ${TENANT} ORDER BY decided_at, id LIMIT ${MAX_DECISIONS}`,
  'How files are redacted: no answer has it.',
);
const COUNT = tenantSql('counterparty_decisions.count', `SELECT count(*)::int AS count FROM counterparty_decisions WHERE ${TENANT}`);
const LOCK = tenantSql(
  'counterparty_decisions.lock',
  `SELECT ${SELECTED} FROM counterparty_decisions WHERE ${TENANT} AND digest = :digest FOR UPDATE`,
);
const SAVE = tenantSql(
  'counterparty_decisions.save',
  `INSERT INTO counterparty_decisions (organization_id, environment, digest, id, decided_as, decided_at)
    VALUES (:organizationId, :environment, :digest, :id, :decidedAs, :decidedAt)
    ON CONFLICT (organization_id, environment, digest) DO UPDATE SET decided_as = :decidedAs, decided_at = :decidedAt`,
);
const REMOVE = tenantSql('counterparty_decisions.remove', `DELETE FROM counterparty_decisions WHERE ${TENANT} AND digest = :digest`);

@Injectable()
export class CounterpartyDecisionsRepository {
  constructor(private readonly database: Database) {}

  /** The oldest first. */
  list(tenant: Tenant): Promise<CounterpartyDecision[]> {
    return this.database.rows<CounterpartyDecision>(...ALL.bind(tenant));
  }

  async count(ctx: WriteContext): Promise<number> {
    return (await this.database.rows<{ count: number }>(...COUNT.bind(ctx), ctx.unit))[0]!.count;
  }

  /** The decision on a counterparty, locked until the transaction ends. */
  async lock(ctx: WriteContext, digest: string): Promise<CounterpartyDecision | undefined> {
    return (await this.database.rows<CounterpartyDecision>(...LOCK.bind(ctx, { digest }), ctx.unit))[0];
  }

  async save(ctx: WriteContext, { digest, id, decidedAs, decidedAt }: CounterpartyDecision): Promise<void> {
    await this.database.rows(...SAVE.bind(ctx, { digest, id, decidedAs, decidedAt }), ctx.unit);
  }

  async remove(ctx: WriteContext, digest: string): Promise<void> {
    await this.database.rows(...REMOVE.bind(ctx, { digest }), ctx.unit);
  }
}

/** A part of a file has a mebibyte, so that a few take as long as many lines. */
const PARTS_PER_DELETE = 4;
const OF_STATEMENT = `statement_id = :statementId AND ${TENANT}` as const;
/** It is one that no worker has to read any more. */
const HAS_EXPIRED = "content_removed_at IS NULL AND redaction_status IN ('succeeded', 'skipped', 'failed')";
const OLDEST = acrossTenants(
  'bank_statements.oldest',
  'A worker finds the oldest statement of all tenants.',
  `SELECT id, created_at AS "createdAt", organization_id AS "organizationId", environment FROM bank_statements
    WHERE ${HAS_EXPIRED} AND created_at < :before AND (created_at, id) > (:createdAt, :id) AND ${isStayingSql('bank_statements')}
    ORDER BY created_at, id LIMIT 1`,
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
