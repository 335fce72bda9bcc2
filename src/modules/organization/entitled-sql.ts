import type { Plans, StandardPlan } from '../../kernel/plans.js';

/**
 * A condition for the statements of other modules: whether an organization is active and has a plan or a higher one, at that moment.
 * `organizationId` is a column. A subquery of one row, so that Postgres asks it last, and only for rows that are found.
 */
export function entitledSql(organizationId: string, plans: Plans, required: StandardPlan): string {
  // Their names have nothing but letters, digits and hyphens.
  const names = plans.including(required).map((sufficient) => `'${sufficient}'`);
  return `(SELECT status = 'active' AND plan IN (${names.join(', ')}) FROM organizations WHERE organizations.id = ${organizationId})`;
}
