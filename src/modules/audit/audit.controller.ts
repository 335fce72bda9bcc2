import { Controller, Query } from '@nestjs/common';
import { Ctx } from '../../api/call/ctx.decorator.js';
import type { ReadContext } from '../../store/database/transaction.js';
import { Operation } from '../../api/operation/operation.decorator.js';
import { AuditPageDto, ListAuditEventsQuery } from './audit.dto.js';
import { AuditService } from './audit.service.js';

@Controller('v1/audit/events')
export class AuditController {
  constructor(private readonly audit: AuditService) {}

  @Operation({
    id: 'audit.list',
    route: 'GET /',
    scope: 'audit:read',
    plan: 'enterprise',
    tool: { name: 'list_audit_events', risk: 'read_only', hint: 'To find out who changed what, and when.' },
    summary: 'List audit events',
    description:
      'The log of the organization, oldest first: every change, and every credential that was refused. Go on with `nextCursor` until `hasMore` is false, and come back with the last one later: nothing is missed and nothing comes twice, whoever writes meanwhile. A live credential is given all; a test credential only what is of the test environment, so that `sequence` has holes.',
    returns: AuditPageDto,
  })
  list(@Ctx() ctx: ReadContext, @Query() query: ListAuditEventsQuery): Promise<AuditPageDto> {
    return this.audit.list(ctx, query);
  }
}
