import { Injectable } from '@nestjs/common';
import { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import { type ReadContext, UnitOfWork, type WriteContext } from '../../../store/database/unit-of-work.js';
import { changesBetween, given } from '../../../kernel/changes.js';
import type { Actor, Tenant } from '../../../kernel/context.js';
import { aNewRow } from '../../../store/database/columns.js';
import { canonicalJson } from '../../../kernel/json.js';
import { Problem } from '../../../kernel/problems.js';
import { Clock } from '../../../kernel/time.js';
import type { PageOf, PageRequest } from '../../../store/tenant/page.js';
import { fingerprintOfLayout, type WrittenLayout } from '../../../../tools/bank-tables/index.js';
import { parseLayout, SHIPPED, shippedByName } from '../formats/csv/layouts/written-layout.js';
import { STATEMENT_LAYOUT_FIELDS, type StatementLayout } from './statement-layout.entity.js';
import type { CreateStatementLayoutDto, UpdateStatementLayoutDto } from './statement-layouts.dto.js';
import { MAX_LAYOUTS, StatementLayoutsRepository } from './statement-layouts.repository.js';

/** What an importer says of a layout: its text as people have written it, or the name of a kept or shipped one. */
export type SaidLayout = { readonly text: string } | { readonly name: string };

interface Keeping {
  readonly before?: StatementLayout;
  readonly input?: object;
}

/** The layouts that an organization keeps, by the header of the files that are read by them. */
@Injectable()
export class StatementLayoutsService {
  constructor(
    private readonly layouts: StatementLayoutsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
    private readonly clock: Clock,
  ) {}

  all(tenant: Tenant): Promise<StatementLayout[]> {
    return this.layouts.all(tenant);
  }

  list(ctx: ReadContext, query: PageRequest): Promise<PageOf<StatementLayout>> {
    return this.layouts.page(ctx, query, STATEMENT_LAYOUT_FIELDS.filters(query));
  }

  async get(ctx: ReadContext, id: string): Promise<StatementLayout> {
    return (await this.layouts.get(ctx, id)) ?? missing();
  }

  create(ctx: WriteContext, input: CreateStatementLayoutDto): Promise<StatementLayout> {
    return this.keepIn(ctx, named(input.name, input.layout), { input });
  }

  async update(ctx: WriteContext, id: string, input: UpdateStatementLayoutDto): Promise<StatementLayout> {
    await this.layouts.lockAll(ctx);
    const before = (await this.layouts.lock(ctx, id)) ?? missing();
    const { name, layout } = { ...before, ...given(input) };
    return this.keepIn(ctx, named(name, layout), { before, input });
  }

  async delete(ctx: WriteContext, id: string): Promise<void> {
    await this.layouts.lockAll(ctx);
    await this.removeIn(ctx, [(await this.layouts.lock(ctx, id)) ?? missing()]);
  }

  /** For people to choose from: the kept ones, and the shipped ones that none of these replaces. */
  async choices(tenant: Tenant): Promise<{ readonly kept: readonly string[]; readonly shipped: readonly string[] }> {
    const kept = (await this.layouts.all(tenant)).map(({ name }) => name);
    return { kept, shipped: SHIPPED.map(({ name }) => name).filter((name) => !kept.includes(name)) };
  }

  keep(actor: Actor, tenant: Tenant, text: string): Promise<StatementLayout> {
    const layout = parseLayout(text);
    return this.unitOfWork.runAs(actor, tenant, (ctx) => this.keepIn(ctx, layout));
  }

  remove(actor: Actor, tenant: Tenant, name: string): Promise<StatementLayout | undefined> {
    return this.unitOfWork.runAs(actor, tenant, async (ctx) => {
      const found = (await this.layouts.lockAll(ctx)).find((kept) => kept.name === name);
      if (!found) return undefined;
      await this.removeIn(ctx, [found]);
      return found;
    });
  }

  /** The layout that an importer means; the organization's own before a shipped one. */
  async meant(tenant: Tenant, said: SaidLayout): Promise<WrittenLayout> {
    if ('text' in said) return parseLayout(said.text);
    const kept = (await this.layouts.all(tenant)).find(({ name }) => name === said.name);
    return kept?.layout ?? shippedByName(said.name) ?? unknownName(said.name);
  }

  /**
   * Replaces the layouts of the same name and of the same header: by a new one, or by `before`, which is changed. Fields of extensions
   * that are not given stay as they were.
   */
  async keepIn(ctx: WriteContext, layout: WrittenLayout, { before, input = {} }: Keeping = {}): Promise<StatementLayout> {
    const all = (await this.layouts.lockAll(ctx)).filter(({ id }) => id !== before?.id);
    const { name } = layout;
    const fingerprint = fingerprintOfLayout(layout);
    const replaced = all.filter((kept) => kept.name === name || (fingerprint !== null && kept.fingerprint === fingerprint));
    const [same, ...others] = before ? [before, ...replaced] : replaced;
    const custom = STATEMENT_LAYOUT_FIELDS.stored(input, same);
    if (same && others.length === 0 && contentOf(same) === contentOf({ layout, ...custom })) return same;
    if (all.length - replaced.length >= MAX_LAYOUTS)
      throw Problem.invalidField('layout', 'too_many', `there are ${MAX_LAYOUTS} layouts already`);
    await this.removeIn(ctx, replaced);
    const now = before ? this.clock.after(before.updatedAt) : this.clock.timestamp();
    const kept: StatementLayout = { ...aNewRow(ctx, now), ...before, name, fingerprint, layout, ...custom, updatedAt: now };
    if (before) await this.layouts.update(ctx, kept, ['name', 'fingerprint', 'layout', 'customFields', 'updatedAt']);
    else await this.layouts.insert(ctx, kept);
    const changes = changesBetween(before ?? null, { name, fingerprint, ...(before && { layout }), ...custom });
    this.audit.record(ctx, { action: 'statement_layout.kept', resourceId: kept.id, changes });
    return kept;
  }

  private async removeIn(ctx: WriteContext, kept: readonly StatementLayout[]): Promise<void> {
    for (const { id, name, fingerprint } of kept) {
      await this.layouts.remove(ctx, id);
      this.audit.record(ctx, { action: 'statement_layout.removed', resourceId: id, changes: changesBetween({ name, fingerprint }, null) });
    }
  }
}

const contentOf = ({ layout, customFields = {} }: Pick<StatementLayout, 'layout' | 'customFields'>): string =>
  canonicalJson([layout, customFields]);

function unknownName(name: string): never {
  throw Problem.invalidField('layout', 'not_allowed', `“${name}” is neither kept by the organization nor shipped`);
}

/** With a name that is valid as well. */
const named = (name: string, layout: object): WrittenLayout => parseLayout(JSON.stringify({ ...layout, name }));

function missing(): never {
  throw new Problem('not_found', { detail: 'There is no statement layout with this id.' });
}
