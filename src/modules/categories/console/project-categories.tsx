import { Injectable } from '@nestjs/common';
import { pathOf, type PageContext } from '../../../api/console/page-context.js';
import { Part } from '../../../api/console/parts/facts.js';
import { Table } from '../../../api/console/parts/list.js';
import { type Panel, RecordPanel } from '../../../api/console/record-panel.js';
import { count } from '../../../api/console/say.js';
import { Implements } from '../../../store/discovery/ports.js';
import { CategoriesService } from '../categories.service.js';

const SHOWN = 20;

/** The categories that apply to a project: its own, and those of all. */
@Implements(RecordPanel)
@Injectable()
export class ProjectCategories implements RecordPanel {
  readonly of = 'projects';
  readonly order = 30;

  constructor(private readonly categories: CategoriesService) {}

  async show(ctx: PageContext, id: string): Promise<Panel> {
    const all = (await this.categories.applicable(ctx, id)).filter(({ status }) => status === 'active');
    const create = `${pathOf(ctx, 'categories', 'new')}?projectId=${id}`;
    if (all.length === 0)
      return {
        next: {
          step: 2,
          about: 'Categories say what can be claimed.',
          label: 'Use a template',
          to: pathOf(ctx, 'categories', 'templates'),
        },
      };
    const body = (
      <Part title="Categories" action={ctx.can('expense_categories.create') ? [create, 'New category'] : undefined}>
        <Table
          caption="Categories of the project"
          rows={all.slice(0, SHOWN)}
          empty={null}
          columns={[
            ['Name', ({ id: category, name }) => <a href={pathOf(ctx, 'categories', category)}>{name}</a>],
            ['Code', ({ code }) => code],
            ['Applies to', ({ projectId }) => (projectId === null ? 'All projects' : 'This project')],
          ]}
        />
        {all.length > SHOWN ? <a href={`${pathOf(ctx, 'categories')}?project=${id}`}>All {count(all.length)} categories</a> : null}
      </Part>
    );
    return { body };
  }
}
