import { Injectable } from '@nestjs/common';
import type { PageContext } from '../../../api/console/page.js';
import { isUuid } from '../../../kernel/ids.js';
import { Problem } from '../../../kernel/problems.js';
import { ConfigurationsService } from '../../configurations/index.js';
import { ProjectsService } from '../../projects/index.js';
import { requireSameProject } from '../reports.service.js';
import type { ClaimReportPeriodDto } from '../result.dto.js';

/** The body of the operation that queues a run. */
export interface ChosenRun {
  readonly projectId: string | null;
  readonly reportConfigurationId: string | null;
}

export interface RunAhead {
  readonly chosen: ChosenRun;
  readonly projectId: string | null;
  readonly project: string | undefined;
  readonly configuration: string | undefined;
  /** null for that of the statements. */
  readonly period: ClaimReportPeriodDto | null;
}

/** What a run would be made of, as far as it is known before it starts. */
@Injectable()
export class RunChoice {
  constructor(
    private readonly projects: ProjectsService,
    private readonly configurations: ConfigurationsService,
  ) {}

  async read(ctx: PageContext, chosen: ChosenRun): Promise<RunAhead> {
    requireIds(chosen);
    const configuration = chosen.reportConfigurationId === null ? null : await this.configurations.get(ctx, chosen.reportConfigurationId);
    requireSameProject(chosen.projectId, configuration);
    const projectId = chosen.projectId ?? configuration?.projectId ?? null;
    const project = projectId === null ? null : await this.projects.get(ctx, projectId);
    const asked = configuration ?? project;
    const period = asked && { start: asked.periodStart, end: asked.periodEnd };
    return { chosen, projectId, project: project?.name, configuration: configuration?.name, period };
  }
}

function requireIds(chosen: ChosenRun): void {
  for (const [field, id] of Object.entries(chosen) as [string, string | null][])
    if (id !== null && !isUuid(id)) throw Problem.invalidField(field, 'invalid_uuid', 'must be a UUID');
}
