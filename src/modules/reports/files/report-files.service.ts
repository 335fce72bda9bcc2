import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Problem } from '../../../kernel/problems.js';
import type { ReadContext, WriteContext } from '../../../store/database/unit-of-work.js';
import { Idempotency } from '../../../api/idempotency/idempotency.js';
import { type Actor, changeContext, type Tenant } from '../../../kernel/context.js';
import { newId } from '../../../kernel/ids.js';
import { requireOpen } from '../../../kernel/organization-status.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { Clock } from '../../../kernel/time.js';
import { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import { Secrets } from '../../../store/secrets/secrets.js';
import type { OutputFormat } from '../../rules/index.js';
import { OrganizationService } from '../../organization/index.js';
import type { ClaimReport } from '../report.entity.js';
import type { ClaimReportOutputDto } from '../result.dto.js';
import { ReportsService } from '../reports.service.js';
import { ReportFilesRepository } from './report-files.repository.js';
import type { ClaimReportLinkDto, CreateClaimReportLinkDto } from './file-links.dto.js';

export interface OpenFile {
  readonly bytes: number;
  readonly content: Readable;
}

/** The output files of runs. */
@Injectable()
export class ReportFilesService {
  constructor(private readonly files: ReportFilesRepository) {}

  async open(ctx: ReadContext, report: ClaimReport, format: OutputFormat): Promise<OpenFile> {
    const { bytes } = this.require(report, format);
    const content = await this.files.open(ctx, report.id, format);
    return content ? { bytes, content } : noFile(report, format);
  }

  /** What the run says of its file. */
  require(report: ClaimReport, format: OutputFormat): Pick<ClaimReportOutputDto, 'bytes'> {
    return report.result?.outputs.find((made) => made.format === format) ?? noFile(report, format);
  }
}

function noFile({ status }: ClaimReport, format: OutputFormat): never {
  const detail =
    status === 'succeeded'
      ? `The run has no ${format} file. List the format in outputOptions.formats of the report configuration and run it again.`
      : `The run is ${status}. Only a run that has succeeded has files.`;
  throw new Problem('not_found', { detail });
}

export const FILES_PATH = '/files';
/** Lets secret scanners recognize a token. */
const PREFIX = 'file_';
const OWNER = 'file link';

/** All that an address says. It is encrypted there and stored nowhere. */
interface Linked extends Tenant, Pick<ClaimReportLinkDto, 'format' | 'expiresAt' | 'isOnce'> {
  readonly id: string;
  readonly reportId: string;
  readonly creatorName: string;
  /** Absent in addresses of the release before. */
  readonly creatorId?: string | null;
}

/** Addresses by which people without an account download one file of a run, for minutes. */
@Injectable()
export class FileLinks {
  constructor(
    private readonly reports: ReportsService,
    private readonly files: ReportFilesService,
    private readonly secrets: Secrets,
    private readonly settings: Settings,
    private readonly audit: AuditRecorder,
    private readonly clock: Clock,
  ) {}

  async make(ctx: WriteContext, reportId: string, wanted: CreateClaimReportLinkDto): Promise<ClaimReportLinkDto> {
    const { format, minutes = 15, isOnce = false } = wanted;
    this.files.require(await this.reports.get(ctx, reportId), format);
    // That it was taken is forgotten with the keys of calls.
    const lastsMs = Math.min(minutes * 60_000, isOnce ? this.settings.idempotencyRetentionMs : Infinity);
    const expiresAt = new Date(this.clock.now().getTime() + lastsMs).toISOString();
    const { organizationId, environment, actor } = ctx;
    const creator = { creatorName: actor.name, creatorId: actor.id };
    const linked: Linked = { id: newId(), organizationId, environment, reportId, format, expiresAt, isOnce, ...creator };
    this.audit.record(ctx, {
      action: 'claim_report.linked',
      resourceId: reportId,
      changes: { format: { from: null, to: format }, expiresAt: { from: null, to: expiresAt }, isOnce: { from: null, to: isOnce } },
    });
    const token = this.secrets.encrypt(JSON.stringify(linked), OWNER).toString('base64url');
    return { format, address: `${this.settings.publicUrl}${FILES_PATH}/${PREFIX}${token}`, expiresAt, isOnce };
  }

  /** undefined for what is no token of ours, and for one whose time is over. Callers cannot tell which. */
  read(token: string): Linked | undefined {
    if (!token.startsWith(PREFIX)) return undefined;
    try {
      const linked = JSON.parse(this.secrets.decrypt(Buffer.from(token.slice(PREFIX.length), 'base64url'), OWNER)) as Linked;
      return linked.expiresAt > this.clock.timestamp() ? linked : undefined;
    } catch {
      return undefined;
    }
  }
}

/** What the page of a link shows. */
export interface LinkedFile {
  readonly linked: Linked;
  readonly report: ClaimReport;
  readonly bytes: number;
  readonly organization: { readonly name: string; readonly timeZone: string };
}

/** A taking is done once for each id: of a link that opens once, that is the link's. */
const TAKE = { id: 'claim_reports.take_linked_file', status: 200, returnsSecret: false } as const;

/** The side of the person who has the address. */
@Injectable()
export class LinkedFiles {
  constructor(
    private readonly links: FileLinks,
    private readonly reports: ReportsService,
    private readonly files: ReportFilesService,
    private readonly organizations: OrganizationService,
    private readonly idempotency: Idempotency,
    private readonly audit: AuditRecorder,
  ) {}

  /** Looking takes nothing: mail scanners open links, too. */
  async find(token: string): Promise<LinkedFile | undefined> {
    const linked = this.links.read(token);
    if (!linked) return undefined;
    try {
      const { name, timeZone, status } = await this.organizations.byId(linked.organizationId);
      if (status !== 'suspended') requireOpen(status);
      if (status !== 'active') return undefined;
      const report = await this.reports.get(linked, linked.reportId);
      return { linked, report, bytes: this.files.require(report, linked.format).bytes, organization: { name, timeZone } };
    } catch (error) {
      // The run may be gone, and its organization.
      if (error instanceof Problem && error.code === 'not_found') return undefined;
      throw error;
    }
  }

  /** The audit log names the link, and who made it. undefined if it was taken before and opens once. */
  async take({ linked, report }: LinkedFile, call: NonNullable<Actor['call']>): Promise<OpenFile | undefined> {
    const { organizationId, environment, format, isOnce } = linked;
    const id = isOnce ? linked.id : newId();
    const actor: Actor = { type: 'user', id: linked.id, person: linked.creatorId, name: `File link of ${linked.creatorName}`, call };
    const ctx = { ...changeContext(organizationId, actor), environment, operation: TAKE };
    const request = { key: `file link ${id}`, params: id, body: null, isClaimedFirst: true };
    const { replayed } = await this.idempotency.run(ctx, request, (inner) => {
      this.audit.record(inner, {
        action: 'claim_report.file_taken',
        resourceId: report.id,
        changes: { format: { from: null, to: format } },
      });
      return Promise.resolve(null);
    });
    return replayed ? undefined : this.files.open(linked, report, format);
  }
}
