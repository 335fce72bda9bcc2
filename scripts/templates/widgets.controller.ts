import { Body, Controller, Param, Query } from '@nestjs/common';
import { Ctx } from '../../api/call/ctx.decorator.js';
import { pageOf, toPage, type Page } from '../../api/dto/page.js';
import { Capability, Operation } from '../../api/operation/operation.decorator.js';
import type { ReadContext, WriteContext } from '../../store/database/unit-of-work.js';
import { CreateSampleWidgetDto, ListSampleWidgetsQuery, SampleWidgetDto, UpdateSampleWidgetDto } from './widgets.dto.js';
import { SampleWidgetCreated, SampleWidgetUpdated } from './widgets.events.js';
import { WidgetsService } from './widgets.service.js';

@Capability({ about: 'A sample widget is a record with a name and a status.' })
@Controller('v1/sample-widgets')
export class WidgetsController {
  constructor(private readonly widgets: WidgetsService) {}

  @Operation({
    id: 'sample_widgets.list',
    route: 'GET /',
    scope: 'sample_widgets:read',
    concerns: 'organization',
    tool: { name: 'list_sample_widgets', risk: 'read_only', says: 'Use this to find a sample widget and its `id`. Newest first.' },
    summary: 'List sample widgets',
    description: 'Newest first. `search` is a case-insensitive substring of the name.',
    returns: pageOf(SampleWidgetDto),
  })
  async list(@Ctx() ctx: ReadContext, @Query() query: ListSampleWidgetsQuery): Promise<Page<SampleWidgetDto>> {
    return toPage(query, await this.widgets.list(ctx, query), SampleWidgetDto.from);
  }

  @Operation({
    id: 'sample_widgets.create',
    route: 'POST /',
    scope: 'sample_widgets:write',
    concerns: 'organization',
    tool: {
      name: 'create_sample_widget',
      risk: 'write',
      says: 'First check with list_sample_widgets that it does not exist yet: names need not be unique.',
    },
    summary: 'Create a sample widget',
    description: 'Names need not be unique.',
    returns: SampleWidgetDto,
    emits: [SampleWidgetCreated],
  })
  async create(@Ctx() ctx: WriteContext, @Body() input: CreateSampleWidgetDto): Promise<SampleWidgetDto> {
    return SampleWidgetDto.from(await this.widgets.create(ctx, input));
  }

  @Operation({
    id: 'sample_widgets.get',
    route: 'GET /:widget_id',
    scope: 'sample_widgets:read',
    concerns: 'organization',
    tool: { name: 'get_sample_widget', risk: 'read_only', says: 'Needs an `id` from list_sample_widgets. Archived ones can be read, too.' },
    summary: 'Get a sample widget',
    description: 'Archived ones can be read, too.',
    returns: SampleWidgetDto,
  })
  async get(@Ctx() ctx: ReadContext, @Param('widget_id') id: string): Promise<SampleWidgetDto> {
    return SampleWidgetDto.from(await this.widgets.get(ctx, id));
  }

  @Operation({
    id: 'sample_widgets.update',
    route: 'PATCH /:widget_id',
    scope: 'sample_widgets:write',
    concerns: 'organization',
    tool: { name: 'update_sample_widget', risk: 'write', says: 'Use this to correct or update its fields. Omitted fields stay unchanged.' },
    summary: 'Update a sample widget',
    description: 'Omitted fields stay unchanged. A PATCH that changes nothing returns 200, keeps `updatedAt` and emits no event.',
    returns: SampleWidgetDto,
    emits: [SampleWidgetUpdated],
  })
  async update(@Ctx() ctx: WriteContext, @Param('widget_id') id: string, @Body() input: UpdateSampleWidgetDto): Promise<SampleWidgetDto> {
    return SampleWidgetDto.from(await this.widgets.update(ctx, id, input));
  }
}
