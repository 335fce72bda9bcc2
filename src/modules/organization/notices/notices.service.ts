import { Injectable } from '@nestjs/common';
import { pathOf } from '../../../api/console/page.js';
import { letter, type LetterPart } from '../../../api/mail/letter.js';
import { type Actor, type ChangeContext, changeContext } from '../../../kernel/context.js';
import { Problem } from '../../../kernel/problems.js';
import { API_NAME } from '../../../kernel/product.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { Clock } from '../../../kernel/time.js';
import { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import { Database } from '../../../store/database/database.js';
import { type InTransaction, type Unit, UnitOfWork } from '../../../store/database/unit-of-work.js';
import { Implements, Ports } from '../../../store/discovery/ports.js';
import { MailOutbox } from '../../../store/mail/mail-outbox.js';
import { ORGANIZATION, organizationSql } from '../../../store/tenant/tenant-sql.js';
import type { Organization } from '../organization.entity.js';
import { OrganizationRepository } from '../organization.repository.js';

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
  abstract findAddresses(ctx: InTransaction<ChangeContext>): Promise<readonly string[]>;
}

/** What a notice tells: names of records, and nothing that only those who sign in may see. */
export interface NoticeText {
  readonly subject: string;
  readonly parts: readonly LetterPart[];
  readonly page: { readonly label: string; readonly path: readonly string[] };
}

const NAME = organizationSql(
  'organization_notices.name',
  `SELECT name FROM organizations
    WHERE id = :organizationId AND NOT EXISTS (SELECT 1 FROM organization_erasures WHERE ${ORGANIZATION})`,
);
/** Workers that have the same notice wait for each other here. Without `notSince` the last time does not matter. */
const CLAIM = organizationSql(
  'organization_notices.claim',
  `INSERT INTO organization_notices AS stored (organization_id, kind, sent_at) VALUES (:organizationId, :kind, :now)
    ON CONFLICT (organization_id, kind) DO UPDATE SET sent_at = excluded.sent_at
      WHERE NOT stored.is_off AND coalesce(stored.sent_at <= :notSince, true)
    RETURNING true AS claimed`,
);
const OFF = organizationSql('organization_notices.off', `SELECT kind FROM organization_notices WHERE ${ORGANIZATION} AND is_off`);
const SWITCH = organizationSql(
  'organization_notices.switch',
  `INSERT INTO organization_notices (organization_id, kind, is_off) VALUES (:organizationId, :kind, :isOff)
    ON CONFLICT (organization_id, kind) DO UPDATE SET is_off = excluded.is_off`,
);

@Injectable()
export class NoticesRepository {
  constructor(private readonly database: Database) {}

  /** The name of an organization that can get notices: not while it is being erased. */
  async findName(organizationId: string, unit: Unit): Promise<string | undefined> {
    return (await this.database.rows<{ name: string }>(...NAME.bind({ organizationId }), unit))[0]?.name;
  }

  /** Whether a notice is to be sent: it is not switched off, and the last one of its kind was sent before `notSince`. */
  async claim(organizationId: string, kind: string, times: { now: string; notSince: string | null }, unit: Unit): Promise<boolean> {
    return (await this.database.rows(...CLAIM.bind({ organizationId }, { kind, ...times }), unit)).length > 0;
  }

  async off(organizationId: string, unit?: Unit): Promise<string[]> {
    return (await this.database.rows<{ kind: string }>(...OFF.bind({ organizationId }), unit)).map(({ kind }) => kind);
  }

  async switch(organizationId: string, kind: string, isOff: boolean, unit: Unit): Promise<void> {
    await this.database.rows(...SWITCH.bind({ organizationId }, { kind, isOff }), unit);
  }
}

