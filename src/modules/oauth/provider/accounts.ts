import { Injectable } from '@nestjs/common';
import type { Client } from 'oidc-provider';
import { UsersService } from '../../users/index.js';
import { ApplicationCache } from '../applications/application-cache.js';
import type { Application } from '../applications/application.entity.js';
import { applicationOf } from '../applications/client-metadata.js';
import { ConnectionsService } from '../shared/connections/connections.service.js';
import { sharedClientOf } from '../shared/shared-client.js';
import { OAuthTransactions } from '../storage/oauth-transactions.js';

/** For whom an application may act, and as which application of their organization. */
@Injectable()
export class Accounts {
  constructor(
    private readonly users: UsersService,
    private readonly applications: ApplicationCache,
    private readonly connections: ConnectionsService,
    private readonly transactions: OAuthTransactions,
  ) {}

  /**
   * Whether a user may use the application. A shared application serves users of any organization: with `isGranted` they have allowed
   * it, and what they allowed must still be in force.
   */
  async isUserOf(userId: string, client: Client, { isGranted }: { readonly isGranted: boolean }): Promise<boolean> {
    const user = await this.users.byId(userId);
    if (!user || (sharedClientOf(client) && !isGranted)) return user !== undefined;
    const application = await this.actingAs(client);
    if (application?.organizationId !== user.organizationId) return false;
    return application.sharedClientId === null || this.connections.isInForce(application);
  }

  /** The application of one organization behind a client: for a shared one, the connection that the code or token of this request has. */
  actingAs(client: Client): Promise<Application | undefined> {
    if (!sharedClientOf(client)) return Promise.resolve(applicationOf(client));
    const { connectionId } = this.transactions;
    return connectionId === undefined ? Promise.resolve(undefined) : this.applications.byClientId(connectionId);
  }
}
