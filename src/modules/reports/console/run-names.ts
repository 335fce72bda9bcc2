import { Injectable } from '@nestjs/common';
import type { Choice } from '../../../api/console/parts/fields.js';
import type { ReadContext } from '../../../store/database/unit-of-work.js';
import { ConfigurationsService } from '../../configurations/index.js';
import { ProjectsService } from '../../projects/index.js';
import type { ClaimReport } from '../report.entity.js';

/** What the records that runs belong to are called, by id. */
export interface NamesOfRuns {
  readonly projects: ReadonlyMap<string, string>;
  readonly configurations: ReadonlyMap<string, string>;
}

export interface ChoicesOfRuns {
  readonly projects: readonly Choice[];
  readonly configurations: readonly Choice[];
}

@Injectable()
export class RunNames {
  constructor(
    private readonly projects: ProjectsService,
    private readonly configurations: ConfigurationsService,
  ) {}

  async read(ctx: ReadContext, runs: readonly ClaimReport[]): Promise<NamesOfRuns> {
    const [projects, configurations] = await Promise.all([
      this.projects.names(
        ctx,
        runs.map(({ projectId }) => projectId),
      ),
      this.configurations.names(
        ctx,
        runs.map(({ reportConfigurationId }) => reportConfigurationId),
      ),
    ]);
    return { projects, configurations };
  }

  async choices(ctx: ReadContext): Promise<ChoicesOfRuns> {
    const [projects, configurations] = await Promise.all([this.projects.choices(ctx), this.configurations.choices(ctx)]);
    return { projects, configurations };
  }
}
