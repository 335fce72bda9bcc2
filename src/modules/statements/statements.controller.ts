import { Controller, Param, Query } from '@nestjs/common';
import { Ctx } from '../../api/call/ctx.decorator.js';
import type { ReadContext } from '../../store/database/transaction.js';
import { Operation } from '../../api/operation/operation.decorator.js';
import { pageOf, toPage, type Page } from '../../api/dto/page.js';
import { BankStatementDto, ListBankStatementsQuery } from './statements.dto.js';
import { StatementsService } from './statements.service.js';

@Controller('v1/bank-statements')
export class StatementsController {
  constructor(private readonly statements: StatementsService) {}

  @Operation({
    id: 'bank_statements.list',
    route: 'GET /',
    scope: 'bank_statements:read',
    tool: {
      name: 'list_bank_statements',
      risk: 'read_only',
      hint: 'To see that redaction has succeeded before a report is made.',
      without: ['search'],
    },
    summary: 'List bank statements',
    description:
      'Newest first: what is known of them and of their redaction, never what stands in them. `search` looks for a part of the file name or of the account.',
    returns: pageOf(BankStatementDto),
  })
  async list(@Ctx() ctx: ReadContext, @Query() query: ListBankStatementsQuery): Promise<Page<BankStatementDto>> {
    return toPage(query, await this.statements.list(ctx, query), BankStatementDto.from);
  }

  @Operation({
    id: 'bank_statements.get',
    route: 'GET /:statement_id',
    scope: 'bank_statements:read',
    tool: { name: 'get_bank_statement', risk: 'read_only', hint: 'To follow the redaction of one statement.' },
    summary: 'Get a bank statement',
    description: 'What is known of it and of its redaction, never what stands in it.',
    returns: BankStatementDto,
  })
  async get(@Ctx() ctx: ReadContext, @Param('statement_id') id: string): Promise<BankStatementDto> {
    return BankStatementDto.from(await this.statements.get(ctx, id));
  }
}
