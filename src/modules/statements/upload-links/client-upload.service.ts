import { Injectable } from '@nestjs/common';
import type { SentFile } from '../../../api/console/form.js';
import type { Actor } from '../../../kernel/context.js';
import { OrganizationService } from '../../organization/index.js';
import { StatementUpload, type FileOutcome } from '../console/statement-upload.js';
import type { UploadLink } from './upload-link.entity.js';
import { UploadLinksService } from './upload-links.service.js';

/** What the page of a link shows of its organization: nothing but this. */
export interface OpenLink {
  readonly link: UploadLink;
  readonly organization: { readonly id: string; readonly name: string; readonly timeZone: string };
}

type Call = NonNullable<Actor['call']>;

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
    const { id, name, timeZone, status } = await this.organizations.byId(link.organizationId);
    return status === 'active' ? { link, organization: { id, name, timeZone } } : undefined;
  }

  /** Imports files as the console does, for the project of the link. */
  upload({ link }: OpenLink, files: readonly SentFile[], call: Call): Promise<FileOutcome[]> {
    const { organizationId, environment, projectId, id } = link;
    const within = (ctx: Parameters<UploadLinksService['take']>[0], statements: number) => this.links.take(ctx, id, statements);
    return this.uploads.import(actorOf(link, call), { organizationId, environment, projectId, isRedacted: false, within }, files);
  }

  finish({ link }: OpenLink, call: Call): Promise<void> {
    return this.links.finish(actorOf(link, call), link, link.id);
  }
}

/** The audit log names the link, and who made it. */
const actorOf = ({ id, creatorName }: UploadLink, call: Call): Actor => ({ type: 'user', id, name: `Upload link of ${creatorName}`, call });
