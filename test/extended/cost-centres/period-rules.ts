import { Injectable } from '@nestjs/common';
import {
  After,
  Before,
  CategoriesService,
  type ChangeParams,
  ChangeHook,
  ClaimProjectDto,
  CreateClaimProjectDto,
  declareProblem,
  ExpenseCategoryCreated,
  Implements,
  Problem,
  UpdateClaimProjectDto,
  type WriteContext,
} from '../../../src/extension-api.js';

const PERIOD_CLOSED = declareProblem('period_closed', {
  status: 409,
  title: 'The period is closed',
  retry: 'never',
  about: 'The books of the period are closed. Choose a later period.',
});

/** The books of 2024 are closed, and each new project has a category for travel. */
@Injectable()
@Implements(ChangeHook)
export class PeriodRules extends ChangeHook {
  constructor(private readonly categories: CategoriesService) {
    super();
  }

  @Before('claim_projects.create', { problems: [PERIOD_CLOSED] })
  check(_ctx: WriteContext, input: CreateClaimProjectDto): void {
    if (input.periodStart < '2025-01-01') throw new Problem(PERIOD_CLOSED);
    input.clientReference ??= 'none';
  }

  @After('claim_projects.create', { emits: [ExpenseCategoryCreated] })
  async addTravel(ctx: WriteContext, project: ClaimProjectDto): Promise<void> {
    await this.categories.create(ctx, { projectId: project.id, code: 'TRAVEL', name: `Travel: ${project.name}` });
  }

  @Before('claim_projects.update', { problems: [PERIOD_CLOSED] })
  checkChange(_ctx: WriteContext, input: UpdateClaimProjectDto, _params: ChangeParams): void {
    if (input.periodStart !== undefined && input.periodStart < '2025-01-01') throw new Problem(PERIOD_CLOSED);
  }
}
