import { Injectable } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import type { Actor } from '../../../kernel/context.js';
import { Settings, StartError } from '../../../kernel/settings/settings.js';
import { Database, prepared } from '../../../store/database/database.js';
import { AuditService, type ChainHead } from '../../audit/index.js';
import { MovesService } from '../../organization/index.js';
import { quote } from '../catalogue.repository.js';
import { ExportedContent, Snapshot } from '../export/export.service.js';
import { FORMAT, pack } from './archive.js';
import { type MovedRow, MovedTables, rowOfFile, selectSql, type StoredRow } from './moved-tables.js';

/** Longer than any process keeps what it has counted of calls before it writes it. */
const WRITTEN_WITHIN_MS = 6000;
/** How long is waited for transactions, runs, statements and deliveries that are under way. */
const PATIENCE_MS = 600_000;
const LOOK_AGAIN_MS = 200;
const NOW = prepared({ name: 'transactions.now', text: 'SELECT clock_timestamp()::text AS now' });
// Of the role of the service alone: others show no times to it, and write no rows of organizations.
const OPEN = prepared({
  name: 'transactions.open',
  text: `SELECT 1 AS open FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid() AND xact_start <= $1::timestamptz`,
});
// The table of audit events has no partition for what has none.
const factsSql = (
  id: string,
): string => `SELECT slug, plan, ARRAY(SELECT name FROM migrations ORDER BY timestamp, id)::text[] AS migrations,
    ARRAY(SELECT DISTINCT date_trunc('month', created_at, 'UTC')::text FROM audit_events WHERE organization_id = '${id}') AS months
  FROM organizations WHERE id = '${id}'`;

/** What an archive begins with. */
export interface MoveHeader {
  readonly format: string;
  readonly organizationId: string;
  readonly slug: string;
  readonly plan: string;
  /** The addresses of both installations. */
  readonly from: string;
  readonly to: string;
  readonly migrations: readonly string[];
  readonly months: readonly string[];
  /** Of the audit log, which goes on from here. */
  readonly head: ChainHead;
}

/** Rows of one table. */
export type MovedRows = { readonly table: string; readonly rows: readonly MovedRow[] };

/** Takes an organization out of an installation: closes it, waits for what is under way, and writes all that it has at one moment. */
@Injectable()
export class MoveOutService {
  constructor(
    private readonly moves: MovesService,
    private readonly tables: MovedTables,
    private readonly content: ExportedContent,
    private readonly audit: AuditService,
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  /** Can be repeated until the move is done: the next archive is as good as this one. */
  async *export(actor: Actor, id: string, to: string, key: Buffer): AsyncGenerator<Buffer> {
    const from = this.settings.publicUrl;
    await this.moves.take(actor, id, 'begin', { installation: { from, to } });
    await delay(WRITTEN_WITHIN_MS);
    await this.endOfTransactions();
    await this.endOfWork(id);
    const head = await this.audit.sealedHead(id);
    const snapshot = await Snapshot.open(this.settings);
    try {
      yield* pack(this.documents(snapshot, id, { from, to, head }), key);
    } finally {
      await snapshot.close();
    }
  }

  /** Those that are open may have begun before the move did, and not have noticed it. */
  private async endOfTransactions(): Promise<void> {
    const [{ now }] = (await this.database.rows<{ now: string }>(NOW, [])) as [{ now: string }];
    await until(async () => (await this.database.rows(OPEN, [now])).length === 0, 'Transactions that began before the move have not ended');
  }

  /** Workers begin nothing for it any more, and end what they have begun. Those that are lost may not write any more. */
  private async endOfWork(id: string): Promise<void> {
    const leased = (await this.tables.list()).filter(({ columns }) => columns.some(({ name }) => name === 'leased_until'));
    for (const { name } of leased) {
      const [table, own] = [quote(name), 'organization_id = $1 AND lease IS NOT NULL'];
      const held = prepared({ name: '', text: `SELECT 1 AS held FROM ${table} WHERE ${own} AND leased_until > now() LIMIT 1` });
      await until(async () => (await this.database.rows(held, [id])).length === 0, `Work of ${name} has not ended`);
      await this.database.rows(prepared({ name: '', text: `UPDATE ${table} SET lease = NULL WHERE ${own}` }), [id]);
    }
  }

  private async *documents(
    snapshot: Snapshot,
    organizationId: string,
    place: Pick<MoveHeader, 'from' | 'to' | 'head'>,
  ): AsyncGenerator<MoveHeader | MovedRows> {
    for await (const [facts] of snapshot.batches<Pick<MoveHeader, 'slug' | 'plan' | 'migrations' | 'months'>>(factsSql(organizationId), 1))
      if (facts) yield { format: FORMAT, organizationId, ...place, ...facts };
    for (const table of await this.tables.list())
      for await (const rows of snapshot.batches<StoredRow>(selectSql(table, organizationId), table.rowsAtOnce)) {
        if (table.name === 'audit_entries') throw new StartError('Its audit log was written to meanwhile: run the command again.');
        yield { table: table.name, rows: rows.map((row) => this.tables.open(table, row)) };
      }
    for await (const { table, row } of this.content.elsewhere(snapshot, organizationId))
      yield { table, rows: [rowOfFile(row as Record<string, string>)] };
  }
}

async function until(isSo: () => Promise<boolean>, otherwise: string): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!(await isSo())) {
    if (performance.now() > end) throw new StartError(`${otherwise}. Run the command again, or \`claims org move abort\`.`);
    await delay(LOOK_AGAIN_MS);
  }
}
