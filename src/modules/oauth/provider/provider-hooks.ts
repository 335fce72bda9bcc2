import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Client, KoaContextWithOIDC, Provider } from 'oidc-provider';
import { FailedCredentials } from '../../../api/access/access.guards.js';
import { type BrowserRequest, ConsoleSessions, type SignedIn, type SignInWay } from '../../../api/console/page.js';
import type { Changes } from '../../../kernel/changes.js';
import type { Actor } from '../../../kernel/context.js';
import { counter } from '../../../kernel/metrics.js';
import { type AuditAction, AuditRecorder } from '../../../store/audit/audit-recorder.js';
import { Ports } from '../../../store/discovery/ports.js';
import { SignInRulesService, UsersService, type UserFacts } from '../../users/index.js';
import { type Application, GRANT_NAMES } from '../applications/application.entity.js';
import { ApplicationCache } from '../applications/applications.repository.js';
import { applicationOf, isFapi2, sharedClientOf } from '../applications/client-metadata.js';
import { DevicePages } from '../devices/device.pages.js';
import { CALLED_BY_APPLICATIONS, PUSHED_REQUEST_MAX_BYTES, ROUTES } from '../resources.js';
import { ConnectionsService } from '../shared/connections/connections.service.js';
import { OAuthTransactions } from '../storage/oauth-transactions.js';
import { DevicePolling, isWaiting, AuthorizationLimits } from './caller-limits.js';

/** The console's session is the only kind: whatever ends it ends what the authorization server does for the browser, too. */
@Injectable()
export class BrowserSessions {
  constructor(private readonly ports: Ports) {}

  /** Not somebody who has to set up a second factor first. */
  async find(request: BrowserRequest): Promise<SignedIn | undefined> {
    const signedIn = await this.ports.only(ConsoleSessions)?.find(request);
    return signedIn?.lacksSecondFactor ? undefined : signedIn;
  }

  /** After the password was right. */
  begin(request: FastifyRequest, reply: FastifyReply, userId: string): Promise<void> {
    return this.ports.only(ConsoleSessions)!.begin(request, reply, userId, 'password');
  }

  end(reply: FastifyReply, signedIn: SignedIn): Promise<void> {
    return this.ports.only(ConsoleSessions)!.end(reply, signedIn);
  }
}

@Injectable()
export class Accounts {
  constructor(
    private readonly users: UsersService,
    private readonly applications: ApplicationCache,
    private readonly connections: ConnectionsService,
    private readonly transactions: OAuthTransactions,
    private readonly sessions: BrowserSessions,
    private readonly rules: SignInRulesService,
  ) {}

  async isSignedIn(
    request: BrowserRequest,
    { userId, by, sinceMs }: { readonly userId: string; readonly by: SignInWay; readonly sinceMs: number },
  ): Promise<boolean> {
    const signedIn = await this.sessions.find(request);
    return signedIn?.user.id === userId && signedIn.signedInBy === by && Date.parse(signedIn.signedInAt) >= sinceMs;
  }

  /** As long as a session begun in the same way would be valid. A new password leaves what was granted, which people end themselves. */
  async mayStillGrant(userId: string, by: SignInWay): Promise<boolean> {
    const admitted = await this.rules.signedIn(userId, by);
    return admitted !== undefined && !admitted.lacksSecondFactor;
  }

  /** A shared application serves users of any organization: with `isGranted`, what they have allowed must still be in force. */
  async findUser(userId: string, client: Client, { isGranted }: { readonly isGranted: boolean }): Promise<UserFacts | undefined> {
    const user = await this.users.byId(userId);
    if (!user || (sharedClientOf(client) && !isGranted)) return user;
    const application = await this.actingAs(client);
    if (application?.organizationId !== user.organizationId) return undefined;
    return application.sharedClientId === null || (await this.connections.isInForce(application)) ? user : undefined;
  }

  /** The application of one organization behind a client: for a shared one, the connection that the code or token of this request has. */
  actingAs(client: Client): Promise<Application | undefined> {
    if (!sharedClientOf(client)) return Promise.resolve(applicationOf(client));
    const { connectionId } = this.transactions;
    return connectionId === undefined ? Promise.resolve(undefined) : this.applications.byClientId(connectionId);
  }
}

type BoundCtx = Pick<KoaContextWithOIDC, 'path' | 'method' | 'status' | 'body'> & { readonly request: { readonly length?: number } };

const STORED: readonly string[] = [ROUTES.pushed_authorization_request, ROUTES.device_authorization];

