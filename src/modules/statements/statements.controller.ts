import { Body, Controller, Param, Query } from '@nestjs/common';
import { Ahead, Ctx } from '../../api/call/ctx.decorator.js';
import { Operation, Capability } from '../../api/operation/operation.decorator.js';
import type { Tenant } from '../../kernel/context.js';
import type { WriteContext, ReadContext } from '../../store/database/unit-of-work.js';
import { type SaidStatement, StatementIntake } from './import/intake.js';
import {
  BankStatementCheckDto,
  CreateBankStatementDto,
  STATEMENT_FORM,
  BankStatementDto,
  ListBankStatementsQuery,
  UpdateBankStatementDto,
} from './statements.dto.js';
import { UNCHANGED } from '../../api/operation/operation.js';
import { pageOf, toPage, type Page } from '../../api/dto/page.js';
import { StatementChanges, StatementsService } from './statements.service.js';
import { BankStatementReceived, BankStatementUpdated } from './statements.events.js';

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
      'Nothing of it is kept; the audit log says that it was checked. An addition.',
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

@Capability({
  about: 'The metadata of imported bank statements, and how far their redaction is. The API never returns a line of a statement.',
  guide: 'docs/bank-statements.md',
})
@Controller('v1/bank-statements')
export class StatementsController {
  constructor(
    private readonly statements: StatementsService,
    private readonly changes: StatementChanges,
    private readonly intake: StatementIntake,
  ) {}

  @Operation({
    id: 'bank_statements.list',
    route: 'GET /',
    scope: 'bank_statements:read',
    tool: {
      name: 'list_bank_statements',
      risk: 'read_only',
      says:
        'Use it to check that redaction has succeeded before you create a report. ' +
        'Newest first. Returns the records of statements with the status of their redaction, never their content.',
      without: ['search'],
    },
    summary: 'List bank statements',
    description:
      'Newest first. Returns the records of statements with the status of their redaction, never their content. ' +
      '`search` is a case-insensitive substring of the file name or of the account.',
    returns: pageOf(BankStatementDto),
  })
  async list(@Ctx() ctx: ReadContext, @Query() query: ListBankStatementsQuery): Promise<Page<BankStatementDto>> {
    return toPage(query, await this.statements.list(ctx, query), BankStatementDto.from);
  }

  @Operation({
    id: 'bank_statements.get',
    route: 'GET /:statement_id',
    scope: 'bank_statements:read',
    tool: {
      name: 'get_bank_statement',
      risk: 'read_only',
      says:
        'Use it to follow the redaction of one statement. ' +
        'Returns the record of a statement with the status of its redaction, never its content.',
    },
    summary: 'Get a bank statement',
    description: 'Returns the record of a statement with the status of its redaction, never its content.',
    returns: BankStatementDto,
  })
  async get(@Ctx() ctx: ReadContext, @Param('statement_id') id: string): Promise<BankStatementDto> {
    return BankStatementDto.from(await this.statements.get(ctx, id));
  }

  @Operation({
    id: 'bank_statements.create',
    route: 'POST /',
    scope: 'bank_statements:write',
    tool: {
      name: 'import_bank_statement',
      set: 'claims',
      risk: 'write',
      says:
        'Takes the bookings of an account, money out with a minus, into a project. Next: get_bank_statement until it is redacted, then ' +
        'create_claim_report. The same bookings again are the statement that is there.',
    },
    summary: 'Import a bank statement',
    description:
      'Takes in a file of a bank as a form (`multipart/form-data`) or as the body itself (`application/octet-stream`; the fields of the ' +
      'form are query parameters then), or the bookings of an account in JSON, as a bank has told them to a program. All are read, ' +
      'checked and redacted by a worker: follow `redactionStatus`, or the event `bank_statement.redaction_succeeded`. ' +
      'The same statement for the same claim project again is the one that is there, unless it has failed. An addition.',
    takesFile: STATEMENT_FORM,
    returns: BankStatementDto,
    emits: [BankStatementReceived],
    problems: ['related_record_missing'],
    ahead: 'prepare',
  })
  async create(
    @Ctx() ctx: WriteContext,
    @Body() input: CreateBankStatementDto,
    @Ahead() prepared: Awaited<ReturnType<StatementIntake['prepare']>>,
  ): Promise<BankStatementDto> {
    return BankStatementDto.from(await this.intake.record(ctx, input, prepared));
  }

  @Operation({
    id: 'bank_statements.retry',
    route: 'POST /:statement_id/retry',
    scope: 'bank_statements:write',
    status: 200,
    summary: 'Retry a bank statement',
    description: 'Redacts one again whose redaction has failed. One that is queued or running already stays as it is. An addition.',
    returns: BankStatementDto,
    emits: [BankStatementUpdated],
    problems: ['wrong_state'],
  })
  async retry(@Ctx() ctx: WriteContext, @Param('statement_id') id: string): Promise<BankStatementDto> {
    return BankStatementDto.from(await this.changes.retry(ctx, id));
  }

  prepare(tenant: Tenant, input: SaidStatement): ReturnType<StatementIntake['prepare']> {
    return this.intake.prepare(tenant, input);
  }

  @Operation({
    id: 'bank_statements.update',
    route: 'PATCH /:statement_id',
    scope: 'bank_statements:write',
    tool: {
      name: 'update_bank_statement',
      set: 'claims',
      risk: 'write',
      says: 'Moves it to another project, or to none.',
    },
    summary: 'Update a bank statement',
    description: `Moves it to another claim project. Reports that have read it stay as they are. An addition. ${UNCHANGED}`,
    returns: BankStatementDto,
    emits: [BankStatementUpdated],
    problems: ['related_record_missing', 'claim_final'],
  })
  async update(
    @Ctx() ctx: WriteContext,
    @Param('statement_id') id: string,
    @Body() input: UpdateBankStatementDto,
  ): Promise<BankStatementDto> {
    return BankStatementDto.from(await this.changes.update(ctx, id, input));
  }
}
