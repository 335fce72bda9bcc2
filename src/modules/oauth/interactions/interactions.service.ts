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

/** What the authorization server has to ask somebody for, and of whom. */
export interface Question {
  readonly prompt: 'login' | 'consent';
  readonly application: Application;
  /** Who is signed in; to be asked whether the application is allowed something. */
  readonly userId: string | undefined;
  /** What the application would be allowed, by resource. */
  readonly scopes: Readonly<Record<string, readonly string[]>>;
  readonly grantId: string | undefined;
  readonly redirectUri: string;
  readonly loginHint: string;
  /** Ties a form to the browser that was shown it. */
  readonly csrf: string;
}

interface Person {
  readonly id: string;
  readonly name: string;
}

/** What stands between a request for a code and its answer: questions to a person. */
@Injectable()
export class InteractionsService {
  constructor(
    private readonly server: AuthorizationServer,
    private readonly applications: ApplicationCache,
    private readonly transactions: OAuthTransactions,
    private readonly audit: OAuthAudit,
    private readonly secrets: Secrets,
  ) {}

  /** The question that the browser's cookie is about; undefined when there is none, or none any more. */
  async open({ raw }: FastifyRequest, reply: FastifyReply, uid: string): Promise<Question | undefined> {
    try {
      const { params, prompt, session, grantId, uid: own } = await (await this.server.provider()).interactionDetails(raw, reply.raw);
      const application = await this.applications.byClientId(String(params.client_id));
      if (own !== uid || application?.status !== 'approved') return undefined;
      const scopes = (prompt.details.missingResourceScopes ?? {}) as Record<string, string[]>;
      const loginHint = typeof params.login_hint === 'string' ? params.login_hint : '';
      return {
        prompt: prompt.name as Question['prompt'],
        application,
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

  /** Each gives the address that the browser goes on to. */
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

  /** By somebody who is signed in, or who does not even want to. */
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
