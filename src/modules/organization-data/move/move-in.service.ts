import { Injectable } from '@nestjs/common';
import { type Actor, changeContext } from '../../../kernel/context.js';
import { Settings, StartError } from '../../../kernel/settings/settings.js';
import { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import { brokenConstraint, Database, prepared } from '../../../store/database/database.js';
import { type Unit, UnitOfWork } from '../../../store/database/unit-of-work.js';
import { AuditService, type ChainHead } from '../../audit/index.js';
import { FORMAT, type MoveRecord, unpack } from './archive.js';
import { columnsOf, type MoveHeader } from './move-out.service.js';
import { MovedTables, type MovedTable, type RowHead } from './moved-tables.js';

/** An insertion of many small rows, or of a large one. */
const BATCH = { rows: 500, characters: 1 << 20 };
const FOUND = prepared({
  name: 'organizations.in_the_way',
  text: `SELECT 'an organization with the id ' || id AS what FROM organizations WHERE id = $1
    UNION ALL SELECT 'an organization with the slug ' || slug FROM organizations WHERE slug = $2 AND id <> $1
    UNION ALL SELECT 'the proof that the organization ' || organization_id || ' was erased' FROM organization_erasures
      WHERE organization_id = $1`,
});
const SCHEMA = prepared({ name: 'migrations.last', text: 'SELECT name FROM migrations ORDER BY timestamp DESC, id DESC LIMIT 1' });
/** Users of one account have the same credentials, wherever they came from: those here stand. */
const SHARE_CREDENTIALS = prepared({
  name: 'users.share_credentials',
  text: `UPDATE users moved SET password_hash = known.password_hash, totp_secret = known.totp_secret, totp_last_step = known.totp_last_step,
      recovery_codes = known.recovery_codes
    FROM users known WHERE moved.organization_id = $1 AND known.organization_id <> $1 AND known.account_id = moved.account_id
      AND known.status <> 'removed' AND moved.status <> 'removed'`,
});
const ACTIVATE = prepared({ name: 'organizations.activate', text: `UPDATE organizations SET status = 'active' WHERE id = $1` });
/** One transaction has to last for all rows. */
const UNHURRIED = ['SET LOCAL statement_timeout = 0', 'SET LOCAL idle_in_transaction_session_timeout = 0'];

export interface MovedIn {
  readonly organizationId: string;
  readonly slug: string;
  readonly rows: number;
  readonly auditHead: ChainHead;
}

/** Takes in an organization that another installation has exported. All of it is there with one COMMIT, or nothing. */
@Injectable()
export class MoveInService {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly tables: MovedTables,
    private readonly recorder: AuditRecorder,
    private readonly audit: AuditService,
    private readonly settings: Settings,
  ) {}

  async import(actor: Actor, archive: string, key: Buffer): Promise<MovedIn> {
    const records = unpack(archive, key);
    try {
      const header = await readHeader(records);
      const tables = await this.tables.list();
      await this.requireFit(header, tables);
      await this.audit.prepareMonths(header.months);
      const rows = await this.write(actor, header, tables, records).catch(explainCollision);
      return { ...(await this.verified(header)), rows };
    } finally {
      await records.return(undefined);
    }
  }

  private async requireFit({ format, organizationId, slug, plan, schema, tables: theirs }: MoveHeader, tables: readonly MovedTable[]) {
    if (format !== FORMAT) refuse(`this release reads ${FORMAT}, and the archive is ${format}`);
    const [own] = await this.database.rows<{ name: string }>(SCHEMA, []);
    const again = 'Bring both installations to the same release, run `claims migrate` on both, and export again';
    if (own!.name !== schema)
      refuse(`the last migration of the other installation is ${schema}, and that of this one is ${own!.name}. ${again}`);
    const names = new Set([...Object.keys(theirs), ...tables.map(({ name }) => name)]);
    const ours = Object.fromEntries(tables.map((table) => [table.name, columnsOf(table)]));
    const other = [...names].find((name) => String(theirs[name]) !== String(ours[name]));
    if (other) refuse(`the table ${other} is not the same in both installations. Give both the same extensions, and export again`);
    if (!this.settings.plans.names.includes(plan)) refuse(`it has the plan ${plan}, which PLANS does not declare here`);
    const [found] = await this.database.rows<{ what: string }>(FOUND, [organizationId, slug]);
    if (found) refuse(`this installation has ${found.what} already`);
  }

  private write(actor: Actor, header: MoveHeader, tables: readonly MovedTable[], records: AsyncIterable<MoveRecord>): Promise<number> {
    const { organizationId, from, to } = header;
    return this.unitOfWork.run(changeContext(organizationId, actor), async (ctx) => {
      for (const statement of UNHURRIED) await ctx.unit.client.query(statement);
      const rows = await this.insertAll(ctx.unit, tables, records);
      await this.database.rows(SHARE_CREDENTIALS, [organizationId], ctx.unit);
      await this.database.rows(ACTIVATE, [organizationId], ctx.unit);
      const changes = { installation: { from, to } };
      this.recorder.record(ctx, { action: 'organization.moved_in', resourceId: organizationId, changes });
      return rows;
    });
  }

  private async insertAll(unit: Unit, tables: readonly MovedTable[], records: AsyncIterable<MoveRecord>): Promise<number> {
    const inserted: Record<string, number> = {};
    for await (const batch of batchesOf(records)) {
      const [first] = batch as [MoveRecord<RowHead>];
      if ('rows' in first.head) return this.total(inserted, first.head.rows as Readonly<Record<string, number>>);
      const table = tables.find(({ name }) => name === first.head.table)!;
      const rows = batch.map((record) => this.tables.close(table, record));
      await this.database.rows(prepared({ name: '', text: table.insert }), [`[${rows.join(',')}]`], unit);
      inserted[table.name] = (inserted[table.name] ?? 0) + rows.length;
    }
    return refuse('the archive has no end');
  }

  private total(inserted: Readonly<Record<string, number>>, exported: Readonly<Record<string, number>>): number {
    for (const [table, count] of Object.entries(exported))
      if ((inserted[table] ?? 0) !== count)
        refuse(`of ${table}, ${count} rows were exported, and ${inserted[table] ?? 0} are in the archive`);
    return Object.values(inserted).reduce((sum, count) => sum + count, 0);
  }

  /** Seals the entry of the move. What came along must be the log that the other installation had. */
  private async verified({ organizationId, slug, head }: MoveHeader): Promise<Omit<MovedIn, 'rows'>> {
    const { fault, head: auditHead } = await this.audit.verify(organizationId, head);
    if (fault) throw new StartError(`The organization ${organizationId} was imported, but its audit log is damaged. ${fault.message}`);
    return { organizationId, slug, auditHead };
  }
}

