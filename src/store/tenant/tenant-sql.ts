import type { Tenant } from '../../kernel/context.js';
import { snakeCase } from '../../kernel/text.js';
import { requireAll } from './of-projects.js';
import { declareSql, type NamedText, type Scope, type Sql } from '../database/prepared-statements.js';

// SQL for tables with rows of organizations. Its parameters have names of letters, such as `:since`, and the context of the call says whose
// rows they are. A statement is rewritten with `$1`, `$2`, … once, when its file is loaded.

/** The condition on a table with an organization and an environment. */
export const TENANT = 'organization_id = :organizationId AND environment = :environment';
/** The same for a table with an alias. */
export const tenantOf = <const Alias extends string>(alias: Alias) =>
  `${alias}.organization_id = :organizationId AND ${alias}.environment = :environment` as const;
/** The condition on a table without an environment, or for the rows of both. */
export const ORGANIZATION = 'organization_id = :organizationId';

/** Workers begin nothing for an organization that moves to another installation. `row` is a table or its alias. */
export const isStayingSql = (row: string): string =>
  `NOT EXISTS (SELECT 1 FROM organizations mover WHERE mover.id = ${row}.organization_id
    AND mover.status IN ('moving', 'moved'))`;

/** For the methods of `Database`, which take both: `database.rows<Row>(...STATEMENT.bind(ctx, { since }), ctx.unit)`. */
export type BoundSql = readonly [statement: Sql, values: readonly unknown[]];
type Organization = Pick<Tenant, 'organizationId'>;
/** Each name that the text is known to have. A part of the text that is only known as `string` may have more. */
type Given<Names extends string> = [Names] extends [never] ? [values?: object] : [values: { readonly [Name in Names]: unknown }];

interface Bindable<Context extends readonly unknown[], Names extends string> {
  bind(...given: [...context: Context, ...values: Given<Names>]): BoundSql;
}
export type TenantSql<Names extends string = never> = Bindable<[tenant: Tenant], Names>;
export type OrganizationSql<Names extends string = never> = Bindable<[organization: Organization], Names>;
export type AcrossTenantsSql<Names extends string = never> = Bindable<[], Names>;

/** A further condition for contexts of some projects, on what the project of a row is: none for other contexts. */
export const ofProjects = <const Project extends string>(project: Project) => ` :ofProjects{${project}}` as const;
/** The same, for rows that are of all projects where they have none. */
export const ofProjectsOrAll = <const Project extends string>(project: Project) => ` :ofProjects{${project}|}` as const;
const OF_PROJECTS = / :ofProjects\{([^}|]*)(\|?)\}/g;
const NARROWED = (_all: string, project: string, orAll: string): string =>
  ` AND (${project}::text = ANY (:projects::text[])${orAll && ` OR ${project} IS NULL`})`;

/**
 * Declares a statement on rows of a tenant. It has `TENANT`, or inserts both columns. A context of some projects is refused, unless the
 * text has `ofProjects(…)`, or `within` says why what it reads and writes is within them.
 */
export function tenantSql<const Text extends string>(
  name: string,
  text: Text,
  within?: string,
): TenantSql<Exclude<NamesIn<Text>, keyof Tenant | 'ofProjects'>> {
  const own = ['organizationId', 'environment'];
  const bind = binder({ name, text: text.replace(OF_PROJECTS, '') }, 'tenant', own);
  const narrowed = text.replace(OF_PROJECTS, NARROWED);
  const bindNarrowed = narrowed === text ? undefined : binder({ name: `${name}/own`, text: narrowed }, 'tenant', [...own, 'projects']);
  return {
    bind: (tenant, ...[values]) => {
      if (tenant.projects && bindNarrowed) return bindNarrowed(tenant, values);
      if (within === undefined) requireAll(tenant);
      return bind(tenant, values);
    },
  };
}

/** Declares a statement on rows of an organization: of a table without an environment, or of both environments. */
export const organizationSql = <const Text extends string>(
  name: string,
  text: Text,
): OrganizationSql<Exclude<NamesIn<Text>, 'organizationId'>> => ({ bind: binder({ name, text }, 'organization', ['organizationId']) });

/** Declares a statement that finds or changes rows of any tenant. `reason` is why that is correct. */
export function acrossTenants<const Text extends string>(name: string, reason: string, text: Text): AcrossTenantsSql<NamesIn<Text>> {
  const bind = binder({ name, text }, { reason }, []);
  return { bind: (...[values]) => bind({}, values) };
}

const NAMED = /(?<!:):([a-zA-Z]+)/g;

/** `own` are the parameters that are of the context. */
function binder({ name, text }: NamedText, scope: Scope, own: readonly string[]): (context: object, values?: object) => BoundSql {
  const names = [...new Set(Array.from(text.matchAll(NAMED), ([, found]) => found!))];
  for (const needed of own)
    if (needed !== 'projects' && !isRestricted(text, needed)) throw new Error(`${name} does not say whose rows: it lacks :${needed}.`);
  const positioned = text.replace(NAMED, (_all, found: string) => `$${names.indexOf(found) + 1}`);
  const statement = declareSql({ name, text: positioned }, scope, names.indexOf('organizationId'));
  return (context, values = {}) => [
    statement,
    names.map((needed) => {
      const from = (own.includes(needed) ? context : values) as Readonly<Record<string, unknown>>;
      if (!(needed in from)) throw new Error(`${name} was not given :${needed}.`);
      return from[needed];
    }),
  ];
}

/** Whether the column is compared with the parameter, or written from it. */
function isRestricted(text: string, parameter: string): boolean {
  const column = snakeCase(parameter);
  const compared = `\\b${column}"? = \\(?:${parameter}\\b`;
  return new RegExp(`${compared}|INSERT INTO [^(]*\\([^)]*\\b${column}\\b[^]*:${parameter}\\b`).test(text);
}

/** The names of the parameters in a text: each follows a colon that is not one of a cast (`::`). */
type NamesIn<Text extends string, Found extends string = never> = Text extends `${string}:${infer Rest}`
  ? Rest extends `:${infer Cast}`
    ? NamesIn<Cast, Found>
    : NamesIn<Rest, Found | Word<Rest>>
  : Found;
type Word<Text extends string, Read extends string = ''> = Text extends `${infer Next}${infer Rest}`
  ? Uppercase<Next> extends Lowercase<Next>
    ? Read
    : Word<Rest, `${Read}${Next}`>
  : Read;
