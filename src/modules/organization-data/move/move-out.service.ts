import { Injectable } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import type { Actor } from '../../../kernel/context.js';
import { Settings, StartError } from '../../../kernel/settings/settings.js';
import { Database, prepared } from '../../../store/database/database.js';
import { AuditService, type ChainHead } from '../../audit/index.js';
import { MovesService, until } from '../../organization/index.js';
import { CatalogueRepository, quote } from '../catalogue.repository.js';
import { ExportedContent, Snapshot } from '../export/export.service.js';
import { FORMAT, type MoveRecord, pack } from './archive.js';
import { type MovedTable, MovedTables, type StoredRow } from './moved-tables.js';

/** Longer than any process keeps what it has counted of calls before it writes it. */
const WRITTEN_WITHIN_MS = 6000;
/** The table of audit events has a partition for each month, and the others have one for what has none. */
const MONTHS = `SELECT DISTINCT date_trunc('month', created_at, 'UTC') AS month FROM audit_events WHERE organization_id = `;
const ORGANIZATION = 'SELECT slug, plan FROM organizations WHERE id = ';
const SCHEMA = 'SELECT name FROM migrations ORDER BY timestamp DESC, id DESC LIMIT 1';

/** What an archive begins with. */
export interface MoveHeader {
  readonly format: string;
  readonly organizationId: string;
  readonly slug: string;
  readonly plan: string;
  /** The addresses of both installations. */
  readonly from: string;
  readonly to: string;
  /** The last migration, and the columns of each table: the other installation must have the same. */
  readonly schema: string;
  readonly tables: Readonly<Record<string, readonly string[]>>;
  readonly months: readonly string[];
  /** Of the audit log, which goes on from here. */
  readonly head: ChainHead;
}

export interface MoveOut {
  /** The address of the other installation, for the audit log. */
  readonly to: string;
  readonly key: Buffer;
  /** How long it waits for what is under way. */
  readonly waitMs: number;
}

/** Takes an organization out of an installation: closes it, waits for what is under way, and writes all that it has at one moment. */
@Injectable()
export class MoveOutService {
  constructor(
    private readonly moves: MovesService,
    private readonly catalogue: CatalogueRepository,
    private readonly tables: MovedTables,
    private readonly content: ExportedContent,
    private readonly audit: AuditService,
    private readonly place: MovePlace,
  ) {}

  /** Can be repeated until the move is done: the next archive is as good as this one. */
  async *export(actor: Actor, id: string, { to, key, waitMs }: MoveOut): AsyncGenerator<Buffer> {
    const { fault } = await this.audit.verify(id);
    if (fault) throw new StartError(`Nothing was exported: its audit log is damaged. ${fault.message}`);
    const changes = { to: { from: null, to } };
    const begun = { action: 'organization.move_begun', changes } as const;
    await this.moves.take(actor, id, { from: ['active'], to: 'closing', after: ['moving'], entry: begun });
    await this.endOfWork(id, waitMs);
    await this.moves.take(actor, id, { from: ['closing'], to: 'moving' });
    await this.moves.endOfTransactions(waitMs);
    const head = await this.audit.sealedHead(id);
    const snapshot = await Snapshot.open(this.place.settings);
    try {
      yield* pack(this.records(snapshot, id, { to, head }), key);
    } finally {
      await snapshot.close();
    }
  }

  /** Opens the organization again. The caller knows that it was not imported. */
  async abort(actor: Actor, id: string): Promise<void> {
    const entry = { action: 'organization.move_aborted', changes: {} } as const;
    await this.moves.take(actor, id, { from: ['closing', 'moving'], to: 'active', entry });
  }

  /** From now on its callers are told that it is elsewhere. */
  async done(actor: Actor, id: string): Promise<void> {
    const entry = { action: 'organization.moved_out', changes: {} } as const;
    await this.moves.take(actor, id, { from: ['moving'], to: 'moved', entry });
  }

  /** Workers begin nothing for it any more. What they have begun, they end. */
  private async endOfWork(id: string, waitMs: number): Promise<void> {
    await delay(WRITTEN_WITHIN_MS);
    await this.moves.endOfTransactions(waitMs);
    const leased = (await this.catalogue.organizationTables()).filter(({ columns }) => columns.some(({ name }) => name === 'leased_until'));
    const held = leased.map(
      ({ name }) => `SELECT 1 FROM ${quote(name)} WHERE organization_id = $1 AND lease IS NOT NULL AND leased_until > now()`,
    );
    const any = prepared({ name: '', text: held.join(' UNION ALL ') });
    const isOver = async () => (await this.place.database.rows(any, [id])).length === 0;
    await until(isOver, waitMs, 'Runs, statements or deliveries are still under way');
  }

  private async *records(snapshot: Snapshot, id: string, { to, head }: { to: string; head: ChainHead }): AsyncGenerator<MoveRecord> {
    const tables = await this.tables.list();
    const rows: Record<string, number> = {};
    const facts = await this.place.facts(snapshot, id);
    const columns = Object.fromEntries(tables.map((table) => [table.name, columnsOf(table)]));
    yield {
      head: { format: FORMAT, organizationId: id, ...facts, from: this.place.settings.publicUrl, to, tables: columns, head },
      body: '',
    };
    for (const table of tables) {
      rows[table.name] = 0;
      for await (const batch of snapshot.batches<StoredRow>(table.select(id), table.rowsAtOnce)) {
        rows[table.name]! += batch.length;
        for (const row of batch) yield this.tables.open(table, row);
      }
    }
    for await (const part of this.content.elsewhere(snapshot, id)) {
      rows[part.table]! += 1;
      yield this.tables.ofFile(part);
    }
    if (rows.audit_entries! > 0) throw new StartError('Its audit log was written to meanwhile: run the command again.');
    yield { head: { rows }, body: '' };
  }
}

export const columnsOf = ({ columns }: Pick<MovedTable, 'columns'>): string[] => columns.map(({ name, type }) => `${name} ${type}`).sort();

/** What an archive says of the installation that it is from. */
@Injectable()
export class MovePlace {
  constructor(
    readonly database: Database,
    readonly settings: Settings,
  ) {}

  async facts(snapshot: Snapshot, id: string): Promise<Pick<MoveHeader, 'slug' | 'plan' | 'schema' | 'months'>> {
    const [organization] = await readAll<Pick<MoveHeader, 'slug' | 'plan'>>(snapshot, `${ORGANIZATION}'${id}'`);
    const months = await readAll<{ month: Date }>(snapshot, `${MONTHS}'${id}'`);
    const [schema] = await readAll<{ name: string }>(snapshot, SCHEMA);
    return { ...organization!, schema: schema!.name, months: months.map(({ month }) => month.toISOString()) };
  }
}

async function readAll<Row>(snapshot: Snapshot, select: string): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const batch of snapshot.batches<Row>(select, 100)) rows.push(...batch);
  return rows;
}
