import { Injectable } from '@nestjs/common';
import pg from 'pg';
import { Database, prepared } from '../../store/database/database.js';
import { type Part, saidOf } from '../../store/tenant/organization-tables.js';

export interface Column {
  readonly name: string;
  /** Such as `timestamp with time zone`. */
  readonly type: string;
  /** Postgres numbers the rows itself. */
  readonly isNumbered: boolean;
}

interface Found {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly key: readonly string[];
}

/** What a row may have: a file, a JSON document, or only values. Rows that may be large are read and deleted few at a time. */
export type Weight = 'file' | 'document' | 'values';

export type OrganizationTable = Found & ReturnType<typeof saidOf> & { readonly hasOrganization: boolean; readonly weight: Weight };

// From the database itself, so that no table is forgotten, not even one that an extension has created. Partitions are part of their tables.
const TABLES = prepared({
  name: 'catalogue.tables',
  text: `SELECT relname AS name,
      (SELECT json_agg(json_build_object('name', attname, 'type', format_type(atttypid, NULL),
          'isNumbered', attidentity <> '') ORDER BY attnum)
        FROM pg_attribute WHERE attrelid = class.oid AND attnum > 0 AND NOT attisdropped) AS columns,
      coalesce((SELECT json_agg(attname ORDER BY place) FROM pg_index, unnest(indkey::int[]) WITH ORDINALITY AS part (number, place)
        JOIN pg_attribute ON attnum = number WHERE indrelid = class.oid AND indisprimary AND attrelid = class.oid), '[]') AS key
    FROM pg_class class
    WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = current_schema()::regnamespace ORDER BY relname`,
});

@Injectable()
export class CatalogueRepository {
  constructor(private readonly database: Database) {}

  /** The tables with rows of organizations, by name. The table of the organizations themselves is not among them. */
  async organizationTables(): Promise<OrganizationTable[]> {
    return (await this.read()).filter(({ hasOrganization, parts }) => hasOrganization || parts.length > 0);
  }

  /** Those that are exported, and that move: one that is not says why (`TableNotExported`). The organization itself comes first. */
  async exportedTables(): Promise<OrganizationTable[]> {
    const tables = (await this.organizationTables()).filter(({ notExported }) => notExported === undefined);
    return [(await this.read()).find(({ name }) => name === 'organizations')!, ...tables];
  }

  private async read(): Promise<OrganizationTable[]> {
    return (await this.database.rows<Found>(TABLES, [])).map((table) => {
      const said = saidOf(table.name);
      const hasOrganization = table.columns.some(({ name }) => name === 'organization_id');
      return { ...table, ...said, hasOrganization, weight: weightOf(table, said.exportedBytes) };
    });
  }
}

/** Parts come right before the records that they belong to: by these they are found. */
export function inOrder(tables: readonly OrganizationTable[], isIncluded: (table: string) => boolean): OrganizationTable[] {
  const owners = tables.filter(({ name, parts, notErased }) => parts.length === 0 && notErased === undefined && isIncluded(name));
  return owners.flatMap((owner) => [...tables.filter(({ parts }) => parts.some(({ of }) => of === owner.name)), owner]);
}

function weightOf({ columns }: Found, exportedBytes: ReadonlySet<string>): Weight {
  if (exportedBytes.size > 0) return 'file';
  return columns.some(({ type }) => type === 'json' || type === 'jsonb') ? 'document' : 'values';
}

export const quote = (name: string): string => pg.escapeIdentifier(name);

export function ownedBy(
  { name, hasOrganization, parts }: Pick<OrganizationTable, 'name' | 'hasOrganization' | 'parts'>,
  id: string,
): string {
  if (name === 'organizations') return `id = ${pg.escapeLiteral(id)}`;
  const ofOrganization = hasOrganization ? [ofOrganizationSql(id)] : [];
  const ofRecords = parts.length === 0 ? [] : [`(${parts.map((part) => ofRecordsSql(part, id)).join(' OR ')})`];
  return [...ofOrganization, ...ofRecords].join(' AND ');
}

const ofOrganizationSql = (id: string): string => `organization_id = ${pg.escapeLiteral(id)}`;

/** Found by the records that they belong to. */
const ofRecordsSql = ({ column, of, key }: Part, id: string): string =>
  `${quote(column)} IN (SELECT owner.${quote(key)} FROM ${quote(of)} AS owner WHERE owner.${ofOrganizationSql(id)})`;
