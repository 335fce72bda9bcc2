import { declareEvent, type EventDeclaration } from '../../kernel/declare-event.js';
import { OrganizationDto } from './organization.dto.js';

export const OrganizationUpdated: EventDeclaration = declareEvent({
  kind: 'organization.updated',
  status: 'emitted',
  summary: 'The organization was changed. Sent in both environments.',
  data: OrganizationDto,
});
