import { Body, Controller } from '@nestjs/common';
import { Ahead, Ctx } from '../../api/call/ctx.decorator.js';
import { Operation } from '../../api/operation/operation.decorator.js';
import type { Tenant } from '../../kernel/context.js';
import type { WriteContext } from '../../store/database/unit-of-work.js';
import { type SaidStatement, StatementIntake } from './import/intake.js';
import { BankStatementCheckDto, CreateBankStatementDto, STATEMENT_FORM } from './statements.dto.js';

/** A path of its own: below that of statements it would be one of them. */
@Controller('v1/bank-statement-checks')
export class StatementChecksController {
  constructor(private readonly intake: StatementIntake) {}

  @Operation({
    id: 'bank_statements.check',
    route: 'POST /',
    scope: 'bank_statements:write',
    status: 200,
    summary: 'Check a bank statement',
    description:
      'Says how a file or a feed would be read: its lines, period, certainty and warnings, what would be masked, or why it would fail. ' +
      'Nothing of it is kept; the audit log says that it was checked. Since 1.1.',
    takesFile: STATEMENT_FORM,
    returns: BankStatementCheckDto,
    problems: ['related_record_missing'],
    ahead: 'read',
  })
  async check(
    @Ctx() ctx: WriteContext,
    @Body() input: CreateBankStatementDto,
    @Ahead() check: Awaited<ReturnType<StatementIntake['check']>>,
  ): Promise<BankStatementCheckDto> {
    return BankStatementCheckDto.from(await this.intake.checked(ctx, input, check));
  }

  read(tenant: Tenant, input: SaidStatement): ReturnType<StatementIntake['check']> {
    return this.intake.check(tenant, input);
  }
}
