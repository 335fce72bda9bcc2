import { Injectable } from '@nestjs/common';
import { createHash, randomBytes } from 'node:crypto';
import { ENVIRONMENTS, type Tenant, type Actor } from '../../../kernel/context.js';
import { isUuid, newId } from '../../../kernel/ids.js';
import { requireOpen } from '../../../kernel/organization-status.js';
import { Settings } from '../../../kernel/settings/settings.js';
import type { SentFile } from '../../../api/validation/read-files.js';
import { changedProperties, changesBetween, given, pick } from '../../../kernel/changes.js';
import { Problem } from '../../../kernel/problems.js';
import { Clock } from '../../../kernel/time.js';
import { type AuditAction, AuditRecorder } from '../../../store/audit/audit-recorder.js';
import { type ReadContext, UnitOfWork, type WriteContext } from '../../../store/database/unit-of-work.js';
import type { PageOf, PageRequest } from '../../../store/tenant/page.js';
import { type Organization, OrganizationService } from '../../organization/index.js';
import { ProjectsService } from '../../projects/index.js';
import { type FileOutcome, StatementUpload } from '../console/upload.console.js';
import { FileRefusal } from '../import/archive.js';
import { stateOf, type UploadLink } from './upload-link.entity.js';
import { type CreateUploadLinkDto, UPLOAD_LINK_FIELDS, type UpdateUploadLinkDto } from './upload-links.dto.js';
import { UploadLinksRepository } from './upload-links.repository.js';

const SECRET_BYTES = 32;
const ID_BYTES = 16;
/** Lets secret scanners recognize a token; then come the id of the organization and the secret. */
const WRITTEN = new RegExp(`^upload_(${ENVIRONMENTS.join('|')})_([\\w-]{${((ID_BYTES + SECRET_BYTES) * 4) / 3}})$`);

/** What a token says: whose link it is, so that one look-up within the tenant finds it, and the hash of its secret. */
export interface ReadToken extends Tenant {
  readonly tokenHash: Buffer;
}

export const randomSecret = (): Buffer => randomBytes(SECRET_BYTES);
export const hashOf = (secret: Buffer): Buffer => createHash('sha256').update(secret).digest();

function writtenToken({ organizationId, environment }: Tenant, secret: Buffer): string {
  const id = Buffer.from(organizationId.replaceAll('-', ''), 'hex');
  return `upload_${environment}_${Buffer.concat([id, secret]).toString('base64url')}`;
}

/** undefined for what cannot be a token. */
export function readToken(token: string): ReadToken | undefined {
  const [, environment, written = ''] = WRITTEN.exec(token) ?? [];
  const bytes = Buffer.from(written, 'base64url');
  const organizationId = bytes.toString('hex', 0, ID_BYTES).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  if (!isUuid(organizationId)) return undefined;
  return { organizationId, environment: environment as Tenant['environment'], tokenHash: hashOf(bytes.subarray(ID_BYTES)) };
}

export const UPLOADS_PATH = '/uploads';

/** Makes the addresses that hold the secrets of upload links. */
@Injectable()
export class UploadAddresses {
  constructor(private readonly settings: Settings) {}

  addressOf(tenant: Tenant, secret: Buffer): string {
    return `${this.settings.publicUrl}${UPLOADS_PATH}/${writtenToken(tenant, secret)}`;
  }
}

/** What the page of a link shows of its organization: nothing but this. */
export interface OpenLink {
  readonly link: UploadLink;
  readonly organization: Pick<Organization, 'id' | 'name' | 'slug' | 'plan' | 'timeZone'>;
}

type Call = NonNullable<Actor['call']>;

/** The audit log names the link, and who made it. */
const actorOf = ({ id, createdBy: person, creatorName }: UploadLink, call: Call): Actor => {
  return { type: 'user', id, person, name: `Upload link of ${creatorName}`, call };
};

const MAX_OPEN_LINKS = 500;
const DAY_MS = 86_400_000;

/** The address is shown once. Only the hash of its secret is stored. */
interface IssuedUploadLink {
  readonly link: UploadLink;
  readonly address: string;
}

/** Links by which the client of an accountant uploads statements to one project, without an account. */
@Injectable()
export class UploadLinksService {
  constructor(
    private readonly links: UploadLinksRepository,
    private readonly projects: ProjectsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
    private readonly addresses: UploadAddresses,
    private readonly clock: Clock,
  ) {}

  list(ctx: ReadContext, query: PageRequest): Promise<PageOf<UploadLink>> {
    return this.links.page(ctx, query, UPLOAD_LINK_FIELDS.filters(query));
  }

  async get(ctx: ReadContext, id: string): Promise<UploadLink> {
    return (await this.links.get(ctx, id)) ?? missing();
  }

  async make(ctx: WriteContext, wanted: CreateUploadLinkDto): Promise<IssuedUploadLink> {
    const secret = randomSecret();
    const link = linkOf(ctx, wanted, { now: this.clock.timestamp(), tokenHash: hashOf(secret) });
    await this.projects.writeRelated(ctx, link.projectId, () => this.insert(ctx, link));
    return { link, address: this.addresses.addressOf(ctx, secret) };
  }

  /** One that was withdrawn already stays so. */
  async change(ctx: WriteContext, id: string, input: UpdateUploadLinkDto): Promise<UploadLink> {
    const link = (await this.links.lock(ctx, id)) ?? missing();
    const wanted: Partial<UploadLink> = { ...given({ note: input.note }), ...UPLOAD_LINK_FIELDS.stored(input, link) };
    if (input.withdraw && link.withdrawnAt === null)
      return this.changed(ctx, link, 'upload_link.withdrawn', { ...wanted, withdrawnAt: this.clock.timestamp() });
    const isChanged = changedProperties<Partial<UploadLink>>(link, wanted).length > 0;
    return isChanged ? this.changed(ctx, link, 'upload_link.updated', wanted) : link;
  }

