import { page } from '../../../api/http/pages/page.js';
import { OrganizationField, signInPage, type SignInState } from '../../users/index.js';
import type { ScopeGroup } from '../../../api/access/scope-groups.js';
import { CONNECTIONS_PATH } from '../routes.js';
import type { Connection } from './connections-page.service.js';

export interface ShownConnection extends Connection {
  readonly groups: readonly ScopeGroup[];
}

export interface Connections {
  readonly csrf: string;
  readonly userName: string;
  readonly organizationName: string;
  readonly connections: readonly ShownConnection[];
}

export function connectionsPage({ csrf, userName, organizationName, connections }: Connections): string {
  const body = (
    <>
      <p>
        Signed in as <strong>{userName}</strong> at <strong>{organizationName}</strong>.
      </p>
      {connections.length === 0 ? (
        <p>No application may act for you.</p>
      ) : (
        <p>These applications may act for you. Remove one, and its access ends at once.</p>
      )}
      {connections.map((connection) => (
        <Connected connection={connection} csrf={csrf} />
      ))}
      <form method="post" action={CONNECTIONS_PATH}>
        <input type="hidden" name="csrf" value={csrf} />
        <button class="plain" name="do" value="sign-out">
          Sign out
        </button>
      </form>
    </>
  );
  return page({ title: 'Connected applications', body });
}

function Connected({ connection, csrf }: { connection: ShownConnection; csrf: string }) {
  const { applicationId, applicationName, environment, since, lastToken, groups } = connection;
  return (
    <section>
      <h2>{applicationName}</h2>
      <dl>
        <div>
          <dt>Environment</dt>
          <dd>{environment === 'live' ? 'Live: real data' : 'Test: no real data'}</dd>
        </div>
        <div>
          <dt>Allowed since</dt>
          <dd>{dayOf(since)}</dd>
        </div>
        <div>
          <dt>Last new token</dt>
          <dd>{lastToken === null ? 'None in the last days' : dayOf(lastToken)}</dd>
        </div>
      </dl>
      <ul>
        {groups
          .flatMap(({ scopes }) => scopes)
          .map(({ sentence, scope }) => (
            <li>
              {sentence} <span class="hint">({scope})</span>
            </li>
          ))}
      </ul>
      <form method="post" action={CONNECTIONS_PATH}>
        <input type="hidden" name="csrf" value={csrf} />
        <input type="hidden" name="application" value={applicationId} />
        <button name="do" value="remove" aria-label={`Remove ${applicationName}`}>
          Remove
        </button>
      </form>
    </section>
  );
}

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

export function connectionsSignInPage(organization: string, state: SignInState): string {
  const about = <p>Sign in to see which applications may act for you, and to end what you no longer want.</p>;
  const before = <OrganizationField organization={organization} state={state} />;
  return signInPage({ ...state, action: CONNECTIONS_PATH, csrf: '', about, before });
}
