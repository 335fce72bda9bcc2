import type { DataSource } from 'typeorm';
import { isCountry } from '../../kernel/codes.js';
import { isUuid } from '../../kernel/ids.js';
import type { Plan, Plans } from '../../kernel/plans.js';
import { notFound, Problem } from '../../kernel/problems.js';
import { StartError } from '../../kernel/settings/settings.js';
import { codePoints, isStorableText } from '../../kernel/text.js';
import { isCalendarDate } from '../../kernel/time.js';
import { brokenConstraint } from '../../store/database/database.js';
import type { Organization } from './organization.entity.js';

const MAX_SLUG = 100;

export function slugOf(name: string): string {
  const ascii = name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase();
  return (
    ascii
      .replace(/[^a-z0-9]+/g, '-')
      .slice(0, MAX_SLUG)
      .replace(/^-+|-+$/g, '') || 'organization'
  );
}

function requireName(name: string): void {
  if (name.trim() === '' || codePoints(name) > 200 || !isStorableText(name))
    throw Problem.invalidField('name', 'too_long', 'must have 1 to 200 characters');
}

/** Commands accept an id or a slug, so a slug must not look like an id. */
function requireSlug(slug: string): void {
  if (slug.length > MAX_SLUG || isUuid(slug) || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug)) {
    throw Problem.invalidField(
      'slug',
      'invalid_slug',
      `must have lower-case letters, digits and single hyphens only, at most ${MAX_SLUG} characters, and must not be a UUID`,
    );
  }
}

export function requireNew({ name, slug, plan }: Pick<Organization, 'name' | 'slug' | 'plan'>, plans: Plans): void {
  requireName(name);
  requireSlug(slug);
  requirePlan(plan, plans);
}

/** What can be forgotten in a log stays so: `forgetsPeople` is not taken back. */
export type OrganizationChange = Partial<
  Omit<Organization, 'id' | 'slug' | 'createdAt' | 'updatedAt' | 'forgetsPeople' | 'confirmations'>
> & {
  readonly forgetsPeople?: true | undefined;
};

export function requireChange({ name, plan, country, timeZone, billingCycleAnchor }: OrganizationChange, plans: Plans): void {
  if (plan !== undefined) requirePlan(plan, plans);
  if (name !== undefined) requireName(name);
  if (typeof country === 'string' && !isCountry(country))
    throw Problem.invalidField('country', 'invalid_country', 'must be a country code of two letters (ISO 3166-1), such as DE');
  if (timeZone !== undefined && !isTimeZone(timeZone))
    throw Problem.invalidField('timeZone', 'not_allowed', 'must be the name of a time zone (IANA), such as Europe/Berlin');
  if (billingCycleAnchor !== undefined && !isCalendarDate(billingCycleAnchor))
    throw Problem.invalidField('billingCycleAnchor', 'invalid_date', 'must be an existing day, such as 2026-01-15');
}

function requirePlan(plan: Plan, { names }: Plans): void {
  if (!names.includes(plan)) throw Problem.invalidField('plan', 'not_allowed', `must be one of ${names.join(', ')}`);
}

/** Intl takes offsets such as +01:00, too, and any case. Neither is a name. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Z][A-Za-z]/.test(name)) return false;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    return timeZone === name || timeZone.toLowerCase() !== name.toLowerCase();
  } catch {
    return false;
  }
}

export const missing = (name: string): never => notFound(`There is no organization ${name}.`);
export const beingErased = (name: string): never => notFound(`The organization ${name} is being erased.`);

export function explainDuplicate(slug: string): (error: unknown) => never {
  return (error) => {
    if (brokenConstraint(error) !== 'organizations_slug_unique') throw error;
    throw new Problem('already_exists', { detail: `An organization with the slug ${slug} already exists.`, cause: error });
  };
}

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
