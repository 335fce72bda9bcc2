import { Body, Controller, Param, Query } from '@nestjs/common';
import { Ctx } from '../../../api/call/ctx.decorator.js';
import { pageOf, toPage, type Page } from '../../../api/dto/page.js';
import { Capability, Operation } from '../../../api/operation/operation.decorator.js';
import { UNCHANGED } from '../../../api/operation/operation.js';
import type { ReadContext, WriteContext } from '../../../store/database/unit-of-work.js';
import { shownLayout } from './statement-layout.entity.js';
import {
  CreateStatementLayoutDto,
  ListStatementLayoutsQuery,
  StatementLayoutDto,
  UpdateStatementLayoutDto,
} from './statement-layouts.dto.js';
import { StatementLayoutsService } from './statement-layouts.service.js';

@Capability({
  about: 'How the tables of banks are read that are not recognised: what their columns are, what signs mean, and what files do not say.',
  guide: 'docs/bank-statements.md',
})
@Controller('v1/statement-layouts')
export class StatementLayoutsController {
  constructor(private readonly layouts: StatementLayoutsService) {}

  @Operation({
    id: 'statement_layouts.list',
    route: 'GET /',
    scope: 'statement_layouts:read',
    concerns: 'organization',
    summary: 'List statement layouts',
    description: 'Newest first. Those that are part of the service are not among them. An addition.',
    returns: pageOf(StatementLayoutDto),
  })
  async list(@Ctx() ctx: ReadContext, @Query() query: ListStatementLayoutsQuery): Promise<Page<StatementLayoutDto>> {
    return toPage(query, await this.layouts.list(ctx, query), shownLayout);
  }

  @Operation({
    id: 'statement_layouts.create',
    route: 'POST /',
    scope: 'statement_layouts:write',
    concerns: 'organization',
    summary: 'Create a statement layout',
    description: 'Files with exactly its header are read by it from then on. It replaces those with its name or its header. An addition.',
    returns: StatementLayoutDto,
  })
  async create(@Ctx() ctx: WriteContext, @Body() input: CreateStatementLayoutDto): Promise<StatementLayoutDto> {
    return shownLayout(await this.layouts.create(ctx, input));
  }

  @Operation({
    id: 'statement_layouts.get',
    route: 'GET /:layout_id',
    scope: 'statement_layouts:read',
    concerns: 'organization',
    summary: 'Get a statement layout',
    description: 'As it was written, its name beside it. An addition.',
    returns: StatementLayoutDto,
  })
  async get(@Ctx() ctx: ReadContext, @Param('layout_id') id: string): Promise<StatementLayoutDto> {
    return shownLayout(await this.layouts.get(ctx, id));
  }

  @Operation({
    id: 'statement_layouts.update',
    route: 'PATCH /:layout_id',
    scope: 'statement_layouts:write',
    concerns: 'organization',
    summary: 'Update a statement layout',
    description: `Statements stay as they were read. It replaces others with its name or its header. An addition. ${UNCHANGED}`,
    returns: StatementLayoutDto,
  })
  async update(
    @Ctx() ctx: WriteContext,
    @Param('layout_id') id: string,
    @Body() input: UpdateStatementLayoutDto,
  ): Promise<StatementLayoutDto> {
    return shownLayout(await this.layouts.update(ctx, id, input));
  }

  @Operation({
    id: 'statement_layouts.delete',
    route: 'DELETE /:layout_id',
    scope: 'statement_layouts:delete',
    concerns: 'organization',
    summary: 'Delete a statement layout',
    description: 'Statements that were read by it stay as they are. An addition.',
  })
  async delete(@Ctx() ctx: WriteContext, @Param('layout_id') id: string): Promise<void> {
    await this.layouts.delete(ctx, id);
  }
}
