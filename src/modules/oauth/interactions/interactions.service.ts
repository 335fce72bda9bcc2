import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { InteractionResults, Interaction, Provider } from 'oidc-provider';
import type { SignInWay, SignedIn } from '../../../api/console/page.js';
import type { Environment } from '../../../kernel/context.js';
import { Problem } from '../../../kernel/problems.js';
import { Secrets } from '../../../store/secrets/secrets.js';
import type { UserFacts } from '../../users/index.js';
import type { Application } from '../applications/application.entity.js';
import { AuthorizationServer } from '../provider/authorization-server.js';
import { askedProjects, detailsOf, inBoth, projectsIn } from '../provider/asked-projects.js';
import { isEnough } from '../provider/asked-sign-in.js';
import { BrowserSessions, OAuthAudit } from '../provider/provider-hooks.js';
import { Resources } from '../resources.js';
import { Clients, isShared, type ConnectionRefusal, ConnectionsService } from '../shared/connections/connections.service.js';
import type { SharedClient } from '../applications/client-metadata.js';
import { OAuthTransactions } from '../storage/oauth-transactions.js';

interface Allowed {
  readonly user: UserFacts;
  /** For a shared application, the environment is the user's choice. */
  readonly environment: Environment;
  readonly chosen: readonly string[];
  /** The claim projects; null: all. */
  readonly projects: readonly string[] | null;
}

/** When and how somebody signed in: a press of “continue” is no sign-in, so it may be hours ago. */
type NewSignIn = { readonly userId: string; readonly by: SignInWay; readonly atMs: number };

@Injectable()
export class InteractionsService {
  constructor(
    private readonly server: AuthorizationServer,
    private readonly connections: ConnectionsService,
    private readonly transactions: OAuthTransactions,
    private readonly audit: OAuthAudit,
    private readonly resources: Resources,
    private readonly sessions: BrowserSessions,
  ) {}

  /** Like `allow` and `refuse`, returns the address to redirect the browser to. */
  async signedIn(request: FastifyRequest, reply: FastifyReply, { userId }: Question, as: NewSignIn): Promise<string> {
    // A browser has one session. Another user starts a new one.
    if (userId !== undefined && userId !== as.userId) await this.signOut(request, reply);
    const ts = Math.floor(as.atMs / 1000);
    return this.finish(request, reply, { login: { accountId: as.userId, remember: false, amr: [as.by], ts } });
  }

  /** The browser is signed in to the console as well: it has one session. */
  async signedInByPassword(request: FastifyRequest, reply: FastifyReply, question: Question, userId: string): Promise<string> {
    await this.sessions.begin(request, reply, userId);
    return this.signedIn(request, reply, question, { userId, by: 'password', atMs: Date.now() });
  }

  /** Ends what the library knows of the browser. The question stays open, and begins again with a sign-in. */
  async signOut({ raw }: FastifyRequest, reply: FastifyReply): Promise<void> {
    await this.transactions.run(async () => {
      const provider = await this.server.provider();
      const interaction = await provider.interactionDetails(raw, reply.raw);
      const session = interaction.session && (await provider.Session.find(interaction.session.cookie));
      await session?.destroy();
      Object.assign(interaction, {
        prompt: { name: 'login', reasons: ['no_session'], details: {} },
        session: undefined,
        grantId: undefined,
        lastSubmission: undefined,
      });
      await interaction.persist();
    });
  }

  /** The organization of the user may refuse a shared application. No form gives more than the role of the user allows. */
  async allow(
    request: FastifyRequest,
    reply: FastifyReply,
    question: Question,
    allowed: Allowed,
  ): Promise<{ readonly address: string } | { readonly refused: ConnectionRefusal } | { readonly isNothingChosen: true }> {
    const { user, environment, chosen } = allowed;
    const { scopes, grantId } = question;
    const projects = await this.requireProjects(allowed, question);
    const asked = [...new Set(Object.values(scopes).flat())];
    const given = this.resources.allowedTo(user, asked).filter((scope) => chosen.includes(scope));
    // A consent to nothing is a refusal, which has a button of its own.
    if (asked.length > 0 && given.length === 0) return { isNothingChosen: true };
    return this.transactions.run(async () => {
      const application = question.application ?? (await this.connect(question.shared, request, { user, environment, scopes: given }));
      if (typeof application === 'string') return { refused: application };
      const { Grant } = await this.server.provider();
      const { clientId } = question.shared ?? application;
      const earlier = grantId ? await Grant.find(grantId) : undefined;
      const grant = await decide(() => new Grant({ accountId: user.id, clientId }), earlier, { scopes, projects, given: new Set(given) });
      const leftOut = asked.filter((scope) => !given.includes(scope));
      const call = { requestId: request.id, ipAddress: request.ip };
      this.audit.decided('application.access_given', { application, user, scopes: given, leftOut, projects, ...call });
      return { address: await this.finish(request, reply, { consent: { grantId: await grant.save() } }) };
    });
  }

