import type { ChangeContext } from '../../../kernel/context.js';
import type { InTransaction } from '../../../store/database/unit-of-work.js';

/** A port: a kind of mail to the owners of an organization. Each organization can switch it off. */
export abstract class Notice {
  /** Is stored, and is in the audit log. */
  abstract readonly kind: string;
  /** What has happened when owners get it, for the settings. */
  abstract readonly when: string;
  /** The least time between two mails of this kind to an organization. Without it, each is sent. */
  readonly pauseMs?: number;
}

/** A port: who gets the notices of an organization. */
export abstract class NoticeRecipients {
  /** Their e-mail addresses, and not many. */
  abstract addressesOf(ctx: InTransaction<ChangeContext>): Promise<readonly string[]>;
}
