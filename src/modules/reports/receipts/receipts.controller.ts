import { Body, Controller, Param, Query } from '@nestjs/common';
import { Ahead, Ctx } from '../../../api/call/ctx.decorator.js';
import { pageOf, toPage, type Page } from '../../../api/dto/page.js';
import { Capability, Operation } from '../../../api/operation/operation.decorator.js';
import { UNCHANGED } from '../../../api/operation/operation.js';
import type { Tenant } from '../../../kernel/context.js';
import type { ReadContext, WriteContext } from '../../../store/database/unit-of-work.js';
import { CreateReceiptDto, ListReceiptsQuery, RECEIPT_FORM, ReceiptDto, type SaidReceipt, UpdateReceiptDto } from './receipts.dto.js';
import { ReceiptCreated, ReceiptUpdated } from './receipts.events.js';
import { ReceiptsService } from './receipts.service.js';

@Capability({
  about: 'Files at claim lines, claim items and claim projects. Reports name them, and evidence packs have them.',
  guide: 'docs/receipts.md',
})
@Controller('v1/receipts')
export class ReceiptsController {
  constructor(private readonly receipts: ReceiptsService) {}

  @Operation({
    id: 'receipts.list',
    route: 'GET /',
    scope: 'receipts:read',
    summary: 'List receipts',
    description: 'Newest first. Those of a claim line are those of its booking, whichever run it was. An addition.',
    returns: pageOf(ReceiptDto),
  })
  async list(@Ctx() ctx: ReadContext, @Query() query: ListReceiptsQuery): Promise<Page<ReceiptDto>> {
    return toPage(query, await this.receipts.list(ctx, query), ReceiptDto.from);
  }

  @Operation({
    id: 'receipts.create',
    route: 'POST /',
    scope: 'receipts:write',
    summary: 'Add a receipt',
    description:
      'Takes a PDF, JPEG, PNG or HEIC file or an e-mail as a form (`multipart/form-data`), or a small one in JSON. It is kept encrypted. ' +
      'The same file at the same place again is the receipt that is there. An addition.',
    takesFile: RECEIPT_FORM,
    returns: ReceiptDto,
    emits: [ReceiptCreated],
    problems: ['related_record_missing', 'claim_final', 'limit_exceeded'],
    ahead: 'prepare',
  })
  async create(
    @Ctx() ctx: WriteContext,
    @Body() input: CreateReceiptDto,
    @Ahead() sent: Awaited<ReturnType<ReceiptsService['prepare']>>,
  ): Promise<ReceiptDto> {
    return ReceiptDto.from(await this.receipts.create(ctx, input, sent));
  }

  prepare(tenant: Tenant, input: SaidReceipt): ReturnType<ReceiptsService['prepare']> {
    return this.receipts.prepare(tenant, input);
  }

  @Operation({
    id: 'receipts.get',
    route: 'GET /:receipt_id',
    scope: 'receipts:read',
    summary: 'Get a receipt',
    description: 'What is known of the file, never its content. Withdrawn ones, too. An addition.',
    returns: ReceiptDto,
  })
  async get(@Ctx() ctx: ReadContext, @Param('receipt_id') id: string): Promise<ReceiptDto> {
    return ReceiptDto.from(await this.receipts.get(ctx, id));
  }

  @Operation({
    id: 'receipts.update',
    route: 'PATCH /:receipt_id',
    scope: 'receipts:write',
    summary: 'Update a receipt',
    description: `Fields left out keep their value. Set \`status\` to withdraw it: later runs do not have it. An addition. ${UNCHANGED}`,
    returns: ReceiptDto,
    emits: [ReceiptUpdated],
    problems: ['claim_final'],
  })
  async update(@Ctx() ctx: WriteContext, @Param('receipt_id') id: string, @Body() input: UpdateReceiptDto): Promise<ReceiptDto> {
    return ReceiptDto.from(await this.receipts.update(ctx, id, input));
  }
}