@Injectable()
export class Notices {
  constructor(
    private readonly notices: NoticesRepository,
    private readonly mail: MailOutbox,
    private readonly ports: Ports,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** Part of the transaction of what it tells about: there is a mail exactly if that has happened. */
  async send(ctx: InTransaction<ChangeContext>, { kind, pauseMs }: Notice, { subject, parts, page }: NoticeText): Promise<void> {
    const { organizationId, unit } = ctx;
    const name = await this.notices.findName(organizationId, unit);
    if (name === undefined) return;
    const addresses = await this.ports.only(NoticeRecipients)!.findAddresses(ctx);
    if (addresses.length === 0) return;
    const now = this.clock.now();
    const notSince = pauseMs === undefined ? null : new Date(now.getTime() - pauseMs).toISOString();
    if (!(await this.notices.claim(organizationId, kind, { now: now.toISOString(), notSince }, unit))) return;
    const href = (...path: readonly string[]) => this.settings.publicUrl + pathOf({ environment: ctx.environment ?? 'live' }, ...path);
    const mail = letter(subject, [
      ...parts,
      { label: page.label, href: href(...page.path) },
      `You get this mail as an owner of ${name} in ${API_NAME}. Owners and admins choose which of these mails owners get: ` +
        href('organization', 'edit#mail'),
    ]);
    for (const to of addresses) this.mail.queue(ctx, { to, ...mail });
  }
}

@Implements(Notice)
export class StatusNotice implements Notice {
  readonly kind = 'organization_status';
  readonly when = 'The organization was suspended, or is active again.';

  constructor(private readonly notices: Notices) {}

  tell(ctx: InTransaction<ChangeContext>, organization: Organization): Promise<void> {
    return this.notices.send(ctx, this, organization.status === 'suspended' ? suspended(organization) : active(organization));
  }
}

const suspended = ({ name, updatedAt }: Organization): NoticeText => ({
  subject: `${name} was suspended`,
  parts: [
    `Your organization ${name} in ${API_NAME} was suspended at ${updatedAt}. Nobody can use its API keys, its applications or the ` +
      'console, and no webhooks are sent. Nothing was deleted.',
    'Contact support to find out why. The console opens again when the organization is active.',
  ],
  page: { label: 'Open the console', path: [] },
});

const active = ({ name, updatedAt }: Organization): NoticeText => ({
  subject: `${name} is active again`,
  parts: [
    `Your organization ${name} in ${API_NAME} is active again since ${updatedAt}. Its API keys, its applications and the console work ` +
      'as before. Events that webhook endpoints have missed can be replayed.',
  ],
  page: { label: 'Open the console', path: [] },
});

export type NoticeChoice = Pick<Notice, 'kind' | 'when'> & { readonly isOn: boolean };

@Injectable()
export class NoticeChoices {
  constructor(
    private readonly notices: NoticesRepository,
    private readonly organizations: OrganizationRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
    private readonly ports: Ports,
  ) {}

  async list(organizationId: string): Promise<NoticeChoice[]> {
    const off = await this.notices.off(organizationId);
    return this.ports.all(Notice).map(({ kind, when }) => ({ kind, when, isOn: !off.includes(kind) }));
  }

  /** The organization gets these kinds of notices, and no others. */
  async change(actor: Actor, id: string, wanted: readonly string[]): Promise<void> {
    const known = this.ports.all(Notice).map(({ kind }) => kind);
    const unknown = wanted.find((kind) => !known.includes(kind));
    if (unknown !== undefined)
      throw Problem.invalidField('notices', 'not_allowed', `contains ${unknown}, which is not one of ${known.join(', ')}`);
    await this.unitOfWork.run(changeContext(id, actor), async (ctx) => {
      // Two changes at the same time wait for each other: the audit log has what each has found.
      await this.organizations.lockKept(id, ctx.unit);
      const off = await this.notices.off(id, ctx.unit);
      const changed = known.filter((kind) => off.includes(kind) === wanted.includes(kind));
      if (changed.length === 0) return;
      for (const kind of changed) await this.notices.switch(id, kind, !wanted.includes(kind), ctx.unit);
      const notices = { from: known.filter((kind) => !off.includes(kind)), to: known.filter((kind) => wanted.includes(kind)) };
      this.audit.record(ctx, { action: 'organization.notices_changed', resourceId: id, changes: { notices } });
    });
  }
}
