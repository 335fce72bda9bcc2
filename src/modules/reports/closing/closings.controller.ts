import { Body, Controller, Param, Query } from '@nestjs/common';
import { Ahead, Ctx } from '../../../api/call/ctx.decorator.js';
import { pageOf, toPage, type Page } from '../../../api/dto/page.js';
import { Capability, Operation } from '../../../api/operation/operation.decorator.js';
import type { RequestContext } from '../../../api/operation/operation.js';
import type { InTransaction, ReadContext } from '../../../store/database/unit-of-work.js';
import { ClaimClosingDto, CreateClaimClosingDto, ListClaimClosingsQuery } from './closings.dto.js';
import { CLOSING_EVENTS } from './closings.events.js';
import { ClosingsService } from './closings.service.js';
import type { PreparedPack } from './final-claims.js';

@Capability({
  about: 'The steps by which a claim is closed: reviewed, approved by another person, final, and later corrected or reopened.',
  guide: 'docs/claim-closing.md',
})
@Controller('v1/claim-closings')
export class ClosingsController {
  constructor(private readonly closings: ClosingsService) {}

  @Operation({
    id: 'claim_closings.list',
    route: 'GET /',
    scope: 'claim_closings:read',
    tool: {
      name: 'list_claim_closings',
      set: 'claims',
      risk: 'read_only',
      says: 'To find out how far a claim is. Newest first.',
    },
    summary: 'List claim closings',
    description: 'Newest first. A step is never changed: the state of a claim is that of the newest one of its run. An addition.',
    returns: pageOf(ClaimClosingDto),
  })
  async list(@Ctx() ctx: ReadContext, @Query() query: ListClaimClosingsQuery): Promise<Page<ClaimClosingDto>> {
    return toPage(query, await this.closings.list(ctx, query), ClaimClosingDto.from);
  }

  @Operation({
    id: 'claim_closings.create',
    route: 'POST /',
    scope: 'claim_closings:write',
    tool: {
      name: 'close_claim',
      set: 'claims',
      risk: 'write',
      says:
        'When somebody has checked the run: first reviewed, then approved by another person, then final. A final claim locks the days of ' +
        'its project for good.',
      leavesOut: ['inputsHash', 'pack.signature', 'pack.publicKey'],
    },
    summary: 'Close, correct or reopen a claim',
    description:
      'Takes one step of the claim of a run. `final` locks the days of the claim project, freezes the inputs and signs the evidence ' +
      'pack. Another run corrects a final claim. An addition.',
    returns: ClaimClosingDto,
    emits: CLOSING_EVENTS,
    problems: ['related_record_missing', 'claim_state', 'claim_final'],
    ahead: 'prepare',
  })
  async create(
    @Ctx() ctx: InTransaction<RequestContext>,
    @Body() input: CreateClaimClosingDto,
    @Ahead() prepared: PreparedPack | undefined,
  ): Promise<ClaimClosingDto> {
    return ClaimClosingDto.from(await this.closings.take(ctx, { actor: ctx.actor, caller: ctx.principal }, input, prepared));
  }

  @Operation({
    id: 'claim_closings.get',
    route: 'GET /:claim_closing_id',
    scope: 'claim_closings:read',
    summary: 'Get a claim closing',
    description: 'Of a final claim, it has the hash of the inputs, and that of the signed evidence pack with its key. An addition.',
    returns: ClaimClosingDto,
  })
  async get(@Ctx() ctx: ReadContext, @Param('claim_closing_id') id: string): Promise<ClaimClosingDto> {
    return ClaimClosingDto.from(await this.closings.get(ctx, id));
  }

  prepare(ctx: RequestContext, input: CreateClaimClosingDto): Promise<PreparedPack | undefined> {
    return this.closings.prepare(ctx, { actor: ctx.actor, caller: ctx.principal }, input);
  }
}
