import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ConsoleSessions, type ConsoleUser } from '../../../api/console/page-context.js';
import { Ports } from '../../../store/discovery/ports.js';
import { Secrets } from '../../../store/secrets/secrets.js';
import type { Application } from '../applications/application.entity.js';
import { AuthorizationServer } from '../provider/authorization-server.js';
import { Resources } from '../resources.js';
import { Clients, isShared } from '../shared/clients.js';
import type { SharedClient } from '../shared/shared-client.js';
import { askedScopes, type AskedScopes } from './asked-scopes.js';

/** Who asks: an application of one organization, or one that serves every organization. */
type Asking =
  { readonly application: Application; readonly shared: undefined } | { readonly application: undefined; readonly shared: SharedClient };

interface Facts extends AskedScopes {
  readonly prompt: 'login' | 'consent';
  /** The user who is signed in. Undefined before the sign-in. */
  readonly userId: string | undefined;
  readonly grantId: string | undefined;
  /** Undefined for a device, which is not told by the browser. */
  readonly redirectUri: string | undefined;
  readonly loginHint: string;
  /** Who is signed in to the console with this browser, and may answer without signing in again. */
  readonly inConsole: ConsoleUser | undefined;
  /** Proves that a form was shown to this browser. */
  readonly csrf: string;
}

/** What the authorization server needs from the user before it can answer the application. */
export type Question = Asking & Facts;

/** Finds the question that a browser is asked. */
@Injectable()
export class OpenQuestions {
  constructor(
    private readonly server: AuthorizationServer,
    private readonly clients: Clients,
    private readonly secrets: Secrets,
    private readonly resources: Resources,
    private readonly ports: Ports,
  ) {}

  /** The open question of this browser, by its cookie; undefined if there is none or it has expired. */
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
        redirectUri: typeof params.redirect_uri === 'string' ? params.redirect_uri : undefined,
        inConsole: prompt.name === 'login' ? await this.inConsole(request, organizationId) : undefined,
        loginHint: typeof params.login_hint === 'string' ? params.login_hint : '',
        csrf: createHmac('sha256', this.secrets.keysFor('oauth forms')[0]!).update(uid).digest('base64url'),
      };
    } catch (error) {
      if (error instanceof Error && error.name === 'SessionNotFound') return undefined;
      throw error;
    }
  }

  /** Not who has to set up a second factor first, nor a user of another organization than the application's. */
  private async inConsole(request: FastifyRequest, organizationId: string | undefined): Promise<ConsoleUser | undefined> {
    const signedIn = await this.ports.only(ConsoleSessions)?.of(request);
    if (!signedIn || signedIn.lacksSecondFactor) return undefined;
    return organizationId === undefined || signedIn.organization.id === organizationId ? signedIn.user : undefined;
  }
}

/** Whether the form that was sent is the one of this question. */
export function isOwnForm({ csrf }: Question, given: string): boolean {
  const [a, b] = [csrf, given].map((text) => createHmac('sha256', 'compared').update(text).digest());
  return timingSafeEqual(a!, b!);
}
