import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../kernel/context.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { NOTHING, Threads } from '../../../store/threads/threads.js';
import { CategoriesService, type CategoryOutline } from '../../categories/index.js';
import type { RunCategory, RunConfiguration } from '../engine/inputs.js';
import { requireWithin } from '../engine/within-limits.js';
import { pick } from './pick.js';
import type selectCategories from './select-categories.computation.js';

const SELECT_CATEGORIES = new URL('./select-categories.computation.js', import.meta.url);

/** The categories that take part in a run. The rules of the others are not read. */
@Injectable()
export class SelectedCategories {
  constructor(
    private readonly categories: CategoriesService,
    private readonly threads: Threads,
    private readonly settings: Settings,
  ) {}

  async of(ctx: Tenant, projectId: string | null, configuration: RunConfiguration | null, signal: AbortSignal): Promise<RunCategory[]> {
    const applicable = await this.categories.applicable(ctx, projectId);
    const ids = new Set(await this.selected(configuration, applicable, signal));
    const selected = applicable.filter(({ id }) => ids.has(id));
    const bytes = selected.reduce((sum, { mappingBytes }) => sum + mappingBytes, 0);
    requireWithin(this.settings.reportLimits.rulesBytes, bytes, 'rules_too_large', 'Bytes of rules', 'Select fewer categories.');
    const mappings = await this.categories.mappings(ctx, [...ids]);
    return selected.map((category) => ({
      ...pick(category, ['id', 'projectId', 'code', 'name', 'status']),
      sourceMapping: mappings.get(category.id)!,
    }));
  }

  private async selected(
    configuration: RunConfiguration | null,
    applicable: readonly CategoryOutline[],
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const categories = applicable.map((category) => pick(category, ['id', 'code', 'status']));
    const input = { categoryFilter: configuration?.categoryFilter ?? {}, categories };
    const advice = 'Use fewer patterns in categoryFilter.';
    const selection = this.threads.compute<typeof selectCategories>(SELECT_CATEGORIES, { input, items: NOTHING, signal, advice });
    return (await selection.next()).value;
  }
}