/** Koa middleware: what is stored for a caller who may be anybody is small. */
async function boundBody(ctx: BoundCtx, next: () => Promise<void>): Promise<void> {
  const { length } = ctx.request;
  if (ctx.method !== 'POST' || !STORED.includes(ctx.path)) return next();
  if (length !== undefined && length <= PUSHED_REQUEST_MAX_BYTES) return next();
  ctx.status = length === undefined ? 411 : 413;
  ctx.body = {
    error: 'invalid_request',
    error_description: `the body must have a Content-Length of at most ${PUSHED_REQUEST_MAX_BYTES} bytes`,
  };
}

const GRANTS: readonly unknown[] = [...Object.values(GRANT_NAMES), 'refresh_token'];
const TOKENS = counter(
  'oauth_token_requests_total',
  'Requests to the token endpoint, by grant and outcome.',
  ['grant', 'outcome'],
  [...GRANTS, 'other'].flatMap((grant) => ['issued', 'refused'].map((outcome) => ({ grant: grant as string, outcome }))),
);

/** Callers may send anything. */
const grantOf = (params: KoaContextWithOIDC['oidc']['params']): string =>
  GRANTS.includes(params?.grant_type) ? (params!.grant_type as string) : 'other';

/** `oidc` is missing for a path that the authorization server does not have. */
type Ctx = Pick<KoaContextWithOIDC, 'path' | 'status' | 'body' | 'set' | 'ip' | 'state'> & Partial<Pick<KoaContextWithOIDC, 'oidc'>>;

/** Writes consents, refusals and revocations to the audit log of the organization, in the transaction of the request. */
@Injectable()
export class OAuthAudit {
  constructor(
    private readonly audit: AuditRecorder,
    private readonly transactions: OAuthTransactions,
    private readonly accounts: Accounts,
  ) {}

  /** By the application itself, or because a code or refresh token was used twice. */
  async revoked(ctx: KoaContextWithOIDC): Promise<void> {
    const { client, route, entities } = ctx.oidc;
    const application = client && (await this.accounts.actingAs(client));
    if (!application) return;
    const reason = route === 'revocation' ? 'revoked' : 'used_again';
    const userId = (entities.RefreshToken ?? entities.AccessToken ?? entities.AuthorizationCode)?.accountId ?? null;
    const actor = { type: 'api' as const, id: application.id, name: application.name };
    const changes = { reason: { from: null, to: reason }, user: { from: userId, to: null } };
    const call = { requestId: String(ctx.res.getHeader('x-request-id')), ipAddress: ctx.ip };
    this.record('application.access_revoked', application, actor, changes, call);
  }

  decided(
    action: 'application.access_given' | 'application.access_refused',
    { application, user, scopes, leftOut = [], projects = null, ...call }: Decision,
  ): void {
    const changes = {
      user: { from: null, to: user.id },
      scopes: { from: null, to: scopes },
      ...(leftOut.length > 0 && { leftOut: { from: null, to: leftOut } }),
      ...(projects && { projectIds: { from: null, to: projects } }),
    };
    this.record(action, application, { type: 'user', ...user }, changes, call);
  }

  private record(action: AuditAction, of: Application, actor: Actor, changes: Changes, call: Call): void {
    const { id, organizationId, environment } = of;
    const unit = this.transactions.current;
    if (!unit) throw new Error(`${action} cannot be recorded outside a transaction.`);
    this.audit.record({ organizationId, environment, actor, emits: [], unit, ...call }, { action, resourceId: id, changes });
  }
}

@Injectable()
export class ProviderHooks {
  constructor(
    private readonly transactions: OAuthTransactions,
    private readonly failures: FailedCredentials,
    private readonly audit: OAuthAudit,
    private readonly authorizations: AuthorizationLimits,
    private readonly polling: DevicePolling,
    readonly devices: DevicePages,
  ) {}

  attachTo(provider: Provider): void {
    provider.use((ctx, next) => this.authorizations.around(ctx, next));
    provider.use((ctx, next) => this.limitFailures(ctx, next));
    provider.use(boundBody);
    provider.use(refineErrors);
    provider.use((ctx, next) => this.polling.around(ctx, next));
    provider.use((ctx, next) => this.transactions.around(ctx, next));
    provider.on('server_error', (ctx, error) => this.transactions.answer(ctx, error));
    // Listeners are not waited for, so the last of our own steps writes to the audit log.
    provider.use((ctx, next) => this.recordRevocation(ctx, next));
    provider.on('grant.success', ({ oidc }) => TOKENS.inc({ grant: grantOf(oidc.params), outcome: 'issued' }));
    provider.on('grant.error', ({ oidc }) => TOKENS.inc({ grant: grantOf(oidc.params), outcome: 'refused' }));
    provider.on('grant.revoked', (ctx) => (ctx.state.isGrantRevoked = true));
  }

