import { Body, Controller, Param, Query } from '@nestjs/common';
import { Ctx } from '../../../api/call/ctx.decorator.js';
import { pageOf, toPage, type Page } from '../../../api/dto/page.js';
import { Capability, Operation } from '../../../api/operation/operation.decorator.js';
import { UNCHANGED } from '../../../api/operation/operation.js';
import { Clock } from '../../../kernel/time.js';
import type { ReadContext, WriteContext } from '../../../store/database/unit-of-work.js';
import { CreateUploadLinkDto, ListUploadLinksQuery, UpdateUploadLinkDto, UploadLinkDetailsDto, UploadLinkDto } from './upload-links.dto.js';
import { UploadLinksService } from './upload-links.service.js';

@Capability({
  about: 'Links by which the clients of an accountant upload bank statements, without an account.',
  guide: 'docs/bank-statements.md',
})
@Controller('v1/upload-links')
export class UploadLinksController {
  constructor(
    private readonly links: UploadLinksService,
    private readonly clock: Clock,
  ) {}

  @Operation({
    id: 'upload_links.list',
    route: 'GET /',
    scope: 'upload_links:read',
    summary: 'List upload links',
    description: 'Newest first, without their addresses. An addition.',
    returns: pageOf(UploadLinkDto),
  })
  async list(@Ctx() ctx: ReadContext, @Query() query: ListUploadLinksQuery): Promise<Page<UploadLinkDto>> {
    const now = this.clock.now();
    return toPage(query, await this.links.list(ctx, query), (link) => UploadLinkDto.from(link, now));
  }

  @Operation({
    id: 'upload_links.create',
    route: 'POST /',
    scope: 'upload_links:write',
    summary: 'Create an upload link',
    description:
      'The answer has its address, for the client. Whoever has the address can upload statements to the claim project, and do nothing ' +
      'else. An addition.',
    returns: UploadLinkDetailsDto,
    returnsSecret: true,
    problems: ['related_record_missing'],
  })
  async create(@Ctx() ctx: WriteContext, @Body() input: CreateUploadLinkDto): Promise<UploadLinkDetailsDto> {
    const { link, address } = await this.links.make(ctx, input);
    return { ...UploadLinkDto.from(link, this.clock.now()), address };
  }

  @Operation({
    id: 'upload_links.get',
    route: 'GET /:link_id',
    scope: 'upload_links:read',
    summary: 'Get an upload link',
    description: 'Its status, and how many statements it has taken; without its address. An addition.',
    returns: UploadLinkDto,
  })
  async get(@Ctx() ctx: ReadContext, @Param('link_id') id: string): Promise<UploadLinkDto> {
    return UploadLinkDto.from(await this.links.get(ctx, id), this.clock.now());
  }

  @Operation({
    id: 'upload_links.update',
    route: 'PATCH /:link_id',
    scope: 'upload_links:write',
    summary: 'Update an upload link',
    description: `Changes what it asks for. With \`withdraw\`, the link ends at once. An addition. ${UNCHANGED}`,
    returns: UploadLinkDto,
  })
  async update(@Ctx() ctx: WriteContext, @Param('link_id') id: string, @Body() input: UpdateUploadLinkDto): Promise<UploadLinkDto> {
    return UploadLinkDto.from(await this.links.change(ctx, id, input), this.clock.now());
  }
}
