import type { UserRole } from '../../src/kernel/roles.js';
import type { TestApp } from './app.js';
import { type Answer, Client } from './client.js';
import { anApplication, aUser, tokensOf } from './oauth.js';

class ByToken extends Client {
  constructor(
    url: string,
    readonly token: string,
  ) {
    super(url);
  }

  override send(method: string, path: string, body: object | string | undefined, headers: Record<string, string> = {}): Promise<Answer> {
    return super.send(method, path, body, { authorization: `Bearer ${this.token}`, ...headers });
  }
}

/** The API as an application calls it for a new person with this role, who has allowed everything. Its `token` is for tools. */
export async function byPerson(app: TestApp, organization: { readonly id: string }, role: UserRole, wanted: { name?: string } = {}) {
  const application = await anApplication(app, organization.id, wanted);
  const partner = { organization, application, user: await aUser(app, organization.id, role) };
  const { accessToken } = await tokensOf(app, partner as never, { scope: undefined });
  return new ByToken(app.url, accessToken);
}
