import { packageJson } from '../../../kernel/package-folder.js';
import type { Category } from '../category.entity.js';
import { Param } from '@nestjs/common';
import { ConsoleDoor, forPart } from '../../../api/console/console-door.js';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { formOf, type PageContext, PageCtx, pathOf, type Answer, goTo, page } from '../../../api/console/page.js';
import { type Choice, ConsoleForm, SelectField } from '../../../api/console/parts/fields.js';
import { allOr, Table } from '../../../api/console/parts/list.js';
import { say, told } from '../../../api/console/say.js';
import { notFound, Problem } from '../../../kernel/problems.js';
import { ProjectsService } from '../../projects/index.js';
import { ExpenseCategoryDto } from '../categories.dto.js';

export type TemplateCategory = Readonly<Pick<Category, 'code' | 'name' | 'sourceMapping'>>;

interface Template<Category> {
  /** In the address of its page. */
  readonly id: string;
  readonly name: string;
  readonly about: string;
  readonly categories: readonly Category[];
}
export type CategoryTemplate = Template<TemplateCategory>;

/** A category of lines that mention one of the words, which commas separate, whatever their case. */
interface WrittenCategory extends Pick<Category, 'code' | 'name'> {
  readonly words: string;
  readonly claimablePercent?: number;
}

const FIELDS = ['description', 'counterparty'];

const mentioning = ({ code, name, words, claimablePercent = 100 }: WrittenCategory): TemplateCategory => ({
  code,
  name,
  sourceMapping: {
    rules: [{ claimablePercent, any: words.split(', ').flatMap((value) => FIELDS.map((field) => ({ field, op: 'contains', value }))) }],
  },
});

const WRITTEN = packageJson<Template<WrittenCategory>[]>('templates/categories.json');

/** Words that many statements have. They are a start: people look at what a report leaves over, and add their own. */
export const TEMPLATES: readonly CategoryTemplate[] = WRITTEN.map(({ categories, ...template }) => ({
  ...template,
  categories: categories.map(mentioning),
}));

const TemplateList = ({ ctx }: { ctx: PageContext }) => (
  <>
    <p>{say('console.categories.templates.about')}</p>
    <Table
      caption={told('Templates')}
      rows={TEMPLATES}
      empty=""
      columns={[
        [say('console.categories.templates.one'), ({ id, name }) => <a href={pathOf(ctx, 'categories', 'templates', id)}>{told(name)}</a>],
        [say('console.categories.templates.has'), ({ about }) => told(about)],
        [told('Categories'), ({ categories }) => categories.length, 'number'],
      ]}
    />
  </>
);

function wordsOf(mapping: CategoryTemplate['categories'][number]['sourceMapping']): string {
  const [rule] = mapping.rules as { any: { value: string }[] }[];
  return [...new Set(rule!.any.map(({ value }) => value))].join(', ');
}

function TemplateView({ ctx, template, projects }: { ctx: PageContext; template: CategoryTemplate; projects: readonly Choice[] }) {
  const project = { state: formOf(), name: 'projectId', label: told('Project'), hint: say('console.categories.templates.hint') };
  return (
    <>
      <p>{told(template.about)}</p>
      <Table
        caption={say('console.categories.templates.categories')}
        rows={template.categories}
        empty=""
        columns={[
          [told('Code'), ({ code }) => code],
          [told('Name'), ({ name }) => told(name)],
          [say('console.categories.templates.mention'), ({ sourceMapping }) => wordsOf(sourceMapping)],
        ]}
      />
      <ConsoleForm ctx={ctx} submit={say('console.categories.templates.add')} cancel={pathOf(ctx, 'categories', 'templates')}>
        <SelectField {...project} choices={allOr(projects)} />
      </ConsoleForm>
    </>
  );
}

@ConsoleSection({ path: 'categories/templates', label: 'Templates', shows: 'names' })
export class TemplatesConsole {
  constructor(
    private readonly projects: ProjectsService,
    private readonly door: ConsoleDoor,
  ) {}

  @Page({ route: 'GET /', operation: 'expense_categories.create' })
  list(@PageCtx() ctx: PageContext): Answer {
    return page(say('console.categories.templates.title'), <TemplateList ctx={ctx} />);
  }

  @Page({ route: 'GET /:template', operation: 'expense_categories.create' })
  async show(@PageCtx() ctx: PageContext, @Param('template') id: string): Promise<Answer> {
    const template = templateCalled(id);
    return page(told(template.name), <TemplateView ctx={ctx} template={template} projects={await this.projects.choices(ctx)} />);
  }

  @Action({ route: 'POST /:template', operation: 'expense_categories.create' })
  async apply(@PageCtx() ctx: PageContext, @Param('template') id: string): Promise<Answer> {
    const made: string[] = [];
    const skipped: string[] = [];
    for (const category of templateCalled(id).categories) {
      const isNew = await this.create(ctx, category);
      (isNew ? made : skipped).push(category.code);
    }
    const codes = (of: readonly string[]): string => of.join(', ') || 'none';
    const said = say('console.categories.templates.done', { made: codes(made), skipped: codes(skipped) });
    return goTo(pathOf(ctx, 'categories'), said.trim());
  }

  /** False if there is a category with its code. Each is a call of its own, so each has a key of its own. */
  private async create(ctx: PageContext, category: TemplateCategory): Promise<boolean> {
    const own = forPart(ctx, category.code);
    const body = { ...category, name: told(category.name), projectId: ctx.form.given('projectId') ?? null };
    try {
      await this.door.call<ExpenseCategoryDto>(own, { body });
      return true;
    } catch (error) {
      if (error instanceof Problem && error.code === 'already_exists') return false;
      throw error;
    }
  }
}

const templateCalled = (id: string): CategoryTemplate =>
  TEMPLATES.find((template) => template.id === id) ?? notFound('There is no template with this name.');
