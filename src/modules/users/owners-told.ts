import { Injectable } from '@nestjs/common';
import type { ChangeContext } from '../../kernel/context.js';
import type { InTransaction } from '../../store/database/unit-of-work.js';
import { Implements } from '../../store/discovery/ports.js';
import { NoticeRecipients } from '../organization/index.js';
import { UsersRepository } from './users.repository.js';

/** Of a large organization only some owners are told: a notice to all would be a flood. */
const MAX_OWNERS_TOLD = 20;

/** The owners who have access. */
@Implements(NoticeRecipients)
@Injectable()
export class OwnersTold implements NoticeRecipients {
  constructor(private readonly users: UsersRepository) {}

  async addressesOf({ organizationId, unit }: InTransaction<ChangeContext>): Promise<readonly string[]> {
    return (await this.users.owners(organizationId, MAX_OWNERS_TOLD, unit)).map(({ email }) => email);
  }
}
