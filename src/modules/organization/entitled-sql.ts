import { PLANS, type Plan } from '../../kernel/plans.js';

/**
 * A condition for the statements of other modules: whether an organization is active and has a plan or a higher one, at that moment.
 * `organizationId` is a column. A subquery of one row, so that Postgres asks it last, and only for rows that are found.
 */
export function entitledSql(organizationId: string, plan: Plan): string {
  const plans = PLANS.slice(PLANS.indexOf(plan)).map((sufficient) => `'${sufficient}'`);
  return `(SELECT status = 'active' AND plan IN (${plans.join(', ')}) FROM organizations WHERE organizations.id = ${organizationId})`;
}
