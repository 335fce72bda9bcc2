import { Controller, Get, Header, Param, Query } from '@nestjs/common';
import { Ctx } from '../../../api/call/ctx.decorator.js';
import { Operation, Protocol } from '../../../api/operation/operation.decorator.js';
import type { ReadContext } from '../../../store/database/unit-of-work.js';
import { AUDIT_PLAN } from '../audit.dto.js';
import { Checkpoints } from './checkpoints.service.js';
import { AuditCheckpointDto, AuditConsistencyDto, AuditProofDto, ConsistencyQuery } from './proofs.dto.js';
import { ProofsService } from './proofs.service.js';

const READS = { scope: 'audit:read', role: 'admin', plan: AUDIT_PLAN } as const;
const KEYS_PATH = '.well-known/claims-audit-keys';

@Controller('v1/audit')
export class ProofsController {
  constructor(private readonly proofs: ProofsService) {}

  @Operation({
    ...READS,
    id: 'audit.get_checkpoint',
    route: 'GET /checkpoint',
    concerns: 'organization',
    summary: 'Get a checkpoint of the audit log',
    description:
      'A signed statement of how many events the log has and of the root hash over them. Keep one: it shows later that an event was in ' +
      `the log, or that the log was rewritten. The keys are at \`/${KEYS_PATH}\`, too. An addition.`,
    returns: AuditCheckpointDto,
  })
  checkpoint(@Ctx() { organizationId }: ReadContext): Promise<AuditCheckpointDto> {
    return this.proofs.current(organizationId);
  }

  @Operation({
    ...READS,
    id: 'audit.get_proof',
    route: 'GET /events/:event_id/proof',
    concerns: 'organization',
    summary: 'Prove an audit event',
    description:
      'The hashes that lead from one event to the root of a checkpoint: at most 1 KiB, however long the log is. They can be verified ' +
      'without this service. An addition.',
    returns: AuditProofDto,
  })
  proof(@Ctx() ctx: ReadContext, @Param('event_id') id: string): Promise<AuditProofDto> {
    return this.proofs.inclusion(ctx, id);
  }

  @Operation({
    ...READS,
    id: 'audit.get_consistency',
    route: 'GET /consistency',
    concerns: 'organization',
    summary: 'Prove that the audit log only grew',
    description:
      'The hashes that show that the log of the newest checkpoint begins with the events of an earlier one: nothing of them was changed, ' +
      'removed or put between. An addition.',
    returns: AuditConsistencyDto,
  })
  consistency(@Ctx() { organizationId }: ReadContext, @Query() { from }: ConsistencyQuery): Promise<AuditConsistencyDto> {
    return this.proofs.consistency(organizationId, from);
  }
}

@Controller()
export class AuditKeysController {
  constructor(private readonly checkpoints: Checkpoints) {}

  @Protocol('The public keys that checkpoints of audit logs are signed with.')
  @Get(KEYS_PATH)
  @Header('Cache-Control', 'public, max-age=300')
  async published(): Promise<{ keys: { algorithm: string; publicKey: string; createdAt: string }[] }> {
    const all = await this.checkpoints.publicKeys();
    return { keys: all.map(({ publicKey, createdAt }) => ({ algorithm: 'Ed25519', publicKey: publicKey.toString('base64'), createdAt })) };
  }
}
