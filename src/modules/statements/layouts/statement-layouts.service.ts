import { Injectable } from '@nestjs/common';
import { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import { UnitOfWork, type WriteContext } from '../../../store/database/unit-of-work.js';
import { changeContext, type Actor, type Tenant } from '../../../kernel/context.js';
import { newId } from '../../../kernel/ids.js';
import { Problem } from '../../../kernel/problems.js';
import { Clock } from '../../../kernel/time.js';
import { parseLayout } from '../formats/csv/layouts/parse-layout.js';
import { SHIPPED, shippedByName } from '../formats/csv/layouts/shipped-layouts.js';
import { fingerprintOfLayout, type WrittenLayout } from '../formats/csv/layouts/written-layout.js';
import type { StatementLayout } from './statement-layout.entity.js';
import { MAX_LAYOUTS, StatementLayoutsRepository } from './statement-layouts.repository.js';

/** What an importer says of a layout: its text as people have written it, or the name of a kept or shipped one. */
export type SaidLayout = { readonly text: string } | { readonly name: string };

/** The layouts that an organization keeps, by the header of the files that are read by them. */
@Injectable()
export class StatementLayoutsService {
  constructor(
    private readonly layouts: StatementLayoutsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
    private readonly clock: Clock,
  ) {}

  list(tenant: Tenant): Promise<StatementLayout[]> {
    return this.layouts.list(tenant);
  }

  /** For people to choose from: the kept ones, and the shipped ones that none of these replaces. */
  async choices(tenant: Tenant): Promise<{ readonly kept: readonly string[]; readonly shipped: readonly string[] }> {
    const kept = (await this.layouts.list(tenant)).map(({ name }) => name);
    return { kept, shipped: SHIPPED.map(({ name }) => name).filter((name) => !kept.includes(name)) };
  }

  keep(actor: Actor, tenant: Tenant, text: string): Promise<StatementLayout> {
    const layout = parseLayout(text);
    return this.change(actor, tenant, (ctx) => this.keepIn(ctx, layout));
  }

  remove(actor: Actor, tenant: Tenant, name: string): Promise<StatementLayout | undefined> {
    return this.change(actor, tenant, async (ctx) => {
      const found = (await this.layouts.lock(ctx)).find((kept) => kept.name === name);
      if (!found) return undefined;
      await this.removeIn(ctx, [found]);
      return found;
    });
  }

  /** The layout that an importer means; the organization's own before a shipped one. */
  async meant(tenant: Tenant, said: SaidLayout): Promise<WrittenLayout> {
    if ('text' in said) return parseLayout(said.text);
    const kept = (await this.layouts.list(tenant)).find(({ name }) => name === said.name);
    return kept?.layout ?? shippedByName(said.name) ?? unknownName(said.name);
  }

  /** Replaces the layouts of the same name and of the same header. */
  async keepIn(ctx: WriteContext, layout: WrittenLayout): Promise<StatementLayout> {
    const all = await this.layouts.lock(ctx);
    const { name } = layout;
    const fingerprint = fingerprintOfLayout(layout);
    const replaced = all.filter((kept) => kept.name === name || (fingerprint !== null && kept.fingerprint === fingerprint));
    const [same] = replaced;
    if (same && replaced.length === 1 && JSON.stringify(same.layout) === JSON.stringify(layout)) return same;
    if (all.length - replaced.length >= MAX_LAYOUTS)
      throw Problem.invalidField('layout', 'too_many', `there are ${MAX_LAYOUTS} layouts already`);
    await this.removeIn(ctx, replaced);
    const { organizationId, environment } = ctx;
    const kept = { id: newId(), organizationId, environment, name, fingerprint, layout, createdAt: this.clock.timestamp() };
    await this.layouts.add(ctx, kept);
    const changes = { name: { from: null, to: name }, fingerprint: { from: null, to: fingerprint } };
    this.audit.record(ctx, { action: 'statement_layout.kept', resourceId: kept.id, changes });
    return kept;
  }

  private async removeIn(ctx: WriteContext, kept: readonly StatementLayout[]): Promise<void> {
    if (kept.length === 0) return;
    const ids = kept.map(({ id }) => id);
    await this.layouts.remove(ctx, ids);
    for (const { id, name, fingerprint } of kept) {
      const changes = { name: { from: name, to: null }, fingerprint: { from: fingerprint, to: null } };
      this.audit.record(ctx, { action: 'statement_layout.removed', resourceId: id, changes });
    }
  }

  private change<T>(actor: Actor, { organizationId, environment }: Tenant, work: (ctx: WriteContext) => Promise<T>): Promise<T> {
    return this.unitOfWork.run({ ...changeContext(organizationId, actor), environment, emits: [] }, work);
  }
}

function unknownName(name: string): never {
  throw Problem.invalidField('layout', 'not_allowed', `“${name}” is neither kept by the organization nor shipped`);
}
