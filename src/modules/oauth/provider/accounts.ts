import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Client } from 'oidc-provider';
import { type BrowserRequest, ConsoleSessions, type SignedIn, type SignInWay } from '../../../api/console/page.js';
import { Ports } from '../../../store/discovery/ports.js';
import { SignInRulesService, UsersService, type UserFacts } from '../../users/index.js';
import type { Application } from '../applications/application.entity.js';
import { ApplicationCache } from '../applications/applications.repository.js';
import { applicationOf } from '../applications/client-metadata.js';
import { ConnectionsService } from '../shared/connections/connections.service.js';
import { sharedClientOf } from '../shared/shared-client.js';
import { OAuthTransactions } from '../storage/oauth-transactions.js';

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

  async isSignedIn(request: BrowserRequest, userId: string, by: SignInWay): Promise<boolean> {
    const signedIn = await this.sessions.find(request);
    return signedIn?.user.id === userId && signedIn.signedInBy === by;
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