  /** `user` is null if somebody refuses to sign in. `isMissing`: there is nothing to refuse, as the projects are not there. */
  refuse(
    request: FastifyRequest,
    reply: FastifyReply,
    { application, scopes }: Question,
    { user, isMissing }: { readonly user: UserFacts | null; readonly isMissing: boolean },
  ): Promise<string> {
    return this.transactions.run(async () => {
      // A shared application that was not allowed belongs to no organization yet.
      const refused = { scopes: Object.values(scopes).flat(), requestId: request.id, ipAddress: request.ip };
      if (user && application && !isMissing) this.audit.decided('application.access_refused', { application, user, ...refused });
      return this.finish(request, reply, isMissing ? NO_SUCH_PROJECTS : { error: 'access_denied', error_description: 'the user refused' });
    });
  }

  /** The person can leave out what the application asks for, and adds nothing. All are of the environment, which may be chosen by now. */
  private requireProjects({ user, environment, projects }: Allowed, { askedProjects: asked }: Question): Promise<string[] | null> {
    if (asked && !projects?.every((id) => asked.includes(id)))
      throw Problem.invalidField('projectIds', 'not_allowed', 'must be among those that the application asks for');
    return this.resources.requireProjects({ organizationId: user.organizationId, environment }, projects);
  }

  /** From here on, what is stored belongs to the connection. */
  private async connect(
    client: SharedClient,
    { id: requestId, ip: ipAddress }: FastifyRequest,
    decided: Pick<Allowed, 'user' | 'environment'> & { readonly scopes: readonly string[] },
  ) {
    const connection = await this.connections.connect({ client, ...decided, requestId, ipAddress }, this.transactions.current!);
    if (typeof connection !== 'string') this.transactions.concerns(connection.clientId);
    return connection;
  }

  private async finish({ raw }: FastifyRequest, reply: FastifyReply, result: InteractionResults): Promise<string> {
    return (await this.server.provider()).interactionResult(raw, reply.raw, result, { mergeWithLastSubmission: 'consent' in result });
  }
}

const NO_SUCH_PROJECTS = { error: 'invalid_authorization_details', error_description: 'the organization has no such claim projects' };

type Grant = InstanceType<Provider['Grant']>;
type ByResource = Readonly<Record<string, readonly string[]>>;

interface AskedScopes {
  readonly scopes: ByResource;
  /** Those of them that the user left out before. */
  readonly leftOut: readonly string[];
  /** The user has decided about all of them before. */
  readonly isRepeated: boolean;
}

const listOf = (scope: string): string[] => scope.split(' ').filter(Boolean);

const ASKED_ANEW = ['consent_prompt', 'rar_prompt'];

/** With `prompt=consent` or projects, also those that were decided before. `resources`: those that the request names, or the default. */
function askedScopes({ prompt, params }: Interaction, grant: Grant | undefined, resources: readonly string[]): AskedScopes {
  const missing = (prompt.details.missingResourceScopes ?? {}) as ByResource;
  if (!grant || !ASKED_ANEW.some((reason) => prompt.reasons.includes(reason))) return { scopes: missing, leftOut: [], isRepeated: false };
  const requested = typeof params.scope === 'string' ? listOf(params.scope) : [];
  const scopes = resources.map((resource) => {
    const decided = listOf(grant.getResourceScopeEncountered(resource));
    return [resource, requested.filter((scope) => decided.includes(scope) || missing[resource]?.includes(scope))] as const;
  });
  return {
    scopes: Object.fromEntries(scopes),
    leftOut: resources.flatMap((resource) => listOf(grant.getRejectedResourceScope(resource))),
    isRepeated: Object.keys(missing).length === 0,
  };
}

type Decided = Pick<AskedScopes, 'scopes'> & Pick<Allowed, 'projects'> & { readonly given: ReadonlySet<string> };

const isSame = (some: readonly string[] | null, others: readonly string[] | null): boolean =>
  some?.toSorted().join() === others?.toSorted().join();

