import { declareEvent, type EventDeclaration } from '../../kernel/declare-event.js';
import { ClaimProjectDto } from './projects.dto.js';

const OF_ALL = { status: 'emitted', data: ClaimProjectDto, collection: '/v1/claim-projects' } as const;

export const ClaimProjectCreated: EventDeclaration = declareEvent({
  kind: 'claim_project.created',
  summary: 'A claim project was created.',
  ...OF_ALL,
});
export const ClaimProjectUpdated: EventDeclaration = declareEvent({
  kind: 'claim_project.updated',
  summary: 'A claim project was changed.',
  ...OF_ALL,
});
