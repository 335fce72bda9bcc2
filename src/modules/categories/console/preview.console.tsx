import { Param } from '@nestjs/common';
import { Action, ConsoleSection } from '../../../api/console/declarations.js';
import { type Answer, PageCtx, type PageContext } from '../../../api/console/page.js';
import { orAgain, ConsoleDoor } from '../../../api/console/console-door.js';
import { Ports } from '../../../store/discovery/ports.js';
import type { CreateExpenseCategoryDto } from '../categories.dto.js';
import { CategoriesService } from '../categories.service.js';
import { bodyIn, keptOf } from './categories.views.js';
import { CategoryPages } from './categories.console.js';
import { type RulePreview, RulePreviews, scopeIn } from './rule-previews.js';
import { rowsIn } from './rule-rows.js';

/** What rules may be previewed with before the category has a name. */
const UNNAMED = 'PREVIEW';

/** The form of a category, sent to see what its rules would claim. Nothing is stored. */
@ConsoleSection({ path: 'categories', label: 'Previews of rules', order: 9 })
export class PreviewConsole {
  constructor(
    private readonly categories: CategoriesService,
    private readonly door: ConsoleDoor,
    private readonly pages: CategoryPages,
    private readonly ports: Ports,
  ) {}

  @Action({ route: 'POST /new/preview', operation: 'expense_categories.create' })
  ofNew(@PageCtx() ctx: PageContext): Promise<Answer> {
    const show = async (): Promise<Answer> =>
      this.pages.new(ctx, keptOf(ctx), rowsIn(ctx.form), { preview: await this.preview(ctx, null) });
    return orAgain(ctx, show, (state) => this.pages.new(ctx, state, rowsIn(ctx.form)));
  }

  @Action({ route: 'POST /:category_id/edit/preview', operation: 'expense_categories.update' })
  async ofOne(@PageCtx() ctx: PageContext, @Param('category_id') id: string): Promise<Answer> {
    await this.categories.get(ctx, id);
    const show = async (): Promise<Answer> => this.pages.edit(ctx, keptOf(ctx), rowsIn(ctx.form), { preview: await this.preview(ctx, id) });
    return orAgain(ctx, show, (state) => this.pages.edit(ctx, state, rowsIn(ctx.form)));
  }

  private async preview(ctx: PageContext, id: string | null): Promise<RulePreview> {
    const body = { ...bodyIn(ctx), code: ctx.form.given('code') ?? UNNAMED, name: ctx.form.given('name') ?? UNNAMED };
    const { projectId = null, code, name, sourceMapping = {} } = await this.door.checked<CreateExpenseCategoryDto>(ctx, body);
    return this.ports.only(RulePreviews)!.preview(ctx, { id, projectId, code, name, sourceMapping }, scopeIn(ctx.form));
  }
}
