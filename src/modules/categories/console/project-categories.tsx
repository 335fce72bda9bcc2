import { Injectable } from '@nestjs/common';
import { pathOf, type PageContext } from '../../../api/console/page-context.js';
import { Part } from '../../../api/console/parts/facts.js';
import { Table } from '../../../api/console/parts/list.js';
import { type Panel, RecordPanel } from '../../../api/console/record-panel.js';
import { say, told } from '../../../api/console/say.js';
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
    const [list, create] = [`${pathOf(ctx, 'categories')}?project=${id}`, `${pathOf(ctx, 'categories', 'new')}?projectId=${id}`];
    const [to, label] = [pathOf(ctx, 'categories', 'templates'), say('console.categories.useTemplate')];
    if (all.length === 0) return { next: { step: 2, about: say('console.categories.next'), label, to } };
    const action = [create, say('console.records.new', { kind: 'categories', one: 'category' })] as const;
    const body = (
      <Part title={told('Categories')} action={ctx.can('expense_categories.create') ? action : undefined}>
        <Table
          caption={say('console.categories.ofProject')}
          rows={all.slice(0, SHOWN)}
          empty={null}
          columns={[
            [told('Name'), ({ id: category, name }) => <a href={pathOf(ctx, 'categories', category)}>{name}</a>],
            [told('Code'), ({ code }) => code],
            [
              say('console.categories.appliesTo'),
              ({ projectId }) => say(`console.categories.${projectId === null ? 'allProjects' : 'thisProject'}`),
            ],
          ]}
        />
        {all.length > SHOWN ? <a href={list}>{say('console.categories.allOf', { count: all.length })}</a> : null}
      </Part>
    );
    return { body };
  }
}
