import { Body, Controller, Param, Query } from '@nestjs/common';
import { Ctx } from '../../api/call/ctx.decorator.js';
import { pageOf, toPage, type Page } from '../../api/dto/page.js';
import { Capability, Operation } from '../../api/operation/operation.decorator.js';
import { UNCHANGED } from '../../api/operation/operation.js';
import type { ReadContext, WriteContext } from '../../store/database/unit-of-work.js';
import { shownItem } from './claim-item.entity.js';
import { ClaimItemDto, CreateClaimItemDto, ListClaimItemsQuery, UpdateClaimItemDto } from './claim-items.dto.js';
import { ClaimItemCreated, ClaimItemUpdated } from './claim-items.events.js';
import { ClaimItemsService } from './claim-items.service.js';

@Capability({
  about:
    'Costs that no bank statement has, such as mileage, day rates and hours of staff. Reports claim them beside the lines of statements.',
  guide: 'docs/claim-items.md',
})
@Controller('v1/claim-items')
export class ClaimItemsController {
  constructor(private readonly items: ClaimItemsService) {}

  @Operation({
    id: 'claim_items.list',
    route: 'GET /',
    scope: 'claim_items:read',
    tool: { name: 'list_claim_items', set: 'claims', risk: 'read_only', says: 'To find costs without a bank line. Newest first.' },
    summary: 'List claim items',
    description: 'Newest first. `search` is a case-insensitive substring of the name. An addition.',
    returns: pageOf(ClaimItemDto),
  })
  async list(@Ctx() ctx: ReadContext, @Query() query: ListClaimItemsQuery): Promise<Page<ClaimItemDto>> {
    return toPage(query, await this.items.list(ctx, query), shownItem);
  }

  @Operation({
    id: 'claim_items.create',
    route: 'POST /',
    scope: 'claim_items:write',
    tool: {
      name: 'create_claim_item',
      set: 'claims',
      risk: 'write',
      says: 'For a cost that no bank statement has. Next: create_claim_report, as the next run has it.',
    },
    summary: 'Create a claim item',
    description: 'The next run over its day claims it. The rate is yours: say where it is from. An addition.',
    isBatched: true,
    returns: ClaimItemDto,
    emits: [ClaimItemCreated],
    problems: ['related_record_missing', 'claim_final'],
  })
  async create(@Ctx() ctx: WriteContext, @Body() input: CreateClaimItemDto): Promise<ClaimItemDto> {
    return shownItem(await this.items.create(ctx, input));
  }

  @Operation({
    id: 'claim_items.get',
    route: 'GET /:claim_item_id',
    scope: 'claim_items:read',
    summary: 'Get a claim item',
    description: 'Withdrawn ones, too. An addition.',
    returns: ClaimItemDto,
  })
  async get(@Ctx() ctx: ReadContext, @Param('claim_item_id') id: string): Promise<ClaimItemDto> {
    return shownItem(await this.items.get(ctx, id));
  }

  @Operation({
    id: 'claim_items.update',
    route: 'PATCH /:claim_item_id',
    scope: 'claim_items:write',
    tool: {
      name: 'update_claim_item',
      set: 'claims',
      risk: 'write',
      says: 'Set `status` to withdraw it. Fields left out keep their value.',
    },
    summary: 'Update a claim item',
    description: `Fields left out keep their value. An addition. ${UNCHANGED}`,
    returns: ClaimItemDto,
    emits: [ClaimItemUpdated],
    problems: ['related_record_missing', 'claim_final'],
  })
  async update(@Ctx() ctx: WriteContext, @Param('claim_item_id') id: string, @Body() input: UpdateClaimItemDto): Promise<ClaimItemDto> {
    return shownItem(await this.items.update(ctx, id, input));
  }
}
