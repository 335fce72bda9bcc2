export { ProjectsModule } from './projects.module.js';
export { ProjectsService } from './projects.service.js';
export { chosenProjects, ProjectChoice, projectIdsFrom, projectsShown, projectValues } from './console/project-choice.js';
export { RelatedRecords, type SomeRecord } from './related-records.js';
export { PeriodGuard } from './period-guard.js';
export { ClaimProjectDto, CreateClaimProjectDto, UpdateClaimProjectDto } from './projects.dto.js';
export { ClaimProjectCreated, ClaimProjectUpdated } from './projects.events.js';
export { copyEach, MAX_PARTS, ProjectParts, requireFewParts, type CopiedParts, type NextProject } from './console/next-period.js';
