import { page } from '../../../api/http/pages/page.js';
import { FIRST, Naming, SECOND } from '../../../api/wording/page-wording.js';
import type { Wording } from '../../../api/wording/wording.js';
import { OrganizationField, signInPage, type SignInState } from '../../users/index.js';
import type { ScopeGroup } from '../../../api/access/scope-groups.js';
import { environmentIn, Fact } from '../interactions/consent.page.js';
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
  readonly wording: Wording;
}

export function connectionsPage({ csrf, userName, organizationName, connections, wording }: Connections): string {
  const { say, language } = wording;
  const body = (
    <>
      <p>
        <Naming text={say('connections.signedInAs', { name: FIRST, organization: SECOND })} names={[userName, organizationName]} />
      </p>
      <p>{connections.length === 0 ? say('connections.none') : say('connections.these')}</p>
      {connections.map((connection) => (
        <Connected connection={connection} csrf={csrf} wording={wording} />
      ))}
      <form method="post" action={CONNECTIONS_PATH}>
        <input type="hidden" name="csrf" value={csrf} />
        <button class="plain" name="do" value="sign-out">
          {say('connections.signOut')}
        </button>
      </form>
    </>
  );
  return page({ title: say('connections.title'), language, offersLanguages: true, body });
}

function Connected({ connection, csrf, wording }: { connection: ShownConnection; csrf: string; wording: Wording }) {
  const { say, formats } = wording;
  const { applicationId, applicationName, environment, since, lastToken, groups } = connection;
  return (
    <section>
      <h2>{applicationName}</h2>
      <dl class="facts">
        <Fact name={say('consent.facts.environment')}>{environmentIn(environment, wording)}</Fact>
        <Fact name={say('connections.since')}>{formats.day(dayOf(since))}</Fact>
        <Fact name={say('connections.lastToken')}>{lastToken === null ? say('connections.noToken') : formats.day(dayOf(lastToken))}</Fact>
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
        <button name="do" value="remove" aria-label={say('connections.removeNamed', { application: applicationName })}>
          {say('connections.remove')}
        </button>
      </form>
    </section>
  );
}

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

export function connectionsSignInPage(organization: string, state: SignInState, wording: Wording): string {
  const about = <p>{wording.say('signIn.toConnections')}</p>;
  const before = <OrganizationField organization={organization} state={state} wording={wording} />;
  return signInPage({ ...state, action: CONNECTIONS_PATH, csrf: '', about, before, wording, query: { organization } });
}