/** What was decided before is changed by a grant that replaces the earlier one, whose refresh tokens end. */
async function decide(made: () => Grant, earlier: Grant | undefined, { scopes, given, projects }: Decided): Promise<Grant> {
  const before = (resource: string) =>
    [earlier?.getResourceScope(resource) ?? '', earlier?.getRejectedResourceScope(resource) ?? ''].map(listOf) as [string[], string[]];
  const isOther = ([resource, names]: [string, readonly string[]]): boolean => {
    const [allowed, leftOut] = before(resource);
    return names.some((name) => (given.has(name) ? leftOut : allowed).includes(name));
  };
  const isChanged = earlier !== undefined && (!isSame(projectsIn(earlier.rar), projects) || Object.entries(scopes).some(isOther));
  const grant = earlier && !isChanged ? earlier : made();
  grant.rar = detailsOf(projects);
  const decided = isChanged ? [earlier.resources, earlier.rejected?.resources].flatMap((known) => Object.keys(known ?? {})) : [];
  for (const resource of new Set([...decided, ...Object.keys(scopes)])) {
    const names = scopes[resource] ?? [];
    const [kept, keptOut] = (isChanged ? before(resource) : [[], []]).map((known) => known.filter((name) => !names.includes(name)));
    const allowed = [...kept!, ...names.filter((name) => given.has(name))];
    const leftOut = [...keptOut!, ...names.filter((name) => !given.has(name))];
    if (allowed.length > 0) grant.addResourceScope(resource, allowed.join(' '));
    if (leftOut.length > 0) grant.rejectResourceScope(resource, leftOut.join(' '));
  }
  if (isChanged) await earlier.destroy();
  return grant;
}

type Asking =
  | { readonly application: Application; readonly shared: undefined }
  | { readonly application: undefined; readonly shared: SharedClient };

interface Facts extends AskedScopes {
  readonly prompt: 'login' | 'consent';
  readonly userId: string | undefined;
  readonly grantId: string | undefined;
  /** The claim projects that the application asks for, of those that it may reach; null: they are left to the person. */
  readonly askedProjects: readonly string[] | null;
  /** Those of the earlier consent; null: all. */
  readonly projects: readonly string[] | null;
  /** Undefined for a device, which is not told by the browser. */
  readonly redirectUri: string | undefined;
  readonly loginHint: string;
  /** The languages that the application asks for (`ui_locales`), apart by spaces. */
  readonly languages: string;
  readonly signedIn: SignedIn | undefined;
  /** Proves that a form was shown to this browser. */
  readonly csrf: string;
}

export type Question = Asking & Facts;

@Injectable()
export class OpenQuestions {
  constructor(
    private readonly server: AuthorizationServer,
    private readonly clients: Clients,
    private readonly secrets: Secrets,
    private readonly resources: Resources,
    private readonly sessions: BrowserSessions,
  ) {}

  async find(request: FastifyRequest, reply: FastifyReply, uid: string): Promise<Question | undefined> {
    const { raw, ip } = request;
    try {
      const provider = await this.server.provider();
      const interaction = await provider.interactionDetails(raw, reply.raw);
      const { params, prompt, session, grantId } = interaction;
      const asker = await this.clients.find(String(params.client_id), ip);
      if (interaction.uid !== uid || !asker) return undefined;
      const resources = [(params.resource ?? this.resources.api) as string | string[]].flat();
      const grant = grantId ? await provider.Grant.find(grantId) : undefined;
      const organizationId = isShared(asker) ? undefined : asker.organizationId;
      return {
        ...askedScopes(interaction, grant, resources),
        ...(isShared(asker) ? { application: undefined, shared: asker } : { application: asker, shared: undefined }),
        prompt: prompt.name as Question['prompt'],
        userId: session?.accountId,
        grantId,
        askedProjects: inBoth(askedProjects(params), isShared(asker) ? null : asker.projectIds),
        projects: projectsIn(grant?.rar),
        redirectUri: typeof params.redirect_uri === 'string' ? params.redirect_uri : undefined,
        signedIn: await this.signedIn(request, organizationId, interaction),
        loginHint: typeof params.login_hint === 'string' ? params.login_hint : '',
        languages: typeof params.ui_locales === 'string' ? params.ui_locales : '',
        csrf: createHmac('sha256', this.secrets.keysFor('oauth forms')[0]!).update(uid).digest('base64url'),
      };
    } catch (error) {
      if (error instanceof Error && error.name === 'SessionNotFound') return undefined;
      throw error;
    }
  }

  /** Not a user of another organization than the application's, nor whose sign-in is too old or too weak for it. */
  private async signedIn(request: FastifyRequest, organizationId: string | undefined, interaction: Interaction) {
    const signedIn = await this.sessions.find(request);
    if (signedIn && !isEnough(interaction, signedIn)) return undefined;
    return organizationId === undefined || signedIn?.organization.id === organizationId ? signedIn : undefined;
  }
}

/** The person who was asked for their consent is not signed in any more: the question begins again. */
export const isSignedOut = ({ prompt, userId, signedIn }: Question): boolean => prompt === 'consent' && signedIn?.user.id !== userId;

export function isOwnForm({ csrf }: Question, given: string): boolean {
  const [a, b] = [csrf, given].map((text) => createHmac('sha256', 'compared').update(text).digest());
  return timingSafeEqual(a!, b!);
}