async function readHeader(records: AsyncGenerator<MoveRecord>): Promise<MoveHeader> {
  const first = (await records.next()) as IteratorYieldResult<MoveRecord<MoveHeader>>;
  return first.value.head;
}

function refuse(why: string): never {
  throw new StartError(`Nothing was imported: ${why}.`);
}

function explainCollision(error: unknown): never {
  const constraint = brokenConstraint(error);
  if (constraint === undefined) throw error;
  const { table = 'a table', detail = '' } = error as { table?: string; detail?: string };
  return refuse(`a row of ${table} is in this installation already (${constraint}). ${detail}`.trim().replace(/\.$/, ''));
}

/** Rows of one table, as many as are inserted together; the end of the archive is a batch of its own. */
async function* batchesOf(records: AsyncIterable<MoveRecord>): AsyncGenerator<MoveRecord<RowHead>[]> {
  let batch: MoveRecord<RowHead>[] = [];
  let characters = 0;
  for await (const record of records as AsyncIterable<MoveRecord<RowHead>>) {
    const isFull = batch.length >= BATCH.rows || characters >= BATCH.characters;
    if (batch.length > 0 && (isFull || batch[0]!.head.table !== record.head.table)) {
      yield batch;
      [batch, characters] = [[], 0];
    }
    batch.push(record);
    characters += record.body.length + Object.values(record.head.bytes ?? {}).reduce((sum, text) => sum + (text?.length ?? 0), 0);
  }
  if (batch.length > 0) yield batch;
}
