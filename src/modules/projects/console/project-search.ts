import { Injectable } from '@nestjs/common';
import { RecordSearch, SearchSource } from '../../../api/console/search-source.js';
import { Implements } from '../../../store/discovery/ports.js';
import { period } from '../../../api/console/say.js';
import type { Project } from '../project.entity.js';
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
