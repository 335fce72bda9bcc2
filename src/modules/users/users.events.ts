import { declareEvent } from '../../kernel/declare-event.js';
import { UserDto } from './user.dto.js';

export const UserInvited = declareEvent({
  kind: 'user.invited',
  status: 'emitted',
  summary: 'A user was invited to the organization. Sent in both environments.',
  data: UserDto,
});
