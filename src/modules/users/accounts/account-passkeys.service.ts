import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../kernel/context.js';
import { Problem } from '../../../kernel/problems.js';
import { codePoints, isStorableText } from '../../../kernel/text.js';
import { Passkeys } from '../sign-in/passkeys.js';
import { hashOfRecoveryCode, makeRecoveryCodes } from '../sign-in/passwords.js';
import { NO_SECOND_FACTOR, type User } from '../user.entity.js';
import { UsersRepository } from '../users.repository.js';
import { CredentialChanges } from './accounts.service.js';

export const PASSKEY_NAME_MAX = 100;
/** They are read with each page. */
const PASSKEYS_MAX = 10;

type NewPasskey = Readonly<Record<'sealed' | 'answer' | 'name', string>>;

/** The passkeys of an account: those of one person, in whichever organizations they are. */
@Injectable()
export class AccountPasskeys {
  constructor(
    private readonly users: UsersRepository,
    private readonly passkeys: Passkeys,
    private readonly changes: CredentialChanges,
  ) {}

  /** To somebody who has proved once more who they are. Nothing is stored before the device has answered. */
  async propose(id: string, sessionId: string) {
    return this.passkeys.propose(await this.users.existing(id), sessionId);
  }

  /** Returns recovery codes if there were none. They are shown once. */
  async add(actor: Actor, id: string, sessionId: string, { sealed, answer, name: typed }: NewPasskey): Promise<string[]> {
    const name = typed.trim();
    if (name === '' || codePoints(name) > PASSKEY_NAME_MAX || !isStorableText(name))
      throw Problem.invalidField('name', 'too_long', `must have 1 to ${PASSKEY_NAME_MAX} characters`);
    const found = await this.users.existing(id);
    const passkey = await this.passkeys.confirm(found, sessionId, sealed, answer);
    const codes = found.recoveryCodes.length > 0 ? [] : makeRecoveryCodes();
    const add = ({ accountId, passkeys, recoveryCodes, updatedAt }: User) => {
      if (!passkey || updatedAt !== found.updatedAt)
        throw Problem.invalidField('passkey', 'not_allowed', 'was not made as proposed, or too late: begin again');
      if (passkeys.length >= PASSKEYS_MAX)
        throw Problem.invalidField('passkey', 'too_many', `is one too many: there are ${PASSKEYS_MAX} already`);
      const added = codes.map((code) => hashOfRecoveryCode(accountId, code));
      return { passkeys: [...passkeys, { ...passkey, name }], recoveryCodes: [...recoveryCodes, ...added] };
    };
    await this.changes.change(actor, id, 'user.passkey_added', add, { keptSession: sessionId });
    return codes;
  }

  async remove(actor: Actor, id: string, keptSession: string, passkeyId: string): Promise<void> {
    const remove = ({ passkeys, totpSecret }: User) => {
      const left = passkeys.filter((passkey) => passkey.id !== passkeyId);
      if (left.length === passkeys.length) return undefined;
      return left.length === 0 && totpSecret === null ? NO_SECOND_FACTOR : { passkeys: left };
    };
    await this.changes.change(actor, id, 'user.passkey_removed', remove, { keptSession });
  }
}
