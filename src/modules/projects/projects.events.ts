import { declareEvent, type EventDeclaration } from '../../kernel/declare-event.js';
import { ClaimProjectDto } from './projects.dto.js';

export const ClaimProjectCreated: EventDeclaration = declareEvent({
  kind: 'claim_project.created',
  status: 'emitted',
  summary: 'A claim project was created.',
  data: ClaimProjectDto,
  collection: '/v1/claim-projects',
});
export const ClaimProjectUpdated: EventDeclaration = declareEvent({
  kind: 'claim_project.updated',
  status: 'emitted',
  summary: 'A claim project was changed.',
  data: ClaimProjectDto,
  collection: '/v1/claim-projects',
});
