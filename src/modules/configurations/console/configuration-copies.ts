import { Injectable } from '@nestjs/common';
import type { PageContext } from '../../../api/console/page-context.js';
import { forPart, ConsoleDoor } from '../../../api/console/console-door.js';
import { Implements } from '../../../store/discovery/ports.js';
import { copyEach, MAX_PARTS, ProjectParts, requireFewParts, type CopiedParts, type NextProject } from '../../projects/index.js';
import { type Configuration, CONFIGURATION_FIELDS } from '../configuration.entity.js';
import type { ReportConfigurationDto } from '../configurations.dto.js';
import { ConfigurationsService } from '../configurations.service.js';

/** The configurations of a project that are not archived, in the order in which they were made. */
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
