import { declareEvent } from '../../kernel/declare-event.js';
import { UserDto } from './user.dto.js';

export const UserInvited = declareEvent({
  kind: 'user.invited',
  status: 'emitted',
  summary: 'Somebody was invited to the organization. Told in both environments.',
  data: UserDto,
});
