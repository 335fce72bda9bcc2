import { Body, Controller, Param, Query, StreamableFile } from '@nestjs/common';
import { Ctx } from '../../api/call/ctx.decorator.js';
import type { ReadContext, WriteContext } from '../../store/database/unit-of-work.js';
import { Capability, Operation } from '../../api/operation/operation.decorator.js';
import { pageOf, toPage, type Page } from '../../api/dto/page.js';
import type { OutputFormat } from '../rules/index.js';
import { FILE_KINDS, fileNameOf, MEDIA_TYPES } from './outputs/report-output.js';
import { ReportFilesService } from './files/report-files.service.js';
import { ClaimReportDto, CreateClaimReportDto, ListClaimReportsQuery } from './reports.dto.js';
import { ClaimReportCancelled, ClaimReportQueued } from './reports.events.js';
import { ReportsService } from './reports.service.js';
import { ReportRecord } from './run/report-record.js';

@Capability({
  about: 'A claim report run computes what can be claimed, from redacted bank statements and the rules of the expense categories.',
  guide: 'docs/claim-reports.md',
})
@Controller('v1/claim-reports')
export class ReportsController {
  constructor(
    private readonly reports: ReportsService,
    private readonly files: ReportFilesService,
    private readonly record: ReportRecord,
  ) {}

  @Operation({
    id: 'claim_reports.list',
    route: 'GET /',
    scope: 'claim_reports:read',
    tool: {
      name: 'list_claim_reports',
      risk: 'read_only',
      says: 'Use it to find earlier runs before queueing another one. Newest first. A result of more than 64 KiB is left out.',
      without: ['report_configuration_id'],
    },
    summary: 'List claim report runs',
    description: 'Newest first. A result of more than 64 KiB is left out.',
    returns: pageOf(ClaimReportDto),
  })
  async list(@Ctx() ctx: ReadContext, @Query() query: ListClaimReportsQuery): Promise<Page<ClaimReportDto>> {
    return toPage(query, await this.reports.list(ctx, query), ClaimReportDto.from);
  }

  @Operation({
    id: 'claim_reports.create',
    route: 'POST /',
    scope: 'claim_reports:write',
    tool: {
      name: 'create_claim_report',
      risk: 'write',
      says:
        'Starts a background run. With a project, it reads only statements of this project: list_bank_statements shows them. ' +
        'Next: get_claim_report after a few seconds. A worker makes the report from the redacted bank statements and the expense ' +
        'categories, as they are when the run starts.',
    },
    summary: 'Queue a claim report run',
    description:
      'A worker makes the report from the redacted bank statements and the expense categories, as they are when the run starts. ' +
      'Wait for the events `claim_report.succeeded`, `claim_report.failed` and `claim_report.cancelled` rather than polling.',
    returns: ClaimReportDto,
    emits: [ClaimReportQueued],
    problems: ['related_record_missing'],
  })
  async create(@Ctx() ctx: WriteContext, @Body() input: CreateClaimReportDto): Promise<ClaimReportDto> {
    return ClaimReportDto.from(await this.reports.create(ctx, input));
  }

  @Operation({
    id: 'claim_reports.get',
    route: 'GET /:report_id',
    scope: 'claim_reports:read',
    tool: {
      name: 'get_claim_report',
      risk: 'read_only',
      isLarge: true,
      says:
        'Use it to follow a run until its `status` is succeeded, failed or cancelled. Its files are the resources ' +
        'claims://reports/{id}/{format}.',
    },
    summary: 'Get a claim report run',
    description: 'Contains the whole result, however large; a list leaves out large ones.',
    returns: ClaimReportDto,
  })
  async get(@Ctx() ctx: ReadContext, @Param('report_id') id: string): Promise<ClaimReportDto> {
    return ClaimReportDto.from(await this.reports.get(ctx, id));
  }

  @Operation({
    id: 'claim_reports.cancel',
    route: 'POST /:report_id/cancel',
    scope: 'claim_reports:write',
    status: 200,
    summary: 'Cancel a claim report run',
    description: 'Of a run that is queued or running. One that is cancelled already stays as it is. An addition.',
    returns: ClaimReportDto,
    emits: [ClaimReportCancelled],
    problems: ['wrong_state'],
  })
  async cancel(@Ctx() ctx: WriteContext, @Param('report_id') id: string): Promise<ClaimReportDto> {
    return this.record.cancel(ctx, id);
  }

  @Operation({
    id: 'claim_reports.download',
    route: 'GET /:report_id/outputs/:format',
    scope: 'claim_reports:read',
    summary: 'Download an output file',
    description: 'A file that a succeeded run has made, as `outputs` of its result names it with its size and SHA-256. An addition.',
    returnsFile: MEDIA_TYPES,
    reads: { action: 'claim_report.file_taken', of: 'report_id' },
  })
  async download(@Ctx() ctx: ReadContext, @Param('report_id') id: string, @Param('format') format: OutputFormat): Promise<StreamableFile> {
    const { bytes, content } = await this.files.open(ctx, await this.reports.get(ctx, id), format);
    return new StreamableFile(content, {
      type: FILE_KINDS[format].mediaType,
      length: bytes,
      disposition: `attachment; filename="${fileNameOf(format, id)}"`,
    });
  }
}
