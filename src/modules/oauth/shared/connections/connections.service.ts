import { NO_LIMITS } from '../../../../api/limits/own-limits.js';
import { Injectable } from '@nestjs/common';
import { changedProperties, changesBetween, pick } from '../../../../kernel/changes.js';
import { changeContext, type Environment, type Actor, type ChangeContext } from '../../../../kernel/context.js';
import { Problem } from '../../../../kernel/problems.js';
import { Settings } from '../../../../kernel/settings/settings.js';
import { Clock } from '../../../../kernel/time.js';
import { AuditRecorder, type AuditAction } from '../../../../store/audit/audit-recorder.js';
import { aNewRow } from '../../../../store/database/columns.js';
import { type Unit, type WriteContext, type InTransaction, UnitOfWork } from '../../../../store/database/unit-of-work.js';
import type { UserFacts } from '../../../users/index.js';
import { type Application, NO_SECRET } from '../../applications/application.entity.js';
import type { PublicKeys } from '../../applications/public-keys.js';
import { ApplicationsRepository, ApplicationCache } from '../../applications/applications.repository.js';
import { makeClientId, type SharedClient } from '../../applications/client-metadata.js';
import { ClientDocuments, isDocumentUrl } from '../documents/client-documents.js';
import { KeyDocuments } from '../documents/key-documents.js';
import { documentUrlProblem } from '../documents/remembered-documents.js';
import { isRegisteredId, RegistrationsService } from '../registrations/registrations.service.js';
import type { ClientDecision, ConnectionRule } from './connection-rule.entity.js';
import { ConnectionRulesRepository } from './connection-rules.repository.js';

interface Wanted {
  readonly client: SharedClient;
  readonly user: UserFacts;
  readonly environment: Environment;
  readonly scopes: readonly string[];
  readonly requestId: string;
  readonly ipAddress: string;
}

export type ConnectionRefusal = 'none_allowed' | 'denied' | 'ask_an_owner' | 'suspended';

const SHOWN = ['name', 'redirectUris', 'scopes', 'sharedClientId', 'status'] as const;

/** Which shared applications an organization allows. Whatever changes is in force everywhere within a second. */
@Injectable()
export class ConnectionRulesService {
  constructor(
    private readonly rules: ConnectionRulesRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  async verdict(organizationId: string, clientId: string): Promise<Verdict> {
    const { rule, isAllowed } = await this.rules.decided(organizationId, clientId);
    const inForce = rule ?? DEFAULT_RULE;
    if (inForce === 'none') return 'none_allowed';
    if (isAllowed !== null) return isAllowed ? 'allowed' : 'denied';
    return inForce === 'all' ? 'allowed' : 'undecided';
  }

  /** Whether tokens of its users work. */
  async allows(organizationId: string, clientId: string): Promise<boolean> {
    return (await this.verdict(organizationId, clientId)) === 'allowed';
  }

  async ofOrganization(organizationId: string): Promise<{ rule: ConnectionRule; decisions: ClientDecision[] }> {
    const { rule } = await this.rules.decided(organizationId, '');
    return { rule: rule ?? DEFAULT_RULE, decisions: await this.rules.ofOrganization(organizationId) };
  }

  setRule(actor: Actor, organizationId: string, rule: ConnectionRule): Promise<void> {
    return this.unitOfWork.run(changeContext(organizationId, actor), async (ctx) => {
      const from = (await this.rules.decided(organizationId, '', ctx.unit)).rule ?? DEFAULT_RULE;
      if (from === rule) return;
      await this.rules.setRule(organizationId, rule, this.clock.timestamp(), ctx.unit);
      this.record(ctx, 'organization.applications_changed', { applications: { from, to: rule } });
    });
  }

  async decide(actor: Actor, organizationId: string, clientId: string, isAllowed: boolean): Promise<void> {
    if (!isRegisteredId(clientId) && documentUrlProblem(clientId, this.settings.clientDocumentAllowedNetworks) !== undefined)
      throw Problem.invalidField('client', 'not_allowed', `must be the URL of a metadata document, or a client id that begins with reg_`);
    await this.unitOfWork.run(changeContext(organizationId, actor), (ctx) => this.decideIn(ctx, clientId, isAllowed));
  }

  async decideIn(ctx: InTransaction<ChangeContext>, clientId: string, isAllowed: boolean): Promise<void> {
    const { organizationId, unit } = ctx;
    const from = (await this.rules.decided(organizationId, clientId, unit)).isAllowed;
    if (from === isAllowed) return;
    await this.rules.decide({ organizationId, clientId, isAllowed, updatedAt: this.clock.timestamp() }, unit);
    this.record(ctx, isAllowed ? 'organization.application_allowed' : 'organization.application_denied', {
      client: { from: null, to: clientId },
    });
  }

  private record(ctx: InTransaction<ChangeContext>, action: AuditAction, changes: Record<string, { from: unknown; to: unknown }>): void {
    this.audit.record(ctx, { action, resourceId: ctx.organizationId, changes });
  }
}

/** A shared application has a connection in each organization and environment: suspending it concerns nobody else. */
@Injectable()
export class ConnectionsService {
  constructor(
    private readonly rules: ConnectionRulesService,
    private readonly applications: ApplicationsRepository,
    private readonly registrations: RegistrationsService,
    private readonly audit: AuditRecorder,
    private readonly clock: Clock,
  ) {}

