import { Injectable } from '@nestjs/common';
import type { Choice } from '../../../api/console/parts/fields.js';
import type { ReadContext } from '../../../store/database/unit-of-work.js';
import { ConfigurationsService } from '../../configurations/index.js';
import { ProjectsService } from '../../projects/index.js';
import { StatementsService } from '../../statements/index.js';
import type { ClaimReport } from '../report.entity.js';

/** Pages show so many statements of a run. */
export const MAX_STATEMENTS = 500;

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
    private readonly statements: StatementsService,
  ) {}

  async read(ctx: ReadContext, runs: readonly ClaimReport[]): Promise<NamesOfRuns> {
    const projectIds = runs.map(({ projectId }) => projectId);
    const configurationIds = runs.map(({ reportConfigurationId }) => reportConfigurationId);
    const names = await Promise.all([this.projects.names(ctx, projectIds), this.configurations.names(ctx, configurationIds)]);
    return { projects: names[0], configurations: names[1] };
  }

  async readFiles(ctx: ReadContext, { result }: ClaimReport): Promise<ReadonlyMap<string, string>> {
    const ids = (result?.statements ?? []).slice(0, MAX_STATEMENTS).map(({ id }) => id);
    return new Map((await this.statements.ofIds(ctx, ids)).map(({ id, fileName }) => [id, fileName]));
  }

  async choices(ctx: ReadContext): Promise<ChoicesOfRuns> {
    const [projects, configurations] = await Promise.all([this.projects.choices(ctx), this.configurations.choices(ctx)]);
    return { projects, configurations };
  }
}
