import { Body, Controller, Param, Query } from '@nestjs/common';
import { Ctx } from '../../../api/call/ctx.decorator.js';
import { pageOf, toPage, type Page } from '../../../api/dto/page.js';
import { Capability, Operation } from '../../../api/operation/operation.decorator.js';
import { pick } from '../../../kernel/changes.js';
import { fieldsOf } from '../../../api/validation/field.js';
import type { ReadContext, WriteContext } from '../../../store/database/unit-of-work.js';
import {
  ClaimLineDecisionsDto,
  ClaimLineDetailsDto,
  ClaimLineDto,
  CreateClaimLineDecisionsDto,
  ListClaimLinesQuery,
  MAX_LINES,
} from './claim-lines.dto.js';
import { MOST_LISTED } from './listed-lines.js';
import { ClaimLinesService } from './claim-lines.service.js';

const FIELDS = [...fieldsOf(ClaimLineDto.prototype).keys()] as (keyof ClaimLineDto)[];
const shown = (line: ClaimLineDto): ClaimLineDto => pick(line, FIELDS);

/** A model that decides about lines needs none of it. */
const LEFT_OUT = ['environment', 'createdAt', 'updatedAt', 'reportId', 'statementId', 'lineNumber', 'rule', 'isApplied'];

@Capability({
  about: 'The redacted lines of a claim report run, and what people have decided about them: above all rules, and for every later run.',
  guide: 'docs/claim-lines.md',
})
@Controller('v1')
export class ClaimLinesController {
  constructor(private readonly lines: ClaimLinesService) {}

  @Operation({
    id: 'claim_lines.list',
    route: 'GET /claim-reports/:report_id/lines',
    scope: 'claim_lines:read',
    tool: {
      name: 'list_claim_lines',
      set: 'claims',
      risk: 'read_only',
      says:
        'What the newest run made of each line of the statements: `outcome` uncategorised finds those that no rule claims. ' +
        'Next: decide_claim_lines.',
      leavesOut: LEFT_OUT,
    },
    summary: 'List the lines of a claim report run',
    description:
      'In the order of the statements. Those of the newest run of a project and configuration are kept; an earlier one, or one of more ' +
      `than ${MOST_LISTED} lines, has none. Their texts are redacted. An addition.`,
    returns: pageOf(ClaimLineDto),
    reads: { action: 'claim_report.lines_read', of: 'report_id' },
  })
  async list(@Ctx() ctx: ReadContext, @Param('report_id') id: string, @Query() query: ListClaimLinesQuery): Promise<Page<ClaimLineDto>> {
    return toPage(query, await this.lines.list(ctx, id, query), shown);
  }

  @Operation({
    id: 'claim_lines.get',
    route: 'GET /claim-lines/:line_id',
    scope: 'claim_lines:read',
    summary: 'Get a claim line',
    description: 'With everything that was decided about it. An addition.',
    returns: ClaimLineDetailsDto,
    reads: { action: 'claim_line.read', of: 'line_id' },
  })
  async get(@Ctx() ctx: ReadContext, @Param('line_id') id: string): Promise<ClaimLineDetailsDto> {
    const line = await this.lines.get(ctx, id);
    return { ...shown(line), decisions: line.decisions };
  }

  @Operation({
    id: 'claim_lines.decide',
    route: 'POST /claim-line-decisions',
    scope: 'claim_lines:write',
    status: 200,
    tool: {
      name: 'decide_claim_lines',
      set: 'claims',
      risk: 'write',
      says:
        'For lines that no rule gets right. It stands above all rules. Next: create_claim_report, as the next run has it. To undo it, ' +
        'decide again.',
      leavesOut: [...LEFT_OUT, 'description', 'counterparty', 'reference', 'claimable', 'decision.by', 'decision.id', 'decision.decidedAt'],
    },
    summary: 'Decide about claim lines',
    description:
      `Up to ${MAX_LINES} lines at once, all or none: ` +
      'the category that claims them, a share, parts that make up a line, or that they are not ' +
      'claimed. The next run has it, and rules never change it: it holds for the booking, also in another statement. To undo it, decide ' +
      'again: `by_rules` leaves the lines to rules. An addition.',
    returns: ClaimLineDecisionsDto,
    problems: ['related_record_missing', 'claim_final'],
  })
  async decide(@Ctx() ctx: WriteContext, @Body() input: CreateClaimLineDecisionsDto): Promise<ClaimLineDecisionsDto> {
    return { data: (await this.lines.decide(ctx, input)).map(shown) };
  }
}
