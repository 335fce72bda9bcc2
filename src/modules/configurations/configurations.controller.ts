import { Body, Controller, Param, Query } from '@nestjs/common';
import { Ctx } from '../../api/call/ctx.decorator.js';
import type { ReadContext, WriteContext } from '../../store/database/unit-of-work.js';
import { UNCHANGED } from '../../api/operation/operation.js';
import { Capability, Operation } from '../../api/operation/operation.decorator.js';
import { pageOf, toPage, type Page } from '../../api/dto/page.js';
import { CreateReportConfigurationDto, ReportConfigurationDto, UpdateReportConfigurationDto } from './configurations.dto.js';
import { ListReportConfigurationsQuery } from './configurations.dto.js';
import { ReportConfigurationCreated, ReportConfigurationUpdated } from './configurations.events.js';
import { ConfigurationsService } from './configurations.service.js';

@Capability({
  about: 'A report configuration says what a claim report covers and what its files look like: the period, the categories, the formats.',
  guide: 'docs/claim-reports.md',
})
@Controller('v1/report-configurations')
export class ConfigurationsController {
  constructor(private readonly configurations: ConfigurationsService) {}

  @Operation({
    id: 'report_configurations.list',
    route: 'GET /',
    scope: 'report_configurations:read',
    tool: { name: 'list_report_configurations', risk: 'read_only', says: 'To find one for create_claim_report. Newest first.' },
    summary: 'List report configurations',
    description: 'Newest first. `search` finds a substring of the name.',
    returns: pageOf(ReportConfigurationDto),
  })
  async list(@Ctx() ctx: ReadContext, @Query() query: ListReportConfigurationsQuery): Promise<Page<ReportConfigurationDto>> {
    return toPage(query, await this.configurations.list(ctx, query), ReportConfigurationDto.from);
  }

  @Operation({
    id: 'report_configurations.create',
    route: 'POST /',
    scope: 'report_configurations:write',
    tool: {
      name: 'create_report_configuration',
      risk: 'write',
      says:
        'Use it to define period and content of reports. Next: create_claim_report with its `id`. ' +
        'A run takes the period, the filter of categories and the output options from its configuration.',
    },
    summary: 'Create a report configuration',
    description: 'A run takes the period, the filter of categories and the output options from its configuration.',
    isBatched: true,
    returns: ReportConfigurationDto,
    emits: [ReportConfigurationCreated],
    problems: ['related_record_missing', 'limit_exceeded'],
  })
  async create(@Ctx() ctx: WriteContext, @Body() input: CreateReportConfigurationDto): Promise<ReportConfigurationDto> {
    return ReportConfigurationDto.from(await this.configurations.create(ctx, input));
  }

  @Operation({
    id: 'report_configurations.get',
    route: 'GET /:configuration_id',
    scope: 'report_configurations:read',
    tool: {
      name: 'get_report_configuration',
      risk: 'read_only',
      says: 'To check it before create_claim_report, archived or not.',
      isLarge: true,
    },
    summary: 'Get a report configuration',
    description: 'Archived configurations can be read, too.',
    returns: ReportConfigurationDto,
  })
  async get(@Ctx() ctx: ReadContext, @Param('configuration_id') id: string): Promise<ReportConfigurationDto> {
    return ReportConfigurationDto.from(await this.configurations.get(ctx, id));
  }

  @Operation({
    id: 'report_configurations.update',
    route: 'PATCH /:configuration_id',
    scope: 'report_configurations:write',
    tool: { name: 'update_report_configuration', risk: 'write', says: 'Set `status` to archive it. Fields left out keep their value.' },
    summary: 'Update a report configuration',
    description: `Fields left out keep their value; \`categoryFilter\` and \`outputOptions\` are each replaced as a whole. ${UNCHANGED}`,
    returns: ReportConfigurationDto,
    emits: [ReportConfigurationUpdated],
    problems: ['related_record_missing'],
  })
  async update(
    @Ctx() ctx: WriteContext,
    @Param('configuration_id') id: string,
    @Body() input: UpdateReportConfigurationDto,
  ): Promise<ReportConfigurationDto> {
    return ReportConfigurationDto.from(await this.configurations.update(ctx, id, input));
  }
}
