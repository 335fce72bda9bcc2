import { page } from '../../../api/http/pages/page.js';
import type { ConnectionRefusal } from '../shared/connections/connections.service.js';
import type { SharedClient } from '../shared/shared-client.js';

/** What users can rely on: a host belongs to somebody, a name can be claimed by anyone. */
export const identityOf = ({ host, name }: SharedClient): string => host ?? name;

/** Who asks, and how far that is proven. `deciding`: the organization for whose members the user decides. */
export const WhoAsks = ({ client, deciding }: { client: SharedClient; deciding: string | undefined }) => (
  <>
    {client.isListed ? (
      <p>
        The operator of this service has listed <strong>{client.name}</strong>.
      </p>
    ) : (
      <NotVerified client={client} />
    )}
    {deciding === undefined ? null : (
      <p>
        With your consent all members of <strong>{deciding}</strong> can connect it.
      </p>
    )}
  </>
);

const NotVerified = ({ client: { host, name } }: { client: SharedClient }) => (
  <>
    {host === null ? (
      <p>This application calls itself “{name}”. Anyone can use any name.</p>
    ) : (
      <p>
        This application is published by <strong>{host}</strong> and calls itself “{name}”.
      </p>
    )}
    <p class="error">It is not verified by us. Continue only if you have just started this yourself, in an application that you trust.</p>
  </>
);

const REASONS: Record<ConnectionRefusal, string> = {
  none_allowed: 'does not allow applications like this one.',
  denied: 'has blocked this application.',
  suspended: 'has suspended this application.',
  ask_an_owner: 'has not allowed this application yet. Ask an owner or admin to connect it first.',
};

export interface RefusedConnection {
  readonly action: string;
  readonly csrf: string;
  readonly applicationName: string;
  readonly organizationName: string;
  readonly reason: ConnectionRefusal;
}

/** The organization does not allow the application. The button returns to it with an error. */
export function refusedConnectionPage({ action, csrf, applicationName, organizationName, reason }: RefusedConnection): string {
  const body = (
    <>
      <p class="error" role="alert">
        <strong>{organizationName}</strong> {REASONS[reason]}
      </p>
      <form method="post" action={action}>
        <input type="hidden" name="csrf" value={csrf} />
        <button name="do" value="refuse">
          Go back to the application
        </button>
      </form>
    </>
  );
  return page({ title: `${applicationName} cannot be connected`, body });
}