  async findRefusal({ organizationId, role }: UserFacts, { clientId }: SharedClient): Promise<ConnectionRefusal | undefined> {
    const verdict = await this.rules.verdict(organizationId, clientId);
    if (verdict !== 'undecided') return verdict === 'allowed' ? undefined : verdict;
    return role === 'member' ? 'ask_an_owner' : undefined;
  }

  async isInForce({ status, organizationId, sharedClientId }: Application): Promise<boolean> {
    return status === 'approved' && sharedClientId !== null && (await this.rules.allows(organizationId, sharedClientId));
  }

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
    const row: Application = {
      ...aNewRow(ctx, this.clock.timestamp()),
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
      jwksUri: null,
      securityRules: [...client.securityRules],
      ...NO_SECRET,
      ...NO_LIMITS,
      projectIds: null,
      confirmations: null,
    };
    await this.applications.insert(ctx, row);
    const changes = changesBetween(null, pick(row, SHOWN));
    this.audit.record(ctx, { action: 'application.connected', resourceId: row.id, changes });
    return row;
  }

  /** The application may have changed, and this user may allow more than others before. */
  private async update(ctx: WriteContext, before: Application, { client, scopes }: Wanted): Promise<Application> {
    const after = {
      ...before,
      name: client.name,
      redirectUris: [...client.redirectUris],
      securityRules: [...client.securityRules],
      scopes: [...new Set([...before.scopes, ...scopes])].sort(),
    };
    const changed = changedProperties(before, after);
    if (changed.length === 0) return before;
    after.updatedAt = this.clock.timestamp();
    await this.applications.update(ctx, after, [...changed, 'updatedAt']);
    this.audit.record(ctx, { action: 'application.updated', resourceId: after.id, changes: changesBetween(before, after) });
    return after;
  }
}

/** Owners and admins decide for their organization; others ask them. */
const DEFAULT_RULE: ConnectionRule = 'listed';

/** What an organization says to a shared application. `undecided`: nobody there has been asked yet. */
type Verdict = 'allowed' | 'denied' | 'undecided' | 'none_allowed';

export type Asker = Application | SharedClient;

export const isShared = (asker: Asker): asker is SharedClient => !('organizationId' in asker);

@Injectable()
export class Clients {
  constructor(
    private readonly applications: ApplicationCache,
    private readonly registrations: RegistrationsService,
    private readonly documents: ClientDocuments,
    private readonly keyDocuments: KeyDocuments,
    private readonly settings: Settings,
  ) {}

  /** Undefined if there is none, or none that is approved. Throws `ClientDocumentRefused`. */
  async find(clientId: string, callerAddress: string): Promise<Asker | undefined> {
    if (isDocumentUrl(clientId)) return this.settings.clientDocuments ? this.documents.find(clientId, callerAddress) : undefined;
    if (isRegisteredId(clientId)) return this.registrations.find(clientId);
    const application = await this.applications.byClientId(clientId);
    // Nobody signs in with the client id of a connection: it stands for a shared application, which has one of its own.
    return application?.status === 'approved' && application.sharedClientId === null ? application : undefined;
  }
  /** The keys with which assertions of an application are verified. Those that it publishes are fetched when it sends an assertion. */
  async findKeys({ publicKeys, jwksUri }: Application, { address, assertion }: Caller): Promise<PublicKeys | null> {
    if (jwksUri === null) return publicKeys;
    if (!assertion) return { keys: [] };
    const { kid } = assertion;
    return this.keyDocuments.find(jwksUri, address, ({ keys }) => kid === undefined || keys.some((key) => key.kid === kid));
  }
}

/** Who asks the authorization server; with an assertion, by which key it says to be signed. */
export interface Caller {
  readonly address: string;
  readonly assertion: { readonly kid: unknown } | undefined;
}
