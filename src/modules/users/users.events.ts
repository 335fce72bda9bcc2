import { declareEvent } from '../../kernel/declare-event.js';
import { UserDto } from './user.dto.js';

export const UserInvited = declareEvent({
  kind: 'user.invited',
  status: 'emitted',
  summary: 'A user was invited to the organization. Sent in both environments.',
  data: UserDto,
  // Members of an organization see no addresses of others.
  read: { scope: 'organization:read', role: 'admin' },
});
