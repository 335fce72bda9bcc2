import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../kernel/context.js';
import { Problem } from '../../../kernel/problems.js';
import type { AuditEventDto } from '../audit.dto.js';
import { AuditBrowsing } from '../audit.service.js';
import type { AuditCheckpoint } from './checkpoint.entity.js';
import { Checkpoints, type OpenCheckpoint } from './checkpoints.service.js';
import { Witnesses } from './witnesses.service.js';
import type { AuditCheckpointDto, AuditConsistencyDto, AuditProofDto } from './proofs.dto.js';

/** What the API and commands answer about the tree of a log. */
@Injectable()
export class ProofsService {
  constructor(
    private readonly checkpoints: Checkpoints,
    private readonly browsing: AuditBrowsing,
    private readonly witnesses: Witnesses,
  ) {}

  async current(organizationId: string): Promise<AuditCheckpointDto> {
    return this.written(present(await this.checkpoints.current(organizationId)));
  }

  async inclusion(tenant: Tenant, id: string): Promise<AuditProofDto> {
    const { event: _event, ...proof } = await this.prove(tenant, id);
    return proof;
  }

  /** With the event itself: all that is needed to verify it elsewhere. What does not need another answer is asked for together with it. */
  async prove(tenant: Tenant, id: string): Promise<AuditProofDto & { readonly event: AuditEventDto }> {
    const { organizationId } = tenant;
    const [event, newest] = await Promise.all([this.browsing.get(tenant, id), this.checkpoints.open(organizationId)]);
    const { sequence } = event;
    const { checkpoint, tree } = await this.covering(organizationId, sequence, newest);
    const [hashes, written] = await Promise.all([tree.inclusionPath(sequence - 1, checkpoint.size), this.written(checkpoint)]);
    return { event, eventId: event.id, sequence, hashes: asText(hashes), checkpoint: written };
  }

  async consistency(organizationId: string, from: number): Promise<AuditConsistencyDto> {
    const { checkpoint, tree } = await this.covering(organizationId, from, await this.checkpoints.open(organizationId));
    if (from > checkpoint.size)
      throw Problem.validation([{ location: 'query', field: 'from', code: 'too_large', message: `must be at most ${checkpoint.size}` }]);
    const [hashes, written] = await Promise.all([tree.consistencyPath(from, checkpoint.size), this.written(checkpoint)]);
    return { from, hashes: asText(hashes), checkpoint: written };
  }

  /** The newest one, if it covers the row: else one that does. */
  private async covering(organizationId: string, sequence: number, newest: OpenCheckpoint | undefined): Promise<OpenCheckpoint> {
    return newest && newest.checkpoint.size >= sequence ? newest : present(await this.checkpoints.openCurrent(organizationId));
  }

  private async written({ organizationId, size, note, createdAt }: AuditCheckpoint): Promise<AuditCheckpointDto> {
    const [verifierKeys, witnesses] = await Promise.all([
      this.checkpoints.verifierKeys(organizationId),
      this.witnesses.ofOrganization(organizationId),
    ]);
    const cosigned = witnesses.flatMap((witness) => (witness.size === size && witness.line !== null ? [`${witness.line}\n`] : []));
    return { origin: this.checkpoints.originOf(organizationId), size, note: note + cosigned.join(''), verifierKeys, createdAt };
  }
}

const asText = (hashes: readonly Buffer[]): string => Buffer.concat(hashes).toString('base64');

function present<Found>(checkpoint: Found | undefined): Found {
  if (!checkpoint) throw new Problem('not_found', { detail: 'The audit log has no event yet.' });
  return checkpoint;
}
