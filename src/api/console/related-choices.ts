import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { isUuid } from '../../kernel/ids.js';
import { snakeCase } from '../../kernel/text.js';
import type { TenantRow } from '../../store/database/columns.js';
import { RelatedTables } from '../../store/tenant/relations.js';
import { Registry } from '../operation/registry.js';
import { type FieldDeclaration, fieldsOf } from '../validation/field.js';
import { parameterOf } from '../validation/custom-fields.js';
import type { RecordFields } from '../validation/record-fields.js';
import { type FormState, type PageContext, sectionOf } from './page.js';
import { customName, customOf, type RelatedBy } from './parts/record.js';
import { say } from './say.js';

/** More are found by the search of the list. */
const MAX_CHOICES = 200;

type Fields = Pick<RecordFields<object, TenantRow>, 'fields' | 'inputs'>;
type Values = Readonly<Record<string, unknown>>;
type Target = NonNullable<ReturnType<RelatedChoices['targetOf']>>;

/** What pages show of the records that fields name, as the fields declare it. */
@Injectable()
export class RelatedChoices {
  private paths: ReadonlyMap<string, string> | undefined;

  constructor(
    private readonly tables: RelatedTables,
    private readonly registry: Registry,
    private readonly discovery: DiscoveryService,
  ) {}

  readNames(ctx: PageContext, fields: Fields, rows: readonly TenantRow[]): Promise<RelatedBy> {
    return this.readEach(ctx, fields, async ({ find }, key, name) => {
      const values = rows.map((row) => (key === name ? (row as unknown as Values) : customOf(row))[name]);
      return { names: await find(values.filter((id) => typeof id === 'string')) };
    });
  }

  /** The newest that are not archived. With what is chosen in the form or in the address, whatever its status. */
  readChoices(ctx: PageContext, fields: Fields, state?: FormState): Promise<RelatedBy> {
    return this.readEach(ctx, fields, async ({ records, title, find }, key, name) => {
      const filter = key === name ? snakeCase(name).replace(/_id$/, '') : parameterOf(name);
      const chosen = state?.values(key)[0] ?? ctx.query.get(key) ?? ctx.query.get(filter) ?? '';
      const newest = records.page(ctx, { page: 1, page_size: MAX_CHOICES });
      const [{ rows }, names] = await Promise.all([newest, find(isUuid(chosen) ? [chosen.toLowerCase()] : [])]);
      const offered = (rows as (TenantRow & Values)[]).filter(({ id, status }) => status !== 'archived' && !names.has(id));
      return { choices: [...offered.map((row) => [row.id, String(row[title])] as const), ...names] };
    });
  }

  private async readEach(
    ctx: PageContext,
    { fields, inputs }: Fields,
    read: (target: Target, key: string, name: string) => Promise<object>,
  ): Promise<RelatedBy> {
    const own = [...fields].map(([name, declaration]) => [name, name, declaration] as const);
    const custom = [...inputs].map(([name, declaration]) => [customName(name), name, declaration] as const);
    const all = [...own, ...custom].flatMap(([key, name, declaration]) => {
      const target = this.targetOf(ctx, declaration);
      return target ? [read(target, key, name).then((found) => [key, { ...target.shown, ...found }] as const)] : [];
    });
    return Object.fromEntries(await Promise.all(all));
  }

  /** undefined for other fields, and for records that no section shows to the person. */
  private targetOf(ctx: PageContext, { recordOf, about }: FieldDeclaration) {
    const [found, operation] = [recordOf && this.tables.find(recordOf.table), `${recordOf?.table}.list`];
    const path = found && this.pathOf(operation);
    if (!found || path === undefined || !ctx.can(operation)) return undefined;
    const { records, sql } = found;
    const answer = fieldsOf(this.registry.operationCalled(operation).returns!.prototype as object).get('data')!.of!;
    const hidden = ctx.hidden?.namesIn(answer) ?? [];
    const title = ['name', 'fileName'].find((one) => !hidden.includes(one) && sql.columns.some(({ property }) => property === one)) ?? 'id';
    const find = (ids: readonly string[]) => records.findNames(ctx, ids, title as 'id');
    return { records, title, find, shown: { none: say(about.nullable ? 'console.parts.none' : 'console.list.choose'), path } };
  }

  /** The section that lists the records. */
  private pathOf(operation: string): string | undefined {
    const sections = () => this.discovery.getControllers().flatMap(({ metatype }) => (metatype && sectionOf(metatype)) ?? []);
    this.paths ??= new Map(sections().flatMap((one) => (one.operation ? [[one.operation, one.path] as const] : [])));
    return this.paths.get(operation);
  }
}
