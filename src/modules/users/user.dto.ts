import { CustomFields } from '../../api/validation/custom-fields.js';
import { OneOf, Text, Timestamp, Uuid } from '../../api/validation/fields.js';
import { USER_ROLES, type UserRole } from '../../kernel/roles.js';
import { USER_STATUSES, User, type UserStatus } from './user.entity.js';

export class UserDto {
  @Uuid({ about: 'Id of the user.' }) id: string;
  @Text({ about: 'E-mail address as it was entered.', example: 'jane@accountants.example' }) email: string;
  @Text({ about: 'Name of the user.', example: 'Jane Example' }) name: string;
  @OneOf(USER_ROLES, { about: 'What the user may do in the organization.', example: 'member' }) role: UserRole;
  @OneOf(USER_STATUSES, { about: 'An invited user has not set a password yet. A removed user no longer has access.', example: 'invited' })
  status: UserStatus;
  @Timestamp({ about: 'When the user was created.' }) createdAt: string;
  @Timestamp({ about: 'When the user was last changed.' }) updatedAt: string;

  static from({ id, email, name, role, status, createdAt, updatedAt, customFields }: Pick<User, keyof UserDto | 'customFields'>): UserDto {
    return USER_FIELDS.answered({ id, email, name, role, status, createdAt, updatedAt }, { customFields });
  }
}

export const USER_FIELDS = new CustomFields({ table: 'users', entity: User, inputs: [], answers: [UserDto] });
