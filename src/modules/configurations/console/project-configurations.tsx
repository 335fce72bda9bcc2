import { Injectable } from '@nestjs/common';
import { forPart, ConsoleDoor } from '../../../api/console/console-door.js';
import { pathOf, type PageContext } from '../../../api/console/page.js';
import { Part } from '../../../api/console/parts/facts.js';
import { Table } from '../../../api/console/parts/list.js';
import { type Panel, RecordPanel } from '../../../api/console/ports.js';
import { period, say, told } from '../../../api/console/say.js';
import { Implements } from '../../../store/discovery/ports.js';
import { copyEach, MAX_PARTS, ProjectParts, requireFewParts, type CopiedParts, type NextProject } from '../../projects/index.js';
import { type Configuration, CONFIGURATION_FIELDS } from '../configuration.entity.js';
import type { ReportConfigurationDto } from '../configurations.dto.js';
import { ConfigurationsService } from '../configurations.service.js';

const SHOWN = 20;

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

@Implements(ProjectParts)
@Injectable()
export class ConfigurationCopies implements ProjectParts {
  readonly order = 20;
  readonly title = 'Configurations';

  constructor(
    private readonly configurations: ConfigurationsService,
    private readonly door: ConsoleDoor,
  ) {}

  async names(ctx: PageContext, projectId: string): Promise<readonly string[]> {
    return (await this.findCopied(ctx, projectId)).map(({ name }) => name);
  }

  /** Names need not be unique: one that the next project has already is taken for the copy. */
  async copy(ctx: PageContext, next: NextProject): Promise<CopiedParts> {
    const [rows, there] = [await this.findCopied(ctx, next.from.id), new Set(await this.names(ctx, next.id))];
    return copyEach(
      rows.map((row) => {
        const name = next.renamed(row.name);
        return { name, isThere: there.has(name), make: () => this.make(ctx, next, row) };
      }),
    );
  }

  private async findCopied(ctx: PageContext, projectId: string): Promise<readonly Configuration[]> {
    const { rows } = await this.configurations.list(ctx, { page: 1, page_size: MAX_PARTS + 1, project_id: projectId });
    const used = requireFewParts(rows, 'configurations').filter(({ status }) => status !== 'archived');
    return used.toReversed();
  }

  private make(ctx: PageContext, next: NextProject, row: Configuration) {
    const { id, name, periodStart, periodEnd, accountingProvider, categoryFilter, outputOptions, status } = row;
    const { start, end } = next.moved({ start: periodStart, end: periodEnd });
    const settings = { accountingProvider, categoryFilter, outputOptions, status, ...CONFIGURATION_FIELDS.shown(row) };
    const body = { projectId: next.id, name: next.renamed(name), periodStart: start, periodEnd: end, ...settings };
    return this.door.call<ReportConfigurationDto>(forPart(ctx, id), { operation: 'report_configurations.create', body });
  }
}
