import { formOf } from '../../../api/console/form.js';
import { pathOf, type PageContext } from '../../../api/console/page-context.js';
import { ConsoleForm, SelectField, type Choice } from '../../../api/console/parts/fields.js';
import { Table } from '../../../api/console/parts/list.js';
import type { CategoryTemplate } from '../templates/template.js';
import { TEMPLATES } from '../templates/templates.js';

export const TemplateList = ({ ctx }: { ctx: PageContext }) => (
  <>
    <p>Ready sets of categories. Their rules are a start: a report shows which lines they leave over.</p>
    <Table
      caption="Templates"
      rows={TEMPLATES}
      empty=""
      columns={[
        ['Template', ({ id, name }) => <a href={pathOf(ctx, 'categories', 'templates', id)}>{name}</a>],
        ['About', ({ about }) => about],
        ['Categories', ({ categories }) => categories.length, 'number'],
      ]}
    />
  </>
);

/** The words that a category of a template looks for. */
function wordsOf(mapping: CategoryTemplate['categories'][number]['sourceMapping']): string {
  const [rule] = mapping.rules as { any: { value: string }[] }[];
  return [...new Set(rule!.any.map(({ value }) => value))].join(', ');
}

interface TemplateProps {
  readonly ctx: PageContext;
  readonly template: CategoryTemplate;
  readonly projects: readonly Choice[];
}

export const TemplateView = ({ ctx, template, projects }: TemplateProps) => (
  <>
    <p>{template.about}</p>
    <Table
      caption="Categories of the template"
      rows={template.categories}
      empty=""
      columns={[
        ['Code', ({ code }) => code],
        ['Name', ({ name }) => name],
        ['Lines that mention', ({ sourceMapping }) => wordsOf(sourceMapping)],
      ]}
    />
    <ConsoleForm ctx={ctx} submit="Add these categories" cancel={pathOf(ctx, 'categories', 'templates')}>
      <SelectField
        state={formOf()}
        name="projectId"
        label="Project"
        hint="Categories whose code exists already stay as they are."
        choices={[['', 'All'], ...projects]}
      />
    </ConsoleForm>
  </>
);
