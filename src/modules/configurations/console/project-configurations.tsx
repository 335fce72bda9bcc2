import { Injectable } from '@nestjs/common';
import { pathOf, type PageContext } from '../../../api/console/page-context.js';
import { Part } from '../../../api/console/parts/facts.js';
import { Table } from '../../../api/console/parts/list.js';
import { type Panel, RecordPanel } from '../../../api/console/record-panel.js';
import { period, say, told } from '../../../api/console/say.js';
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
    const label = say('console.records.new', { kind: 'configurations', one: 'configuration' });
    if (rows.length === 0) return { next: { step: 3, about: say('console.configurations.next'), label, to: create } };
    const body = (
      <Part title={told('Configurations')} action={ctx.can('report_configurations.create') ? [create, label] : undefined}>
        <Table
          caption={say('console.configurations.ofProject')}
          rows={rows}
          empty={null}
          columns={[
            [told('Name'), ({ id: configuration, name }) => <a href={pathOf(ctx, 'configurations', configuration)}>{name}</a>],
            [told('Period'), ({ periodStart, periodEnd }) => period(periodStart, periodEnd)],
          ]}
        />
      </Part>
    );
    return { body };
  }
}
