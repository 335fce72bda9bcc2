import { Injectable } from '@nestjs/common';
import { ConsoleDoor } from '../../../api/console/console-door.js';
import { ConsoleSection } from '../../../api/console/declarations.js';
import { type PageContext, pathOf } from '../../../api/console/page.js';
import { LinkButton, PlainLink } from '../../../api/console/parts/facts.js';
import { RecordPages } from '../../../api/console/record-pages.js';
import { period, say } from '../../../api/console/say.js';
import { RecordSearch, SearchSource } from '../../../api/console/ports.js';
import { Implements } from '../../../store/discovery/ports.js';
import { type Project, PROJECT_FIELDS } from '../project.entity.js';
import { ProjectsService } from '../projects.service.js';

@Implements(SearchSource)
@Injectable()
export class ProjectSearch extends RecordSearch<Project>({
  label: 'Projects',
  order: 10,
  path: 'projects',
  operations: 'claim_projects',
  titleOf: ({ name }) => name,
  aboutOf: ({ periodStart, periodEnd }) => period(periodStart, periodEnd),
}) {
  constructor(projects: ProjectsService) {
    super(projects);
  }
}

@ConsoleSection({ path: 'projects', label: 'Projects', adds: 'New project', group: 'Claims', order: 1, operation: 'claim_projects.list' })
export class ProjectsConsole extends RecordPages({
  path: 'projects',
  operations: 'claim_projects',
  id: 'project_id',
  fields: PROJECT_FIELDS,
  one: 'project',
  all: 'Claim projects',
  about: 'A project is a claim for one client and one period.',
  search: 'Name or client reference',
  atFirst: { status: 'active' },
}) {
  constructor(projects: ProjectsService, door: ConsoleDoor) {
    super(projects, door);
  }

  protected override firstButtons(ctx: PageContext, { id }: Project) {
    return ctx.can('claim_reports.create') ? (
      <LinkButton to={`${pathOf(ctx, 'reports', 'new')}?projectId=${id}`}>{say('console.projects.newReport')}</LinkButton>
    ) : null;
  }

  protected override lastButtons(ctx: PageContext, { id }: Project) {
    return ctx.can('claim_projects.create') ? (
      <PlainLink to={pathOf(ctx, 'projects', id, 'next')} label={say('console.projects.duplicate')} />
    ) : null;
  }
}
