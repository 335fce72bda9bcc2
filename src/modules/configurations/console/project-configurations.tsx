import { Injectable } from '@nestjs/common';
import { pathOf, type PageContext } from '../../../api/console/page-context.js';
import { Part } from '../../../api/console/parts/facts.js';
import { Table } from '../../../api/console/parts/list.js';
import { type Panel, RecordPanel } from '../../../api/console/record-panel.js';
import { period } from '../../../api/console/say.js';
import { Implements } from '../../../store/discovery/ports.js';
import { ConfigurationsService } from '../configurations.service.js';

const SHOWN = 20;

/** How the reports of a project are made. */
@Implements(RecordPanel)
@Injectable()
export class ProjectConfigurations implements RecordPanel {
  readonly of = 'projects';
  readonly order = 40;

  constructor(private readonly configurations: ConfigurationsService) {}

  async show(ctx: PageContext, id: string): Promise<Panel> {
    const { rows } = await this.configurations.list(ctx, { page: 1, page_size: SHOWN, project_id: id });
    const create = `${pathOf(ctx, 'configurations', 'new')}?projectId=${id}`;
    if (rows.length === 0)
      return { next: { step: 3, about: 'A configuration says which files a report makes.', label: 'New configuration', to: create } };
    const body = (
      <Part title="Configurations" action={ctx.can('report_configurations.create') ? [create, 'New configuration'] : undefined}>
        <Table
          caption="Configurations of the project"
          rows={rows}
          empty={null}
          columns={[
            ['Name', ({ id: configuration, name }) => <a href={pathOf(ctx, 'configurations', configuration)}>{name}</a>],
            ['Period', ({ periodStart, periodEnd }) => period(periodStart, periodEnd)],
          ]}
        />
      </Part>
    );
    return { body };
  }
}
