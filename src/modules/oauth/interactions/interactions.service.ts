import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { InteractionResults } from 'oidc-provider';
import { Secrets } from '../../../store/secrets/secrets.js';
import type { Application } from '../applications/application.entity.js';
import { AuthorizationServer } from '../provider/authorization-server.js';
import { ApplicationCache } from '../applications/application-cache.js';
import { OAuthAudit } from '../provider/oauth-audit.js';
import { Resources } from '../resources.js';
import { OAuthTransactions } from '../storage/oauth-transactions.js';
import { askedScopes, decide, type AskedScopes } from './asked-scopes.js';

/** What the authorization server needs from the user before it can answer the application. */
export interface Question extends AskedScopes {
  readonly prompt: 'login' | 'consent';
  readonly application: Application;
  /** The user who is signed in. Undefined before the sign-in. */
  readonly userId: string | undefined;
  readonly grantId: string | undefined;
  /** Undefined for a device, which is not told by the browser. */
  readonly redirectUri: string | undefined;
  readonly loginHint: string;
  /** Proves that a form was shown to this browser. */
  readonly csrf: string;
}

interface Person {
  readonly id: string;
  readonly name: string;
}

/** Sign-in and consent: the steps between an authorization request and its answer. */
@Injectable()
export class InteractionsService {
  constructor(
    private readonly server: AuthorizationServer,
    private readonly applications: ApplicationCache,
    private readonly transactions: OAuthTransactions,
    private readonly audit: OAuthAudit,
    private readonly secrets: Secrets,
    private readonly resources: Resources,
  ) {}

  /** The open question of this browser, by its cookie; undefined if there is none or it has expired. */
  async open({ raw }: FastifyRequest, reply: FastifyReply, uid: string): Promise<Question | undefined> {
    try {
      const provider = await this.server.provider();
      const interaction = await provider.interactionDetails(raw, reply.raw);
      const { params, prompt, session, grantId } = interaction;
      const application = await this.applications.byClientId(String(params.client_id));
      if (interaction.uid !== uid || application?.status !== 'approved') return undefined;
      const resources = [(params.resource ?? this.resources.api) as string | string[]].flat();
      const grant = grantId ? await provider.Grant.find(grantId) : undefined;
      return {
        ...askedScopes(interaction, grant, resources),
        prompt: prompt.name as Question['prompt'],
        application,
        userId: session?.accountId,
        grantId,
        redirectUri: typeof params.redirect_uri === 'string' ? params.redirect_uri : undefined,
        loginHint: typeof params.login_hint === 'string' ? params.login_hint : '',
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
  async signedIn(request: FastifyRequest, reply: FastifyReply, { userId }: Question, newUserId: string): Promise<string> {
    // A browser has one session. Another user starts a new one.
    if (userId !== undefined && userId !== newUserId) await this.signOut(request, reply);
    return this.finish(request, reply, { login: { accountId: newUserId, remember: false } });
  }

  /** Ends the browser's session. The question stays open, and begins again with a sign-in. */
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

  /** `chosen`: the scopes that the user did not leave out. */
  allow(request: FastifyRequest, reply: FastifyReply, question: Question, user: Person, chosen: readonly string[]): Promise<string> {
    const { application, scopes, grantId } = question;
    const asked = [...new Set(Object.values(scopes).flat())];
    return this.transactions.run(async () => {
      const { Grant } = await this.server.provider();
      const earlier = grantId ? await Grant.find(grantId) : undefined;
      const made = () => new Grant({ accountId: user.id, clientId: application.clientId });
      const grant = await decide(made, earlier, scopes, new Set(chosen));
      this.audit.allowed({
        application,
        user,
        scopes: asked.filter((scope) => chosen.includes(scope)),
        leftOut: asked.filter((scope) => !chosen.includes(scope)),
        requestId: request.id,
        ipAddress: request.ip,
      });
      return this.finish(request, reply, { consent: { grantId: await grant.save() } });
    });
  }

  /** `user` is null if somebody refuses to sign in. */
  refuse(request: FastifyRequest, reply: FastifyReply, { application, scopes }: Question, user: Person | null): Promise<string> {
    return this.transactions.run(async () => {
      if (user)
        this.audit.refused({ application, user, scopes: Object.values(scopes).flat(), requestId: request.id, ipAddress: request.ip });
      return this.finish(request, reply, { error: 'access_denied', error_description: 'the user refused' });
    });
  }

  private async finish({ raw }: FastifyRequest, reply: FastifyReply, result: InteractionResults): Promise<string> {
    return (await this.server.provider()).interactionResult(raw, reply.raw, result, { mergeWithLastSubmission: 'consent' in result });
  }

  private csrfOf(uid: string): string {
    return createHmac('sha256', this.secrets.keysFor('oauth forms')[0]!).update(uid).digest('base64url');
  }
}
