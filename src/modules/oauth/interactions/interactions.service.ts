import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { InteractionResults } from 'oidc-provider';
import { Secrets } from '../../../store/secrets/secrets.js';
import type { Application } from '../applications/application.entity.js';
import { AuthorizationServer } from '../provider/authorization-server.js';
import { ApplicationCache } from '../applications/application-cache.js';
import { OAuthAudit } from '../provider/oauth-audit.js';
import { OAuthTransactions } from '../storage/oauth-transactions.js';

/** What the authorization server needs from the user before it can answer the application. */
export interface Question {
  readonly prompt: 'login' | 'consent';
  readonly application: Application;
  /** The user who is signed in. Undefined before the sign-in. */
  readonly userId: string | undefined;
  /** The scopes that the user has not allowed yet, by resource. */
  readonly scopes: Readonly<Record<string, readonly string[]>>;
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
  ) {}

  /** The open question of this browser, by its cookie; undefined if there is none or it has expired. */
  async open({ raw }: FastifyRequest, reply: FastifyReply, uid: string): Promise<Question | undefined> {
    try {
      const { params, prompt, session, grantId, uid: ownUid } = await (await this.server.provider()).interactionDetails(raw, reply.raw);
      const application = await this.applications.byClientId(String(params.client_id));
      if (ownUid !== uid || application?.status !== 'approved') return undefined;
      const scopes = (prompt.details.missingResourceScopes ?? {}) as Record<string, string[]>;
      const loginHint = typeof params.login_hint === 'string' ? params.login_hint : '';
      return {
        prompt: prompt.name as Question['prompt'],
        application,
        userId: session?.accountId,
        scopes,
        grantId,
        redirectUri: typeof params.redirect_uri === 'string' ? params.redirect_uri : undefined,
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

  allow(request: FastifyRequest, reply: FastifyReply, question: Question, user: Person): Promise<string> {
    const { application, scopes, grantId } = question;
    return this.transactions.run(async () => {
      const { Grant } = await this.server.provider();
      const grant = (grantId ? await Grant.find(grantId) : undefined) ?? new Grant({ accountId: user.id, clientId: application.clientId });
      for (const [resource, names] of Object.entries(scopes)) grant.addResourceScope(resource, names.join(' '));
      this.audit.allowed({ application, user, scopes: Object.values(scopes).flat(), requestId: request.id, ipAddress: request.ip });
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
