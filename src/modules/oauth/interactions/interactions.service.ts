import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { InteractionResults } from 'oidc-provider';
import { Secrets } from '../../../store/secrets/secrets.js';
import { AuthorizationServer } from '../provider/authorization-server.js';
import type { Environment } from '../../../kernel/context.js';
import type { UserFacts } from '../../users/index.js';
import { Clients, isShared } from '../shared/clients.js';
import type { Application } from '../applications/application.entity.js';
import { type ConnectionRefusal, ConnectionsService } from '../shared/connections/connections.service.js';
import { OAuthAudit } from '../provider/oauth-audit.js';
import type { SharedClient } from '../shared/shared-client.js';
import { OAuthTransactions } from '../storage/oauth-transactions.js';

/** Who asks: an application of one organization, or one that serves every organization. */
type Asking =
  { readonly application: Application; readonly shared: undefined } | { readonly application: undefined; readonly shared: SharedClient };

/** What the authorization server needs from the user before it can answer the application. */
export type Question = Asking & {
  readonly prompt: 'login' | 'consent';
  /** The user who is signed in. Undefined before the sign-in. */
  readonly userId: string | undefined;
  /** The scopes that the user has not allowed yet, by resource. */
  readonly scopes: Readonly<Record<string, readonly string[]>>;
  readonly grantId: string | undefined;
  readonly redirectUri: string;
  readonly loginHint: string;
  /** Proves that a form was shown to this browser. */
  readonly csrf: string;
};

/** Sign-in and consent: the steps between an authorization request and its answer. */
@Injectable()
export class InteractionsService {
  constructor(
    private readonly server: AuthorizationServer,
    private readonly clients: Clients,
    private readonly connections: ConnectionsService,
    private readonly transactions: OAuthTransactions,
    private readonly audit: OAuthAudit,
    private readonly secrets: Secrets,
  ) {}

  /** The open question of this browser, by its cookie; undefined if there is none or it has expired. */
  async open({ raw, ip }: FastifyRequest, reply: FastifyReply, uid: string): Promise<Question | undefined> {
    try {
      const { params, prompt, session, grantId, uid: ownUid } = await (await this.server.provider()).interactionDetails(raw, reply.raw);
      const asker = await this.clients.find(String(params.client_id), ip);
      if (ownUid !== uid || !asker) return undefined;
      const scopes = (prompt.details.missingResourceScopes ?? {}) as Record<string, string[]>;
      const loginHint = typeof params.login_hint === 'string' ? params.login_hint : '';
      return {
        prompt: prompt.name as Question['prompt'],
        ...(isShared(asker) ? { application: undefined, shared: asker } : { application: asker, shared: undefined }),
        userId: session?.accountId,
        scopes,
        grantId,
        redirectUri: String(params.redirect_uri),
        loginHint,
        csrf: this.csrfOf(uid),
      };
    } catch (error) {
      if (error instanceof Error && error.name === 'SessionNotFound') return undefined;
      throw error;
    }
  }

  isOwnForm(question: Question, given: string): boolean {
    const [a, b] = [question.csrf, given].map((text) => createHmac('sha256', 'compared').update(text).digest());
    return timingSafeEqual(a!, b!);
  }

  /** Like `allow` and `refuse`, returns the address to redirect the browser to. */
  signedIn(request: FastifyRequest, reply: FastifyReply, userId: string): Promise<string> {
    return this.finish(request, reply, { login: { accountId: userId, remember: false } });
  }

  /** For a shared application, the environment is the user's choice; their organization may refuse it. */
  allow(
    request: FastifyRequest,
    reply: FastifyReply,
    question: Question,
    { user, environment }: { readonly user: UserFacts; readonly environment: Environment },
  ): Promise<{ readonly address: string } | { readonly refused: ConnectionRefusal }> {
    const { scopes, grantId } = question;
    return this.transactions.run(async () => {
      const application = question.application ?? (await this.connect(question.shared, question, request, { user, environment }));
      if (typeof application === 'string') return { refused: application };
      const { Grant } = await this.server.provider();
      const { clientId } = question.shared ?? application;
      const grant = (grantId ? await Grant.find(grantId) : undefined) ?? new Grant({ accountId: user.id, clientId });
      for (const [resource, names] of Object.entries(scopes)) grant.addResourceScope(resource, names.join(' '));
      this.audit.allowed({ application, user, scopes: Object.values(scopes).flat(), requestId: request.id, ipAddress: request.ip });
      return { address: await this.finish(request, reply, { consent: { grantId: await grant.save() } }) };
    });
  }

  /** `user` is null if somebody refuses to sign in. */
  refuse(request: FastifyRequest, reply: FastifyReply, { application, scopes }: Question, user: UserFacts | null): Promise<string> {
    return this.transactions.run(async () => {
      // A shared application that was not allowed is nobody's yet.
      if (user && application)
        this.audit.refused({ application, user, scopes: Object.values(scopes).flat(), requestId: request.id, ipAddress: request.ip });
      return this.finish(request, reply, { error: 'access_denied', error_description: 'the user refused' });
    });
  }

  /** From here on, what is stored belongs to the connection. */
  private async connect(
    client: SharedClient,
    { scopes }: Question,
    { id: requestId, ip: ipAddress }: FastifyRequest,
    decided: { readonly user: UserFacts; readonly environment: Environment },
  ) {
    const wanted = { client, ...decided, scopes: Object.values(scopes).flat(), requestId, ipAddress };
    const connection = await this.connections.connect(wanted, this.transactions.current!);
    if (typeof connection !== 'string') this.transactions.concerns(connection.clientId);
    return connection;
  }

  private async finish({ raw }: FastifyRequest, reply: FastifyReply, result: InteractionResults): Promise<string> {
    return (await this.server.provider()).interactionResult(raw, reply.raw, result, { mergeWithLastSubmission: 'consent' in result });
  }

  private csrfOf(uid: string): string {
    return createHmac('sha256', this.secrets.keysFor('oauth forms')[0]!).update(uid).digest('base64url');
  }
}
