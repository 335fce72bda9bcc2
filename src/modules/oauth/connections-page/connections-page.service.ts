import { Injectable } from '@nestjs/common';
import { changeContext, type Environment } from '../../../kernel/context.js';
import { isUuid } from '../../../kernel/ids.js';
import { Clock } from '../../../kernel/time.js';
import { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import { UnitOfWork } from '../../../store/database/unit-of-work.js';
import type { UserFacts } from '../../users/index.js';
import { ConnectionsPageRepository, type GrantRow } from './connections-page.repository.js';

/** An application that may act for a user, with everything that its consents together allow. */
export interface Connection {
  readonly applicationId: string;
  readonly applicationName: string;
  readonly environment: Environment;
  readonly scopes: readonly string[];
  readonly since: Date;
  readonly lastToken: Date | null;
}

interface Call {
  readonly requestId: string;
  readonly ipAddress: string;
}

/** The applications that a user allowed something. */
@Injectable()
export class ConnectionsPageService {
  constructor(
    private readonly connections: ConnectionsPageRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
    private readonly clock: Clock,
  ) {}

  async of({ id, organizationId }: UserFacts): Promise<Connection[]> {
    const grants = await this.connections.grantsOf(id, organizationId, this.clock.timestamp());
    const byApplication = new Map<string, GrantRow[]>();
    for (const grant of grants) byApplication.set(grant.applicationId, [...(byApplication.get(grant.applicationId) ?? []), grant]);
    return [...byApplication.values()].map(connectionOf).sort((a, b) => b.since.getTime() - a.since.getTime());
  }

  /** Ends the access at once, and writes it to the audit log. Nothing happens if there is none. */
  async end(user: UserFacts, applicationId: string, { requestId, ipAddress }: Call): Promise<void> {
    if (!isUuid(applicationId)) return;
    const actor = { type: 'user' as const, id: user.id, name: user.name };
    await this.unitOfWork.run({ ...changeContext(user.organizationId, actor), requestId, ipAddress }, async (ctx) => {
      const ended = await this.connections.end(user.id, applicationId, user.organizationId, ctx.unit);
      if (!ended) return;
      this.audit.record(
        { ...ctx, environment: ended.environment },
        {
          action: 'application.access_revoked',
          resourceId: applicationId,
          changes: { reason: { from: null, to: 'user' }, user: { from: user.id, to: null } },
        },
      );
    });
  }
}

function connectionOf(grants: readonly GrantRow[]): Connection {
  const { applicationId, applicationName, environment } = grants[0]!;
  const tokens = grants.flatMap(({ lastToken }) => lastToken ?? []);
  return {
    applicationId,
    applicationName,
    environment,
    scopes: [...new Set(grants.flatMap(scopesOf))],
    since: new Date(Math.min(...grants.map(({ since }) => since)) * 1000),
    lastToken: tokens.length === 0 ? null : new Date(Math.max(...tokens) * 1000),
  };
}

/** What a grant gives, without what the user left out. */
function scopesOf({ resources, rejected }: GrantRow): string[] {
  return Object.entries(resources ?? {}).flatMap(([resource, scope]) => {
    const leftOut = rejected?.resources?.[resource]?.split(' ') ?? [];
    return scope.split(' ').filter((name) => name !== '' && !leftOut.includes(name));
  });
}
