import pg from 'pg';
import type { Part } from '../../store/tenant/organization-tables.js';
import type { OrganizationTable } from './catalogue.repository.js';

const quote = (name: string): string => pg.escapeIdentifier(name);

/** The condition on the rows of an organization in a table. */
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
