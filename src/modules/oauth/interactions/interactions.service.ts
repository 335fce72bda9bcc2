import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { InteractionResults } from 'oidc-provider';
import type { SignInWay } from '../../../api/console/page-context.js';
import type { Environment } from '../../../kernel/context.js';
import type { UserFacts } from '../../users/index.js';
import { AuthorizationServer } from '../provider/authorization-server.js';
import { BrowserSessions } from '../provider/browser-sessions.js';
import { OAuthAudit } from '../provider/oauth-audit.js';
import { type ConnectionRefusal, ConnectionsService } from '../shared/connections/connections.service.js';
import type { SharedClient } from '../shared/shared-client.js';
import { OAuthTransactions } from '../storage/oauth-transactions.js';
import { Resources } from '../resources.js';
import { decide, type Question } from './open-questions.js';

export interface Allowed {
  readonly user: UserFacts;
  /** For a shared application, the environment is the user's choice. */
  readonly environment: Environment;
  readonly chosen: readonly string[];
}

/** Sign-in and consent: the steps between an authorization request and its answer. */
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
  async signedIn(request: FastifyRequest, reply: FastifyReply, { userId }: Question, newUserId: string, by: SignInWay): Promise<string> {
    // A browser has one session. Another user starts a new one.
    if (userId !== undefined && userId !== newUserId) await this.signOut(request, reply);
    return this.finish(request, reply, { login: { accountId: newUserId, remember: false, amr: [by] } });
  }

  /** The browser is signed in to the console as well: it has one session. */
  async signedInByPassword(request: FastifyRequest, reply: FastifyReply, question: Question, userId: string): Promise<string> {
    await this.sessions.begin(request, reply, userId);
    return this.signedIn(request, reply, question, userId, 'password');
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
  allow(
    request: FastifyRequest,
    reply: FastifyReply,
    question: Question,
    { user, environment, chosen }: Allowed,
  ): Promise<{ readonly address: string } | { readonly refused: ConnectionRefusal } | { readonly isNothingChosen: true }> {
    const { scopes, grantId } = question;
    const asked = [...new Set(Object.values(scopes).flat())];
    const given = this.resources.allowedTo(user, asked).filter((scope) => chosen.includes(scope));
    // A consent to nothing is a refusal, which has a button of its own.
    if (asked.length > 0 && given.length === 0) return Promise.resolve({ isNothingChosen: true });
    return this.transactions.run(async () => {
      const application = question.application ?? (await this.connect(question.shared, request, { user, environment, scopes: given }));
      if (typeof application === 'string') return { refused: application };
      const { Grant } = await this.server.provider();
      const { clientId } = question.shared ?? application;
      const earlier = grantId ? await Grant.find(grantId) : undefined;
      const grant = await decide(() => new Grant({ accountId: user.id, clientId }), earlier, scopes, new Set(given));
      const leftOut = asked.filter((scope) => !given.includes(scope));
      const call = { requestId: request.id, ipAddress: request.ip };
      this.audit.decided('application.access_given', { application, user, scopes: given, leftOut, ...call });
      return { address: await this.finish(request, reply, { consent: { grantId: await grant.save() } }) };
    });
  }

  /** `user` is null if somebody refuses to sign in. */
  refuse(request: FastifyRequest, reply: FastifyReply, { application, scopes }: Question, user: UserFacts | null): Promise<string> {
    return this.transactions.run(async () => {
      // A shared application that was not allowed belongs to no organization yet.
      const refused = { scopes: Object.values(scopes).flat(), requestId: request.id, ipAddress: request.ip };
      if (user && application) this.audit.decided('application.access_refused', { application, user, ...refused });
      return this.finish(request, reply, { error: 'access_denied', error_description: 'the user refused' });
    });
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
