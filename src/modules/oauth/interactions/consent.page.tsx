import type { ComponentChildren } from 'preact';
import type { Environment } from '../../../kernel/context.js';
import { isAtLeast, type UserRole } from '../../../kernel/roles.js';
import { Facts, Note, Sentence } from '../../../api/console/parts/facts.js';
import { page } from '../../../api/http/pages/page.js';
import { Filled, FIRST, SECOND } from '../../../api/wording/page-wording.js';
import type { Wording } from '../../../api/wording/wording.js';
import { destinationOf } from '../applications/client-metadata.js';
import { CONNECTIONS_PATH } from '../resources.js';
import type { ScopeGroup, ScopeText } from '../../../api/access/scopes.js';

export const CONSENT_DAYS = 365;

export interface Consent {
  readonly wording: Wording;
  readonly action: string;
  readonly csrf: string;
  readonly applicationName: string;
  readonly organizationName: string;
  /** null: the user chooses it with the button. */
  readonly environment: 'test' | 'live' | null;
  /** Those that can be chosen. */
  readonly environments: readonly Environment[];
  /** For the claim projects. */
  readonly field: ComponentChildren;
  readonly user: { readonly name: string; readonly role: UserRole };
  /** The address that the browser is sent to with the answer; undefined for a device. */
  readonly redirectUri: string | undefined;
  readonly asked: readonly ScopeGroup[];
  /** Those of them that are not chosen yet. */
  readonly leftOut: readonly string[];
  /** The user has decided about all of them before. */
  readonly isRepeated: boolean;
  readonly isNothingChosen: boolean;
  readonly warning?: ComponentChildren;
}

export function consentPage(consent: Consent): string {
  const { action, csrf, applicationName, environment, asked, leftOut, isNothingChosen, warning, user, wording } = consent;
  const { say, language } = wording;
  const isAllowed = ({ role }: ScopeText): boolean => isAtLeast(user.role, role);
  const asks = consent.isRepeated ? say('consent.asksAgain', { application: FIRST }) : say('consent.asks', { application: FIRST });
  const scopes = asked.flatMap((group) => group.scopes);
  const canAllow = scopes.length === 0 || scopes.some(isAllowed);
  const body = (
    <>
      {warning}
      <Mode consent={consent} />
      <Sentence text={asks} names={[applicationName]} />
      {isNothingChosen ? <Note tone="error">{say('consent.nothingChosen')}</Note> : null}
      <form method="post" action={action}>
        <input type="hidden" name="csrf" value={csrf} />
        {asked.map((group) => (
          <Choices group={group} leftOut={leftOut} user={user} wording={wording} />
        ))}
        {canAllow ? consent.field : null}
        {canAllow ? null : <p class="error">{say('consent.roleAllowsNone', { organization: consent.organizationName })}</p>}
        <ConsentFacts consent={consent} />
        {!canAllow ? null : environment === null ? (
          <EnvironmentButtons environments={consent.environments} wording={wording} />
        ) : (
          <ChoiceButton value="allow" label={say('consent.allow')} />
        )}
        <ChoiceButton value="refuse" label={say('consent.refuse')} plain />
        <ChoiceButton value="other-account" label={say('consent.otherAccount')} plain />
      </form>
    </>
  );
  return page({ title: say('consent.title', { application: applicationName }), language, offersLanguages: true, body });
}

const ChoiceButton = ({ value, label, plain }: { value: string; label: string; plain?: boolean }) => (
  <button class={plain ? 'plain' : undefined} name="do" value={value}>
    {label}
  </button>
);

/** The button says what it allows, so nobody chooses real data by mistake. */
const EnvironmentButtons = ({ environments, wording: { say } }: Pick<Consent, 'environments' | 'wording'>) =>
  environments.map((environment) => (
    <ChoiceButton value={`allow:${environment}`} label={say(environment === 'live' ? 'consent.allowLive' : 'consent.allowTest')} />
  ));

function Mode({ consent: { environment, organizationName, wording } }: { consent: Consent }) {
  if (environment === null) return null;
  const isLive = environment === 'live';
  return (
    <p class={isLive ? 'error' : 'warning'}>
      <strong>{environmentIn(environment, wording)}.</strong>{' '}
      {isLive ? wording.say('consent.liveAbout', { organization: organizationName }) : wording.say('consent.testAbout')}
    </p>
  );
}

export const environmentIn = (environment: Environment, { say }: Wording): string =>
  environment === 'live' ? say('consent.live') : say('consent.test');

type ChoicesProps = { group: ScopeGroup; leftOut: readonly string[]; user: Consent['user']; wording: Wording };

/** What the role of the user does not allow is shown, with the reason, and cannot be chosen. */
const Choices = ({ group: { title, scopes }, leftOut, user, wording: { say } }: ChoicesProps) => (
  <fieldset>
    <legend>{title}</legend>
    {scopes.map(({ scope, sentence, isWrite, role }) => (
      <label class={isAtLeast(user.role, role) ? 'choice' : 'choice hint'}>
        <ScopeBox scope={scope} isAllowed={isAtLeast(user.role, role)} isLeftOut={leftOut.includes(scope)} />
        <span>
          <strong>{isWrite ? say('consent.change') : say('consent.view')}</strong> {sentence} <span class="hint">({scope})</span>
          {isAtLeast(user.role, role) ? null : (
            <>
              {' '}
              <strong>{say('consent.roleNeeded', { role: say(`consent.roles.${role}`), yours: say(`consent.roles.${user.role}`) })}</strong>
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

function ConsentFacts({ consent }: { consent: Consent }) {
  const { organizationName, environment, user, redirectUri, applicationName, wording } = consent;
  const { say } = wording;
  const remove = say('consent.facts.remove', { application: FIRST, connections: SECOND });
  const connections = <a href={CONNECTIONS_PATH}>{say('consent.facts.connections')}</a>;
  return (
    <Facts
      facts={[
        [say('signIn.organization'), organizationName],
        ...(environment === null ? [] : ([[say('consent.facts.environment'), environmentIn(environment, wording)]] as const)),
        [say('consent.facts.signedInAs'), user.name],
        [say('consent.facts.sentTo'), redirectUri === undefined ? say('consent.facts.toDevice') : destinationOf(redirectUri)],
        [say('consent.facts.howLong'), say('consent.facts.until', { days: CONSENT_DAYS })],
        [say('consent.facts.howToEnd'), <Filled text={remove} parts={[applicationName, connections]} />],
      ]}
    />
  );
}
