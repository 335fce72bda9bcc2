import { Injectable } from '@nestjs/common';
import type { FormState } from '../../../api/console/form.js';
import { page, type Answer } from '../../../api/console/page.js';
import { pathOf, type PageContext } from '../../../api/console/page-context.js';
import { say } from '../../../api/console/say.js';
import { ProjectsService } from '../../projects/index.js';
import { CategoryForm, PREVIEW_PATH } from './categories.views.js';
import { PreviewView } from './preview.views.js';
import type { RulePreview } from './rule-previews.js';
import { withBlanks, type RuleRow } from './rule-rows.js';

interface Shown {
  /** Empty rows after those with rules. */
  readonly blanks?: number;
  readonly preview?: RulePreview;
}

interface Said extends Shown {
  readonly isNew: boolean;
  readonly cancel: string;
  readonly action: string;
}

@Injectable()
export class CategoryPages {
  constructor(private readonly projects: ProjectsService) {}

  new(ctx: PageContext, state: FormState, rows: readonly RuleRow[], shown: Shown = {}): Promise<Answer> {
    const [cancel, action] = [pathOf(ctx, 'categories'), pathOf(ctx, 'categories', 'new')];
    return this.form(ctx, state, rows, { ...shown, isNew: true, cancel, action });
  }

  edit(ctx: PageContext, state: FormState, rows: readonly RuleRow[], shown: Shown = {}): Promise<Answer> {
    const action = ctx.path.replace(new RegExp(`${PREVIEW_PATH}$`), '');
    const cancel = action.replace(/\/edit$/, '');
    return this.form(ctx, state, rows, { ...shown, isNew: false, cancel, action });
  }

  private async form(ctx: PageContext, state: FormState, rows: readonly RuleRow[], said: Said): Promise<Answer> {
    const { isNew, cancel, action, blanks, preview } = said;
    const submit = isNew ? say('console.records.create', { kind: 'categories', one: 'category' }) : say('console.record.save');
    const projects = await this.projects.choices(ctx, state.values('projectId')[0]);
    const form = { ctx, state, rows: withBlanks(rows, blanks), projects, submit, cancel, action };
    return page(
      say(`console.records.${isNew ? 'new' : 'edit'}`, { kind: 'categories', one: 'category' }),
      <>
        <CategoryForm {...form} />
        {preview ? <PreviewView ctx={ctx} preview={preview} /> : null}
      </>,
      state.problem?.status,
    );
  }
}
