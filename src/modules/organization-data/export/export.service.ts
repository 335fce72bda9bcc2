import { Injectable } from '@nestjs/common';
import { changeContext, type Actor } from '../../../kernel/context.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { Clock } from '../../../kernel/time.js';
import { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import { UnitOfWork } from '../../../store/database/unit-of-work.js';
import { CatalogueRepository } from '../catalogue.repository.js';
import { ExportedContent } from './exported-content.js';
import { exportedTable, ORGANIZATION, type ExportedRow, type ExportedTable } from './exported-table.js';
import { Snapshot } from '../snapshot.js';

/** Changes whenever a reader of exports would have to change. Tables and columns may be added without that. */
const FORMAT = 'claims-organization/1';

/** Exports everything that an organization has, except secrets. */
@Injectable()
export class ExportService {
  constructor(
    private readonly catalogue: CatalogueRepository,
    private readonly content: ExportedContent,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /**
   * The lines of the export, each a JSON document: a heading, a line for each row, and at the end the number of rows of each table.
   * All rows are as they were at one moment. Few of them are in memory at a time.
   */
  async *export(actor: Actor, organizationId: string): AsyncGenerator<string> {
    await this.unitOfWork.run(changeContext(organizationId, actor), (ctx) => {
      this.audit.record(ctx, { action: 'organization.exported', resourceId: organizationId, changes: {} });
      return Promise.resolve();
    });
    const tables = await this.tables();
    const snapshot = await Snapshot.open(this.settings);
    try {
      await snapshot.take(organizationId);
      yield JSON.stringify({ format: FORMAT, organizationId, exportedAt: this.clock.timestamp() });
      const counts: Record<string, number> = {};
      for (const table of tables) {
        counts[table.name] = 0;
        for await (const rows of snapshot.batches<ExportedRow>(table.select(organizationId), table.rowsAtOnce)) {
          counts[table.name]! += rows.length;
          for (const row of rows) yield `{"table":${JSON.stringify(table.name)},"row":${this.withBytes(table, row)}}`;
        }
      }
      for await (const { table, row } of this.content.elsewhere(snapshot, organizationId)) {
        counts[table]! += 1;
        yield JSON.stringify({ table, row });
      }
      yield JSON.stringify({ end: true, rows: counts });
    } finally {
      await snapshot.close();
    }
  }

  private async tables(): Promise<ExportedTable[]> {
    const [organizations, tables] = [await this.catalogue.organizations(), await this.catalogue.organizationTables()];
    return [
      exportedTable({ ...organizations, ...ORGANIZATION }),
      ...tables.filter(({ notExported }) => notExported === undefined).map(exportedTable),
    ];
  }

  /** The row with its content in base64. */
  private withBytes({ name, bytes }: ExportedTable, { row, ...found }: ExportedRow): string {
    if (bytes === undefined) return row;
    const content = found.bytes && this.content.decrypted(name, bytes, found.key, found.bytes);
    return `${row.slice(0, -1)},${JSON.stringify(bytes)}:${JSON.stringify(content?.toString('base64') ?? null)}}`;
  }
}
