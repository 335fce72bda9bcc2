import { Param } from '@nestjs/common';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { goTo, page, type Answer } from '../../../api/console/page.js';
import { PageCtx, pathOf, type PageContext } from '../../../api/console/page-context.js';
import { forPart, Performer } from '../../../api/console/performer.js';
import { Problem } from '../../../kernel/problems.js';
import { ProjectsService } from '../../projects/index.js';
import { ExpenseCategoryDto, type CreateExpenseCategoryDto } from '../categories.dto.js';
import { CategoriesService } from '../categories.service.js';
import type { CategoryTemplate, TemplateCategory } from '../templates/template.js';
import { TEMPLATES } from '../templates/templates.js';
import { TemplateList, TemplateView } from './templates.views.js';

@ConsoleSection({ path: 'categories/templates', label: 'Templates' })
export class TemplatesConsole {
  constructor(
    private readonly categories: CategoriesService,
    private readonly projects: ProjectsService,
    private readonly performer: Performer,
  ) {}

  @Page({ route: 'GET /', operation: 'expense_categories.create' })
  list(@PageCtx() ctx: PageContext): Answer {
    return page('Templates of categories', <TemplateList ctx={ctx} />);
  }

  @Page({ route: 'GET /:template', operation: 'expense_categories.create' })
  async show(@PageCtx() ctx: PageContext, @Param('template') id: string): Promise<Answer> {
    const template = templateCalled(id);
    return page(template.name, <TemplateView ctx={ctx} template={template} projects={await this.projects.choices(ctx)} />);
  }

  @Action({ route: 'POST /:template', operation: 'expense_categories.create' })
  async apply(@PageCtx() ctx: PageContext, @Param('template') id: string): Promise<Answer> {
    const made: string[] = [];
    const skipped: string[] = [];
    for (const category of templateCalled(id).categories) {
      const isNew = await this.create(ctx, category);
      (isNew ? made : skipped).push(category.code);
    }
    return goTo(pathOf(ctx, 'categories'), `${said('Created', made)} ${said('There already, and left as they are', skipped)}`.trim());
  }

  /** False if there is a category with its code. Each is a call of its own, so each has a key of its own. */
  private async create(ctx: PageContext, category: TemplateCategory): Promise<boolean> {
    const own = forPart(ctx, category.code);
    const body = { ...category, projectId: ctx.form.given('projectId') ?? null };
    try {
      await this.performer.perform<CreateExpenseCategoryDto, ExpenseCategoryDto>(own, { body }, async (inner, valid) =>
        ExpenseCategoryDto.from(await this.categories.create(inner, valid)),
      );
      return true;
    } catch (error) {
      if (error instanceof Problem && error.code === 'already_exists') return false;
      throw error;
    }
  }
}

function templateCalled(id: string): CategoryTemplate {
  const found = TEMPLATES.find((template) => template.id === id);
  if (!found) throw new Problem('not_found', { detail: 'There is no template with this name.' });
  return found;
}

const said = (what: string, codes: readonly string[]): string => (codes.length === 0 ? '' : `${what}: ${codes.join(', ')}.`);
