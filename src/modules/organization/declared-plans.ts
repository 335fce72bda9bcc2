import type { DataSource } from 'typeorm';
import type { Plans } from '../../kernel/plans.js';
import { StartError } from '../../kernel/start-error.js';

const AT_MOST = 5;

/** Throws if an organization has a plan that nobody declares: PLANS may be missing, and it would get the limits of the least plan. */
export async function requireDeclaredPlans(source: DataSource, { names }: Plans): Promise<string> {
  const rows = await source.query<{ slug: string; plan: string }[]>(
    `SELECT slug, plan FROM organizations WHERE plan <> ALL ($1::text[]) ORDER BY slug LIMIT ${AT_MOST}`,
    [names],
  );
  if (rows.length === 0) return `every organization has one of ${names.join(', ')}`;
  const found = rows.map(({ slug, plan }) => `${slug} has ${plan}`).join(', ');
  throw new StartError(`Organizations have plans that are not declared (${found}): declare them in PLANS, or give these another plan.`);
}
