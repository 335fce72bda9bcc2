import { Injectable } from '@nestjs/common';
import type { PageContext } from '../../../../api/console/page.js';
import { ConsoleDoor } from '../../../../api/console/console-door.js';
import { Problem } from '../../../../kernel/problems.js';
import { ExpenseCategoryDto } from '../../../categories/index.js';
import { LineRules, type RuledCategory, type RuledLine, type WantedRule } from './line-rules.js';

/** What a rule may be previewed with before its category has a name. */
const UNNAMED = 'PREVIEW';
/** How often a rule is added anew to a category that others change meanwhile. */
const ATTEMPTS = 5;

@Injectable()
export class LineRuleWriter {
  constructor(
    private readonly lines: LineRules,
    private readonly door: ConsoleDoor,
  ) {}

  /** The category with the rule, if the operation would take it. */
  async checked(ctx: PageContext, ruled: RuledLine, wanted: WantedRule): Promise<RuledCategory> {
    const { projectId, code, name, sourceMapping } = await this.lines.with(ctx, ruled, wanted);
    const body = { projectId, code: code || UNNAMED, name: name || UNNAMED, sourceMapping };
    await this.door.checked(ctx, body);
    return body;
  }

  async create(ctx: PageContext, ruled: RuledLine, wanted: WantedRule): Promise<string> {
    const { projectId, code, name, sourceMapping } = await this.lines.with(ctx, ruled, wanted);
    const body = { projectId, code, name, sourceMapping };
    const { id } = await this.door.call<ExpenseCategoryDto>(ctx, { body });
    return id;
  }

  /** Adds the rule to the rules that the category has at this moment. Sent twice, it is added once. */
  async update(ctx: PageContext, ruled: RuledLine, wanted: WantedRule, id: string): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const { sourceMapping, updatedAt } = await this.lines.with(ctx, ruled, wanted);
      const check = (row: { readonly updatedAt: string }): void => {
        if (row.updatedAt !== updatedAt) throw new Problem('changed_meanwhile');
      };
      try {
        await this.door.call(ctx, { params: { category_id: id }, body: { sourceMapping }, expectation: { recordId: id, check } });
        return;
      } catch (error) {
        if (!(error instanceof Problem) || error.code !== 'changed_meanwhile' || attempt === ATTEMPTS) throw error;
      }
    }
  }
}
