export { ProjectsModule } from './projects.module.js';
export { ProjectsService } from './projects.service.js';
export { ClaimProjectCreated, ClaimProjectUpdated } from './projects.events.js';
