import type { ComponentChildren } from 'preact';
import { isAtLeast, type UserRole } from '../../../kernel/roles.js';
import { page } from '../../../api/http/pages/page.js';
import { destinationOf } from '../applications/redirect-addresses.js';
import { CONNECTIONS_PATH } from '../routes.js';
import type { ScopeGroup } from '../../../api/access/scope-groups.js';
import type { ScopeText } from '../../../api/access/scope-texts.js';

/** How long a consent lasts. Then the user is asked again. */
export const CONSENT_DAYS = 365;

export interface Consent {
  readonly action: string;
  readonly csrf: string;
  readonly applicationName: string;
  readonly organizationName: string;
  /** null: the user chooses it with the button. */
  readonly environment: 'test' | 'live' | null;
  readonly user: { readonly name: string; readonly role: UserRole };
  /** The address that the browser is sent to with the answer; undefined for a device. */
  readonly redirectUri: string | undefined;
  /** The scopes that the user decides about. */
  readonly asked: readonly ScopeGroup[];
  /** Those of them that are not chosen yet. */
  readonly leftOut: readonly string[];
  /** The user has decided about all of them before. */
  readonly isRepeated: boolean;
  /** What was wrong with the last answer. */
  readonly problem: string | undefined;
  /** What else the user should know before they decide. */
  readonly warning?: ComponentChildren;
}

export function consentPage(consent: Consent): string {
  const { action, csrf, applicationName, environment, asked, leftOut, problem, warning, user } = consent;
  const isAllowed = ({ role }: ScopeText): boolean => isAtLeast(user.role, role);
  const scopes = asked.flatMap((group) => group.scopes);
  const canAllow = scopes.length === 0 || scopes.some(isAllowed);
  const body = (
    <>
      {warning}
      <Mode consent={consent} />
      <Question consent={consent} />
      {problem === undefined ? null : (
        <p class="error" role="alert">
          {problem}
        </p>
      )}
      <form method="post" action={action}>
        <input type="hidden" name="csrf" value={csrf} />
        {asked.map((group) => (
          <Choices group={group} leftOut={leftOut} user={user} />
        ))}
        {canAllow ? null : <p class="error">Your role allows none of this. Ask an owner or admin of {consent.organizationName}.</p>}
        <Facts consent={consent} />
        {!canAllow ? null : environment === null ? <EnvironmentButtons /> : <ChoiceButton value="allow" label="Allow" />}
        <ChoiceButton value="refuse" label="Refuse" plain />
        <ChoiceButton value="other-account" label="Use another account" plain />
      </form>
    </>
  );
  return page({ title: `Allow ${applicationName}?`, body });
}

const ChoiceButton = ({ value, label, plain }: { value: string; label: string; plain?: boolean }) => (
  <button class={plain ? 'plain' : undefined} name="do" value={value}>
    {label}
  </button>
);

/** The button says what it allows, so nobody chooses real data by mistake. */
const EnvironmentButtons = () => (
  <>
    <ChoiceButton value="allow:test" label="Allow for test data" />
    <ChoiceButton value="allow:live" label="Allow for live data" />
  </>
);

const Question = ({ consent: { applicationName, isRepeated } }: { consent: Consent }) =>
  isRepeated ? (
    <p>
      <strong>{applicationName}</strong> asks you to confirm what you allowed before.
    </p>
  ) : (
    <p>
      <strong>{applicationName}</strong> asks for permission to do this for you. You can leave out what you do not want to allow.
    </p>
  );

/** Said in words and by a frame, since colours alone are not seen by everybody. */
function Mode({ consent: { environment, organizationName } }: { consent: Consent }) {
  if (environment === null) return null;
  if (environment === 'test')
    return (
      <p class="mode">
        <strong>Test data.</strong> Real data is not touched.
      </p>
    );
  return (
    <p class="mode live">
      <strong>Live: real data.</strong> This is about the real data of {organizationName}.
    </p>
  );
}

type ChoicesProps = { group: ScopeGroup; leftOut: readonly string[]; user: Consent['user'] };

/** What the role of the user does not allow is shown, with the reason, and cannot be chosen. */
const Choices = ({ group: { title, scopes }, leftOut, user }: ChoicesProps) => (
  <fieldset>
    <legend>{title}</legend>
    {scopes.map(({ scope, sentence, isWrite, role }) => (
      <label class={isAtLeast(user.role, role) ? 'choice' : 'choice hint'}>
        <ScopeBox scope={scope} isAllowed={isAtLeast(user.role, role)} isLeftOut={leftOut.includes(scope)} />
        <span>
          <strong>{isWrite ? 'Change:' : 'View:'}</strong> {sentence} <span class="hint">({scope})</span>
          {isAtLeast(user.role, role) ? null : (
            <>
              {' '}
              <strong>
                This takes the role {role}. Yours is {user.role}.
              </strong>
            </>
          )}
        </span>
      </label>
    ))}
  </fieldset>
);

const ScopeBox = ({ scope, isAllowed, isLeftOut }: { scope: string; isAllowed: boolean; isLeftOut: boolean }) =>
  isAllowed ? (
    <input type="checkbox" name="scope" value={scope} checked={!isLeftOut} />
  ) : (
    <input type="checkbox" name="scope" value={scope} disabled />
  );

const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

function Facts({ consent }: { consent: Consent }) {
  const { organizationName, environment, user, redirectUri, applicationName } = consent;
  return (
    <dl>
      <Fact name="Organization">{organizationName}</Fact>
      {environment === null ? null : <Fact name="Environment">{environment === 'live' ? 'Live: real data' : 'Test: no real data'}</Fact>}
      <Fact name="Signed in as">{user.name}</Fact>
      <Fact name="You will be sent to">
        {redirectUri === undefined ? 'This page. The device that shows the code gets the access' : destinationOf(redirectUri)}
      </Fact>
      <Fact name="For how long">Until you end it, at most {CONSENT_DAYS} days. Then you are asked again.</Fact>
      <Fact name="How to end it">
        Remove {applicationName} from <a href={CONNECTIONS_PATH}>your connected applications</a>. It takes effect at once.
      </Fact>
    </dl>
  );
}
