import { Injectable } from '@nestjs/common';
import { type Actor, changeContext } from '../../../kernel/context.js';
import { Settings, StartError } from '../../../kernel/settings/settings.js';
import { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import { brokenConstraint, Database, prepared } from '../../../store/database/database.js';
import { type Unit, UnitOfWork } from '../../../store/database/unit-of-work.js';
import { AuditService } from '../../audit/index.js';
import { acrossTenants } from '../../../store/tenant/tenant-sql.js';
import { FORMAT, unpack } from './archive.js';
import type { MovedRows, MoveHeader } from './move-out.service.js';
import { insertSql, MovedTables } from './moved-tables.js';

const MIGRATIONS = prepared({ name: 'migrations.all', text: 'SELECT name FROM migrations ORDER BY timestamp, id' });
const IN_THE_WAY = acrossTenants(
  'organizations.in_the_way',
  'The organization is not here yet: it may meet another one.',
  `SELECT 'the organization ' || id AS what FROM organizations WHERE id = :id
    UNION ALL SELECT 'an organization with the slug ' || slug FROM organizations WHERE slug = :slug AND id <> :id
    UNION ALL SELECT 'the proof that the organization was erased here' FROM organization_erasures WHERE organization_id = :id`,
);
/** Users of one account have the same credentials, wherever they came from: those that are here stand. */
const SHARE_CREDENTIALS = acrossTenants(
  'users.share_credentials',
  'A person has one account for all organizations.',
  `UPDATE users moved SET password_hash = known.password_hash, totp_secret = known.totp_secret, totp_last_step = known.totp_last_step,
      recovery_codes = known.recovery_codes, passkeys = known.passkeys
    FROM users known WHERE moved.organization_id = :id AND known.organization_id <> :id AND known.account_id = moved.account_id
      AND known.status <> 'removed' AND moved.status <> 'removed'`,
);
const ACTIVATE = prepared({ name: 'organizations.activate', text: `UPDATE organizations SET status = 'active' WHERE id = $1` });
/** One transaction lasts for all rows. */
const UNHURRIED = ['SET LOCAL statement_timeout = 0', 'SET LOCAL idle_in_transaction_session_timeout = 0'];

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

  async import(actor: Actor, archive: string, key: Buffer) {
    const documents = unpack<MoveHeader | MovedRows>(archive, key);
    const header = (await documents.next()).value as MoveHeader;
    try {
      await this.requireFit(header);
      await this.audit.makePartitions(header.months);
      const rows = await this.write(actor, header, documents as AsyncGenerator<MovedRows>).catch(explainCollision);
      const { organizationId, slug } = header;
      // Seals the entry of the move. What came along must be the log that the other installation had.
      const { fault, head } = await this.audit.verify(organizationId, header.head);
      if (fault) throw new StartError(`The organization ${organizationId} was imported, but its audit log is damaged: ${fault.message}`);
      return { organizationId, slug, rows, auditHead: head };
    } finally {
      await documents.return(undefined);
    }
  }

  private async requireFit({ format, organizationId, slug, plan, migrations }: MoveHeader): Promise<void> {
    if (format !== FORMAT) refuse(`this release reads ${FORMAT}, and the archive is ${format}`);
    const own = (await this.database.rows<{ name: string }>(MIGRATIONS, [])).map(({ name }) => name);
    const other = [...migrations.filter((name) => !own.includes(name)), ...own.filter((name) => !migrations.includes(name))].at(-1);
    if (other !== undefined)
      refuse(
        `only one of the installations has the migration ${other}: the last one there is ${migrations.at(-1)}, and here ${own.at(-1)}. ` +
          'Bring both to the same release with the same extensions, run `claims migrate` on both, and export again',
      );
    if (!this.settings.plans.names.includes(plan)) refuse(`its plan is ${plan}, which PLANS does not declare here`);
    const [found] = await this.database.rows<{ what: string }>(...IN_THE_WAY.bind({ id: organizationId, slug }));
    if (found) refuse(`there is already ${found.what}`);
  }

  private write(actor: Actor, { organizationId, from, to }: MoveHeader, documents: AsyncGenerator<MovedRows>): Promise<number> {
    return this.unitOfWork.run(changeContext(organizationId, actor), async (ctx) => {
      for (const statement of UNHURRIED) await ctx.unit.client.query(statement);
      const count = await this.insertAll(ctx.unit, documents);
      await this.database.rows(...SHARE_CREDENTIALS.bind({ id: organizationId }), ctx.unit);
      await this.database.rows(ACTIVATE, [organizationId], ctx.unit);
      const changes = { installation: { from, to } };
      this.recorder.record(ctx, { action: 'organization.moved_in', resourceId: organizationId, changes });
      return count;
    });
  }

  private async insertAll(unit: Unit, documents: AsyncGenerator<MovedRows>): Promise<number> {
    const tables = new Map((await this.tables.list()).map((table) => [table.name, table]));
    let count = 0;
    for await (const { table: name, rows } of documents) {
      const table = tables.get(name) ?? refuse(`there is no table ${name}`);
      const list = rows.map((row) => this.tables.close(table, row)).join(',');
      await this.database.rows(prepared({ name: '', text: insertSql(table) }), [`[${list}]`], unit);
      count += rows.length;
    }
    return count;
  }
}

function refuse(why: string): never {
  throw new StartError(`Nothing was imported: ${why}.`);
}

function explainCollision(error: unknown): never {
  const constraint = brokenConstraint(error);
  if (constraint === undefined) throw error;
  return refuse(`a row of ${(error as { table?: string }).table} is here already (${constraint})`);
}
