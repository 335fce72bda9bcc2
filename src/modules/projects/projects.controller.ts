import { Body, Controller, Param, Query } from '@nestjs/common';
import { Ctx } from '../../api/call/ctx.decorator.js';
import type { ReadContext, WriteContext } from '../../store/database/unit-of-work.js';
import { UNCHANGED } from '../../api/operation/operation.js';
import { Capability, Operation } from '../../api/operation/operation.decorator.js';
import { pageOf, toPage, type Page } from '../../api/dto/page.js';
import { ClaimProjectDto, CreateClaimProjectDto, ListClaimProjectsQuery, UpdateClaimProjectDto } from './projects.dto.js';
import { ClaimProjectCreated, ClaimProjectUpdated } from './projects.events.js';
import { ProjectsService } from './projects.service.js';

@Capability({
  about:
    'A claim project is a claim for one client and one period. ' +
    'Expense categories, report configurations and bank statements can belong to it.',
  guide: 'docs/claim-reports.md',
})
@Controller('v1/claim-projects')
export class ProjectsController {
  constructor(private readonly projects: ProjectsService) {}

  @Operation({
    id: 'claim_projects.list',
    route: 'GET /',
    scope: 'claim_projects:read',
    tool: {
      name: 'list_claim_projects',
      risk: 'read_only',
      says: 'To find a project and its `id`, which most tools take. Newest first.',
      without: ['client_reference'],
    },
    summary: 'List claim projects',
    description: 'Newest first. `search` finds a substring of the name or client reference.',
    returns: pageOf(ClaimProjectDto),
  })
  async list(@Ctx() ctx: ReadContext, @Query() query: ListClaimProjectsQuery): Promise<Page<ClaimProjectDto>> {
    return toPage(query, await this.projects.list(ctx, query), ClaimProjectDto.from);
  }

  @Operation({
    id: 'claim_projects.create',
    route: 'POST /',
    scope: 'claim_projects:write',
    concerns: 'organization',
    tool: {
      name: 'create_claim_project',
      risk: 'write',
      says:
        'First check list_claim_projects for an existing one. Next: create_expense_category, create_report_configuration. ' +
        'There can be one project with the same name and client reference.',
    },
    summary: 'Create a claim project',
    description: 'There can be one project with the same name and client reference; the case of the name does not matter.',
    isBatched: true,
    returns: ClaimProjectDto,
    emits: [ClaimProjectCreated],
    problems: ['already_exists'],
  })
  async create(@Ctx() ctx: WriteContext, @Body() input: CreateClaimProjectDto): Promise<ClaimProjectDto> {
    return ClaimProjectDto.from(await this.projects.create(ctx, input));
  }

  @Operation({
    id: 'claim_projects.get',
    route: 'GET /:project_id',
    scope: 'claim_projects:read',
    tool: { name: 'get_claim_project', risk: 'read_only', says: 'Takes an id from list_claim_projects, archived or not.', isLarge: true },
    summary: 'Get a claim project',
    description: 'Archived projects can be read, too.',
    returns: ClaimProjectDto,
  })
  async get(@Ctx() ctx: ReadContext, @Param('project_id') id: string): Promise<ClaimProjectDto> {
    return ClaimProjectDto.from(await this.projects.get(ctx, id));
  }

  @Operation({
    id: 'claim_projects.update',
    route: 'PATCH /:project_id',
    scope: 'claim_projects:write',
    tool: { name: 'update_claim_project', risk: 'write', says: 'Set `status` to archive it. Fields left out keep their value.' },
    summary: 'Update a claim project',
    description:
      'Fields left out keep their value; `metadata` is replaced as a whole. As `application/merge-patch+json`, its keys are changed ' +
      `one by one, and \`null\` removes one (an addition). The period stays while a claim of the project is final. ${UNCHANGED}`,
    returns: ClaimProjectDto,
    emits: [ClaimProjectUpdated],
    problems: ['already_exists', 'claim_final'],
  })
  async update(@Ctx() ctx: WriteContext, @Param('project_id') id: string, @Body() input: UpdateClaimProjectDto): Promise<ClaimProjectDto> {
    return ClaimProjectDto.from(await this.projects.update(ctx, id, input));
  }
}
