import { Controller, Query } from '@nestjs/common';
import { Ctx } from '../../api/call/ctx.decorator.js';
import type { ReadContext } from '../../store/database/unit-of-work.js';
import { Capability, Operation } from '../../api/operation/operation.decorator.js';
import { AUDIT_PLAN, AuditEventPageDto, ListAuditEventsQuery } from './audit.dto.js';
import { AuditService } from './audit.service.js';

const READING =
  'every change, and every credential that was refused. Follow `nextCursor` until `hasMore` is false; keep the last cursor and ' +
  'continue from it later. No event is skipped or returned twice, even while others are written. A live credential sees the whole ' +
  'log, a test credential only the events of the test environment, so its `sequence` has gaps.';

@Capability({
  about: 'The audit log has every change in the organization. Its events form a hash chain that you can verify.',
  guide: 'docs/audit-log.md',
})
@Controller('v1/audit/events')
export class AuditController {
  constructor(private readonly audit: AuditService) {}

  @Operation({
    id: 'audit.list',
    cannotBeCut: true,
    route: 'GET /',
    scope: 'audit:read',
    role: 'admin',
    plan: AUDIT_PLAN,
    concerns: 'organization',
    tool: {
      name: 'list_audit_events',
      risk: 'read_only',
      says: `To find out who changed what, and when. Oldest first: ${READING}`,
      leavesOut: [
        ...['id', 'environment', 'createdAt', 'actor.id', 'resource.type', 'ipAddress', 'requestId'],
        ...['sequence', 'previousHash', 'hash', 'commitments', 'salts'],
      ],
    },
    summary: 'List audit events',
    description: `The audit log of the organization, oldest first: ${READING}`,
    returns: AuditEventPageDto,
  })
  list(@Ctx() ctx: ReadContext, @Query() query: ListAuditEventsQuery): Promise<AuditEventPageDto> {
    return this.audit.list(ctx, query);
  }
}
