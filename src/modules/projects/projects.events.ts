import { declareEvent } from '../../kernel/declare-event.js';
import { ClaimProjectDto } from './projects.dto.js';

export const ClaimProjectCreated = declareEvent({
  kind: 'claim_project.created',
  status: 'emitted',
  summary: 'A claim project was created.',
  data: ClaimProjectDto,
});
export const ClaimProjectUpdated = declareEvent({
  kind: 'claim_project.updated',
  status: 'emitted',
  summary: 'A claim project was changed.',
  data: ClaimProjectDto,
});
