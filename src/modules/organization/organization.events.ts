import { declareEvent } from '../../kernel/declare-event.js';
import { OrganizationDto } from './organization.dto.js';

export const OrganizationUpdated = declareEvent({
  kind: 'organization.updated',
  status: 'emitted',
  summary: 'The operator changed the organization. Sent in both environments.',
  data: OrganizationDto,
});
