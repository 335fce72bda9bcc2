import { Injectable } from '@nestjs/common';
import { changedProperties } from '../../../../kernel/changes.js';
import { changeContext, type Environment } from '../../../../kernel/context.js';
import { newId } from '../../../../kernel/ids.js';
import { Clock } from '../../../../kernel/time.js';
import { AuditRecorder } from '../../../../store/audit/audit-recorder.js';
import type { Unit, WriteContext } from '../../../../store/database/unit-of-work.js';
import type { UserFacts } from '../../../users/index.js';
import type { Application } from '../../applications/application.entity.js';
import { ApplicationsRepository } from '../../applications/applications.repository.js';
import { makeClientId } from '../../applications/client-secret.js';
import { isRegisteredId, RegistrationsService } from '../registrations/registrations.service.js';
import type { SharedClient } from '../shared-client.js';
import { ConnectionRulesService } from './connection-rules.service.js';

/** A user's decision to let a shared application act for them. */
export interface Wanted {
  readonly client: SharedClient;
  readonly user: UserFacts;
  readonly environment: Environment;
  readonly scopes: readonly string[];
  readonly requestId: string;
  readonly ipAddress: string;
}

export type ConnectionRefusal = 'none_allowed' | 'denied' | 'ask_an_owner' | 'suspended';

const SHOWN = ['name', 'redirectUris', 'scopes'] as const;

/**
 * A shared application gets a connection of its own in each organization and environment, with the first consent there. Tokens belong
 * to it: so they belong to one organization and one environment, and suspending it concerns nobody else.
 */
@Injectable()
export class ConnectionsService {
  constructor(
    private readonly rules: ConnectionRulesService,
    private readonly applications: ApplicationsRepository,
    private readonly registrations: RegistrationsService,
    private readonly audit: AuditRecorder,
    private readonly clock: Clock,
  ) {}

  /** undefined: the user may connect it. */
  async findRefusal({ organizationId, role }: UserFacts, { clientId }: SharedClient): Promise<ConnectionRefusal | undefined> {
    const verdict = await this.rules.verdict(organizationId, clientId);
    if (verdict !== 'undecided') return verdict === 'allowed' ? undefined : verdict;
    return role === 'member' ? 'ask_an_owner' : undefined;
  }

  async isInForce({ status, organizationId, sharedClientId }: Application): Promise<boolean> {
    return status === 'approved' && sharedClientId !== null && (await this.rules.allows(organizationId, sharedClientId));
  }

  /** Creates the connection, or takes the one that is there. In the transaction of the consent. */
  async connect(wanted: Wanted, unit: Unit): Promise<Application | ConnectionRefusal> {
    const { client, user, environment, requestId, ipAddress } = wanted;
    const refusal = await this.findRefusal(user, client);
    if (refusal) return refusal;
    const actor = { type: 'user' as const, id: user.id, name: user.name };
    const ctx: WriteContext = { ...changeContext(user.organizationId, actor, environment), environment, requestId, ipAddress, unit };
    const before = await this.applications.lockConnection(ctx, client.clientId);
    if (before && before.status !== 'approved') return 'suspended';
    // What an owner connects is allowed from then on. It may have been allowed before, or be allowed as all are.
    const isDecided = await this.rules.allows(user.organizationId, client.clientId);
    if (!isDecided) await this.rules.decideIn({ ...ctx, environment: null }, client.clientId, true);
    if (isRegisteredId(client.clientId)) await this.registrations.use(client.clientId, unit);
    return before ? this.update(ctx, before, wanted) : this.create(ctx, wanted);
  }

  private async create(ctx: WriteContext, { client, scopes }: Wanted): Promise<Application> {
    const now = this.clock.timestamp();
    const row: Application = {
      id: newId(),
      organizationId: ctx.organizationId,
      environment: ctx.environment,
      createdAt: now,
      updatedAt: now,
      name: client.name,
      clientId: makeClientId(),
      isPublic: true,
      grants: ['authorization_code'],
      redirectUris: [...client.redirectUris],
      scopes: [...scopes].sort(),
      status: 'approved',
      heldByOperator: false,
      sharedClientId: client.clientId,
      publicKeys: null,
      secretHash: null,
      secretHint: null,
      previousSecretHash: null,
      previousSecretExpiresAt: null,
    };
    await this.applications.insert(ctx, row);
    const shown = [...SHOWN, 'sharedClientId', 'status'] as const;
    this.audit.record(ctx, {
      action: 'application.connected',
      resourceId: row.id,
      changes: Object.fromEntries(shown.map((field) => [field, { from: null, to: row[field] }])),
    });
    return row;
  }

  /** The application may have changed, and this user may allow more than others before. */
  private async update(ctx: WriteContext, before: Application, { client, scopes }: Wanted): Promise<Application> {
    const after = {
      ...before,
      name: client.name,
      redirectUris: [...client.redirectUris],
      scopes: [...new Set([...before.scopes, ...scopes])].sort(),
    };
    const changed = changedProperties(before, after);
    if (changed.length === 0) return before;
    after.updatedAt = this.clock.timestamp();
    await this.applications.update(ctx, after, [...changed, 'updatedAt']);
    this.audit.record(ctx, {
      action: 'application.updated',
      resourceId: after.id,
      changes: Object.fromEntries(changed.map((field) => [field, { from: before[field], to: after[field] }])),
    });
    return after;
  }
}
