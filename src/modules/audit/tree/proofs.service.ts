import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../kernel/context.js';
import { Problem } from '../../../kernel/problems.js';
import type { AuditEventDto } from '../audit.dto.js';
import { AuditBrowsing } from '../audit.service.js';
import type { AuditCheckpoint } from './checkpoint.entity.js';
import { Checkpoints } from './checkpoints.service.js';
import type { AuditCheckpointDto, AuditConsistencyDto, AuditProofDto } from './proofs.dto.js';

/** What the API and commands answer about the tree of a log. */
@Injectable()
export class ProofsService {
  constructor(
    private readonly checkpoints: Checkpoints,
    private readonly browsing: AuditBrowsing,
  ) {}

  async current(organizationId: string): Promise<AuditCheckpointDto> {
    return this.written(present(await this.checkpoints.current(organizationId)));
  }

  async inclusion(tenant: Tenant, id: string): Promise<AuditProofDto> {
    return this.makeProof(tenant, await this.browsing.get(tenant, id));
  }

  /** With the event itself: all that is needed to verify it elsewhere. */
  async prove(tenant: Tenant, id: string): Promise<AuditProofDto & { readonly event: AuditEventDto }> {
    const event = await this.browsing.get(tenant, id);
    return { event, ...(await this.makeProof(tenant, event)) };
  }

  async consistency(organizationId: string, from: number): Promise<AuditConsistencyDto> {
    const checkpoint = present(await this.checkpoints.covering(organizationId, from));
    if (from > checkpoint.size)
      throw Problem.validation([{ location: 'query', field: 'from', code: 'too_large', message: `must be at most ${checkpoint.size}` }]);
    const hashes = asText(await this.checkpoints.consistency(checkpoint, from));
    return { from, hashes, checkpoint: await this.written(checkpoint) };
  }

  private async makeProof({ organizationId }: Tenant, { id: eventId, sequence }: AuditEventDto): Promise<AuditProofDto> {
    const checkpoint = present(await this.checkpoints.covering(organizationId, sequence));
    const hashes = asText(await this.checkpoints.inclusion(checkpoint, sequence));
    return { eventId, sequence, hashes, checkpoint: await this.written(checkpoint) };
  }

  private async written({ organizationId, size, note, createdAt }: AuditCheckpoint): Promise<AuditCheckpointDto> {
    const verifierKeys = await this.checkpoints.verifierKeys(organizationId);
    return { origin: this.checkpoints.originOf(organizationId), size, note, verifierKeys, createdAt };
  }
}

const asText = (hashes: readonly Buffer[]): string => Buffer.concat(hashes).toString('base64');

function present(checkpoint: AuditCheckpoint | undefined): AuditCheckpoint {
  if (!checkpoint) throw new Problem('not_found', { detail: 'The audit log has no event yet.' });
  return checkpoint;
}