  /** Within the transaction. */
  private async recordRevocation(ctx: Ctx, next: () => Promise<void>): Promise<void> {
    await next();
    if (ctx.state.isGrantRevoked && ctx.oidc) await this.audit.revoked(ctx as KoaContextWithOIDC);
  }

  /** Limits callers that guess client secrets, codes or tokens, like callers that guess API keys. */
  private async limitFailures(ctx: Ctx, next: () => Promise<void>): Promise<void> {
    await next();
    const refusal = isFailure(ctx) ? await this.failures.findRefusal(ctx.ip) : undefined;
    if (!refusal) return;
    ctx.status = refusal.status;
    ctx.set({ ...refusal.headers });
    ctx.body = { error: 'temporarily_unavailable', error_description: 'too many calls with wrong credentials came from this address' };
  }
}

/**
 * Whether a caller failed who has not proved to be an application. A public one cannot prove it, since anyone knows its id: it
 * proves something with a code or token only. Revoking succeeds whatever the token is (RFC 7009), so it always counts.
 */
function isFailure({ status, path, body, oidc }: Pick<Ctx, 'status' | 'path' | 'body' | 'oidc'>): boolean {
  if (!CALLED_BY_APPLICATIONS.includes(path) || status >= 500 || isWaiting(body)) return false;
  const isUnproved = !oidc?.client || oidc.client.clientAuthMethod === 'none';
  return status === 401 || (isUnproved && (status >= 400 || path === ROUTES.revocation));
}

type RefinedKey = 'path' | 'method' | 'status' | 'body' | 'get' | 'remove';
type RefinedCtx = Pick<KoaContextWithOIDC, RefinedKey> & Partial<Pick<KoaContextWithOIDC, 'oidc'>>;

/** Koa middleware: the errors that the RFCs have, where the library answers `invalid_request`. */
async function refineErrors(ctx: RefinedCtx, next: () => Promise<void>): Promise<void> {
  await next();
  // A client that is given a nonce must cope with its end an hour later. Only those that need one are given one with every answer.
  if (ctx.status < 400 && !isFapi2(ctx.oidc?.client)) ctx.remove('DPoP-Nonce');
  if (ctx.method !== 'POST' || !CALLED_BY_APPLICATIONS.includes(ctx.path) || ctx.status >= 500) return;
  if (isUnauthenticated(ctx)) {
    ctx.status = 401;
    ctx.body = { error: 'invalid_client', error_description: 'client authentication is required' };
  } else if (isGrantNotAllowed(ctx)) {
    ctx.body = { error: 'unauthorized_client', error_description: 'the application may not use this grant type' };
  }
}

/** RFC 6749, 5.2: no client authentication included. For introspection the id of a public application is none (RFC 7662, 2.1). */
function isUnauthenticated(ctx: RefinedCtx): boolean {
  const { path, status, oidc } = ctx;
  if (!oidc) return false;
  if (path === ROUTES.introspection && oidc.client?.clientAuthMethod === 'none') return true;
  const { client_id: id, client_secret: secret, client_assertion: assertion } = oidc.params ?? {};
  const isNone = [id, secret, assertion].every((sent) => sent === undefined) && ctx.get('authorization') === '';
  return status === 400 && !oidc.client && isNone;
}

/** RFC 6749, 5.2. A grant type that does not exist is another error. */
function isGrantNotAllowed({ path, body, oidc }: RefinedCtx): boolean {
  const grantType = path === ROUTES.device_authorization ? GRANT_NAMES.device_code : oidc?.params?.grant_type;
  const isForGrant = path === ROUTES.token || path === ROUTES.device_authorization;
  const isInvalidRequest = (body as { error?: unknown } | undefined)?.error === 'invalid_request';
  return isForGrant && isInvalidRequest && typeof grantType === 'string' && oidc!.client?.grantTypeAllowed(grantType) === false;
}

type Call = Readonly<Record<'requestId' | 'ipAddress', string>>;

interface Decision extends Call {
  readonly application: Application;
  readonly user: { readonly id: string; readonly name: string };
  readonly scopes: readonly string[];
  /** The scopes that were asked for, and that the user left out. */
  readonly leftOut?: readonly string[];
  /** The only claim projects that the application reaches, if the user chose some. */
  readonly projects?: readonly string[] | null;
}
