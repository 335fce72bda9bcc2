import { Injectable } from '@nestjs/common';
import { changeContext, type Actor, type Environment, ENVIRONMENTS, type Tenant } from '../../../kernel/context.js';
import { isUuid } from '../../../kernel/ids.js';
import { Problem } from '../../../kernel/problems.js';
import { isAtLeast } from '../../../kernel/roles.js';
import { Clock } from '../../../kernel/time.js';
import { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import { UnitOfWork } from '../../../store/database/unit-of-work.js';
import type { PageOf, PageRequest } from '../../../store/tenant/page.js';
import { UsersService, type UserFacts } from '../../users/index.js';
import { ApplicationsService } from '../applications/applications.service.js';
import { projectsIn } from '../provider/asked-projects.js';
import { ConnectionsPageRepository, type ConnectionRow, type Granted } from '../shared/connections/connection-rules.repository.js';

export interface Connection {
  readonly applicationId: string;
  readonly applicationName: string;
  readonly environment: Environment;
  readonly scopes: readonly string[];
  /** The only claim projects that it reaches; null: all. */
  readonly projects: readonly string[] | null;
  readonly since: Date;
  readonly lastToken: Date | null;
}

export type MemberConnection = Connection & Readonly<Record<'userId' | 'userName', string>>;

/** Who looks. Members see and end their own connections; owners and admins those of everybody. */
export type Viewer = Pick<UserFacts, 'id' | 'name' | 'role'>;

export type ConnectionKey = Pick<MemberConnection, 'userId' | 'applicationId'>;

/** Of one person, the newest are shown. */
const OWN = { page: 1, page_size: 1000 };

@Injectable()
export class ConnectionsPageService {
  constructor(
    private readonly connections: ConnectionsPageRepository,
    private readonly applications: ApplicationsService,
    private readonly users: UsersService,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
    private readonly clock: Clock,
  ) {}

  async listOwn({ id, organizationId }: Pick<UserFacts, 'id' | 'organizationId'>): Promise<Connection[]> {
    const now = this.clock.timestamp();
    const found = ENVIRONMENTS.map((environment) => this.connections.ofUsers({ organizationId, environment }, [id], now, OWN));
    const own = (await Promise.all(found)).flatMap(({ rows }) => rows.map(shownOf));
    return own.sort((a, b) => b.since.getTime() - a.since.getTime());
  }

  async list(viewer: Viewer, tenant: Tenant, request: PageRequest): Promise<PageOf<MemberConnection>> {
    const seen = isAtLeast(viewer.role, 'admin') ? await this.users.list(tenant.organizationId) : [viewer];
    const names = new Map(seen.map(({ id, name }) => [id, name]));
    const found = await this.connections.ofUsers(tenant, [...names.keys()], this.clock.timestamp(), request);
    return { ...found, rows: found.rows.map((row) => ({ ...shownOf(row), userId: row.userId, userName: names.get(row.userId)! })) };
  }

  /** Ends a connection that somebody may see. False if it had ended already. To others it does not exist. */
  async endSeen(viewer: Viewer, ctx: Tenant & { readonly actor: Actor }, key: ConnectionKey): Promise<boolean> {
    if (key.userId !== viewer.id && !isAtLeast(viewer.role, 'admin')) throw Problem.notFound(`user ${key.userId}`);
    await this.users.member(ctx.organizationId, key.userId);
    await this.applications.get(ctx, key.applicationId);
    return this.end(ctx.actor, ctx.organizationId, key);
  }

  async end(actor: Actor, organizationId: string, { userId, applicationId }: ConnectionKey): Promise<boolean> {
    if (!isUuid(applicationId)) return false;
    return this.unitOfWork.run(changeContext(organizationId, actor), async (ctx) => {
      const ended = await this.connections.end(userId, applicationId, organizationId, ctx.unit);
      if (!ended) return false;
      this.audit.record(
        { ...ctx, environment: ended.environment },
        {
          action: 'application.access_revoked',
          resourceId: applicationId,
          changes: { reason: { from: null, to: actor.id === userId ? 'user' : 'admin' }, user: { from: userId, to: null } },
        },
      );
      return true;
    });
  }
}

function shownOf({ applicationId, applicationName, environment, grants, since, lastToken }: ConnectionRow): Connection {
  const projects = grants.map(({ details }) => projectsIn(details));
  return {
    applicationId,
    applicationName,
    environment,
    scopes: [...new Set(grants.flatMap(scopesOf))],
    projects: projects.includes(null) ? null : [...new Set(projects.flatMap((some) => some ?? []))],
    since: new Date(since * 1000),
    lastToken: lastToken === null ? null : new Date(lastToken * 1000),
  };
}

function scopesOf({ resources, rejected }: Granted): string[] {
  return Object.entries(resources ?? {}).flatMap(([resource, scope]) => {
    const leftOut = rejected?.resources?.[resource]?.split(' ') ?? [];
    return scope.split(' ').filter((name) => name !== '' && !leftOut.includes(name));
  });
}