  /** The link of a token while it is open. Callers cannot tell why it is not. */
  async open(token: string): Promise<UploadLink | undefined> {
    const read = readToken(token);
    const link = read && (await this.links.byToken(read));
    return link && stateOf(link, this.clock.now()) === 'open' ? link : undefined;
  }

  /** Uses the link up: its client has sent everything. */
  async finish(actor: Actor, tenant: Tenant, id: string): Promise<void> {
    await this.unitOfWork.runAs(actor, tenant, async (ctx) => {
      const link = await this.lockOpen(ctx, id);
      await this.changed(ctx, link, 'upload_link.used', { usedAt: this.clock.timestamp() });
    });
  }

  /** Counts statements in the transaction that imports them. The last one uses the link up. */
  async take(ctx: WriteContext, id: string, statements: number): Promise<void> {
    const link = await this.lockOpen(ctx, id);
    const filesTaken = link.filesTaken + statements;
    const left = link.maxFiles - link.filesTaken;
    if (left < statements) throw new FileRefusal('link_full', `This link takes ${left} more.`, { number: left });
    const updatedAt = this.clock.after(link.updatedAt);
    if (filesTaken < link.maxFiles) return this.links.update(ctx, { ...link, filesTaken, updatedAt }, ['filesTaken', 'updatedAt']);
    await this.changed(ctx, link, 'upload_link.used', { filesTaken, usedAt: this.clock.timestamp() });
  }

  private async insert(ctx: WriteContext, link: UploadLink): Promise<void> {
    await this.links.queueUp(ctx);
    if ((await this.links.countOpen(ctx, link.createdAt)) >= MAX_OPEN_LINKS)
      throw new Problem('validation_failed', {
        detail: `There are ${MAX_OPEN_LINKS} open links already. Withdraw some that nobody needs.`,
      });
    await this.links.insert(ctx, link);
    this.audit.record(ctx, { action: 'upload_link.created', resourceId: link.id, changes: changesBetween(null, shown(link)) });
  }

  private async changed(ctx: WriteContext, link: UploadLink, action: AuditAction, change: Partial<UploadLink>): Promise<UploadLink> {
    const after = { ...link, ...change, updatedAt: this.clock.after(link.updatedAt) };
    await this.links.update(ctx, after, ['note', 'customFields', 'filesTaken', 'usedAt', 'withdrawnAt', 'updatedAt']);
    this.audit.record(ctx, { action, resourceId: link.id, changes: changesBetween(shown(link), shown(after)) });
    return after;
  }

  private async lockOpen(ctx: WriteContext, id: string): Promise<UploadLink> {
    const link = await this.links.lock(ctx, id);
    if (!link || stateOf(link, this.clock.now()) !== 'open') throw new FileRefusal('link_closed', 'This link is no longer valid.');
    return link;
  }
}

/** The client's side of an upload link. The token in the address is all that they have. */
@Injectable()
export class ClientUpload {
  constructor(
    private readonly links: UploadLinksService,
    private readonly uploads: StatementUpload,
    private readonly organizations: OrganizationService,
  ) {}

  /** Reading does not use the link up: mail scanners open links, too. */
  async find(token: string): Promise<OpenLink | undefined> {
    const link = await this.links.open(token);
    if (!link) return undefined;
    const { id, name, slug, plan, timeZone, status } = await this.organizations.byId(link.organizationId);
    if (status !== 'suspended') requireOpen(status);
    return status === 'active' ? { link, organization: { id, name, slug, plan, timeZone } } : undefined;
  }

  /** Imports files as the console does, for the project of the link. */
  upload({ link, organization }: OpenLink, files: readonly SentFile[], call: Call): Promise<FileOutcome[]> {
    const { organizationId, environment, projectId, id } = link;
    const within = (ctx: Parameters<UploadLinksService['take']>[0], statements: number) => this.links.take(ctx, id, statements);
    const sender = { actor: actorOf(link, call), ...call, user: null, organization };
    return this.uploads.import(sender, { organizationId, environment, projectId, isRedacted: false, within }, files);
  }

  finish({ link }: OpenLink, call: Call): Promise<void> {
    return this.links.finish(actorOf(link, call), link, link.id);
  }
}

function linkOf(
  { organizationId, environment, actor }: WriteContext,
  wanted: CreateUploadLinkDto,
  { now, tokenHash }: { readonly now: string; readonly tokenHash: Buffer },
): UploadLink {
  const { projectId, note = '', days = 14, maxFiles = 20 } = wanted;
  return {
    ...{ id: newId(), organizationId, environment, createdAt: now, updatedAt: now, projectId, tokenHash, note, maxFiles },
    ...{ filesTaken: 0, createdBy: actor.id ?? organizationId, creatorName: actor.name, usedAt: null, withdrawnAt: null },
    expiresAt: new Date(Date.parse(now) + days * DAY_MS).toISOString(),
    ...UPLOAD_LINK_FIELDS.stored(wanted),
  };
}

/** For the audit log: all but the hash and what the log says itself. */
const shown = (link: UploadLink) => ({
  ...pick(link, ['projectId', 'note', 'maxFiles', 'filesTaken', 'expiresAt', 'usedAt', 'withdrawnAt']),
  ...UPLOAD_LINK_FIELDS.shown(link),
});

function missing(): never {
  throw new Problem('not_found', { detail: 'There is no upload link with this id.' });
}
