import { Injectable } from '@nestjs/common';
import { ENVIRONMENTS, type Environment } from '../../../kernel/context.js';
import { OrganizationService } from '../../organization/index.js';
import type { UserFacts } from '../../users/index.js';
import { ConnectionRulesService } from '../shared/connections/connection-rules.service.js';
import { type ConnectionRefusal, ConnectionsService } from '../shared/connections/connections.service.js';
import type { SharedClient } from '../shared/shared-client.js';
import { consentPage } from './consent.page.js';
import type { Question } from './interactions.service.js';
import type { ScopeText } from './scope-texts.js';
import { identityOf, refusedConnectionPage, whoAsks } from './shared-consent.page.js';
import { signInPage } from './sign-in.page.js';

export interface Shown {
  readonly action: string;
  readonly csrf: string;
  /** Undefined before the sign-in. */
  readonly user: UserFacts | undefined;
  readonly redirectUri: string;
  readonly allowed: readonly ScopeText[];
  readonly email: string;
  readonly problem?: string;
  /** What the organization decided while the page was open. */
  readonly refused?: ConnectionRefusal;
}

/** The pages of an application that serves every organization: its user decides, or learns that their organization has decided. */
@Injectable()
export class SharedConsent {
  constructor(
    private readonly organizations: OrganizationService,
    private readonly rules: ConnectionRulesService,
    private readonly connections: ConnectionsService,
  ) {}

  async page(client: SharedClient, { user, email, problem, refused, ...shown }: Shown): Promise<{ status: number; page: string }> {
    const { action, csrf } = shown;
    const form = { action, csrf, applicationName: identityOf(client) };
    if (!user) return { status: problem ? 400 : 200, page: signInPage({ ...form, organizationName: null, email, problem }) };
    const { name: organizationName } = await this.organizations.byId(user.organizationId);
    const reason = refused ?? (await this.connections.refusalOf(user, client));
    if (reason) return { status: 403, page: refusedConnectionPage({ ...form, organizationName, reason }) };
    const isDeciding = (await this.rules.verdict(user.organizationId, client.clientId)) === 'undecided';
    const warning = whoAsks(client, isDeciding ? { organizationName } : undefined);
    return { status: 200, page: consentPage({ ...shown, ...form, organizationName, environment: null, userName: user.name, warning }) };
  }
}

/** The environment that the user allows access to; undefined if they did not allow anything. */
export function chosenEnvironment({ application }: Question, decision: string | null): Environment | undefined {
  if (application) return decision === 'allow' ? application.environment : undefined;
  return ENVIRONMENTS.find((environment) => decision === `allow:${environment}`);
}
