import type { Page } from '../../../api/http/pages/page.js';
import type { Wording } from '../../../api/wording/wording.js';
import { NewPasswordFields } from '../new-password-fields.js';
import type { OpenInvitation } from './acceptance.service.js';

interface Asked {
  readonly wording: Wording;
  /** None where the service has no console. */
  readonly signInPath: string | undefined;
}

const titleOf = ({ organizationName }: OpenInvitation, { say }: Wording): string =>
  say('invitation.title', { organization: organizationName });

/** Where passwords are switched off. The first sign-in accepts the invitation. */
const companyPage = (invitation: OpenInvitation, organization: string, wording: Wording): Page => ({
  title: titleOf(invitation, wording),
  language: wording.language,
  body: (
    <>
      <p>{wording.say('invitation.company', { email: invitation.email })}</p>
      <Link to={`/console/sign-in/company?${new URLSearchParams({ organization }).toString()}`} label={wording.say('invitation.signIn')} />
    </>
  ),
});

/** People with an account go on with it; others choose a password. `problem` says what is wrong with the one that was sent. */
export function choosePasswordPage(invitation: OpenInvitation, { wording, signInPath }: Asked, problem?: string): Page {
  const { email, company } = invitation;
  const { say, language } = wording;
  if (company !== undefined) return companyPage(invitation, company, wording);
  const body = (
    <>
      <p>{say('invitation.choose')}</p>
      {signInPath === undefined ? null : (
        <p class="hint">
          {say('invitation.already')} <a href={signInPath}>{say('invitation.signInFirst')}</a>
        </p>
      )}
      <NewPasswordFields email={email} problem={problem} wording={wording} />
    </>
  );
  return { title: titleOf(invitation, wording), language, offersLanguages: true, body };
}

/** For somebody who is signed in with the e-mail address that was invited. */
export function joinPage(invitation: OpenInvitation, csrf: string, wording: Wording): Page {
  const body = (
    <>
      <p>{wording.say('invitation.joinAs', { email: invitation.email })}</p>
      <form method="post" action={`?lang=${wording.language}`}>
        <input type="hidden" name="csrf" value={csrf} />
        <button name="do" value="join">
          {wording.say('invitation.join')}
        </button>
      </form>
    </>
  );
  return { title: titleOf(invitation, wording), language: wording.language, offersLanguages: true, body };
}

export const acceptedPage = ({ wording: { say, language }, signInPath }: Asked): Page => ({
  title: say('invitation.set'),
  language,
  body: (
    <>
      <p>{say('invitation.setAbout')}</p>
      <Link to={signInPath} label={say('invitation.signIn')} />
    </>
  ),
});

const Link = ({ to, label }: { to: string | undefined; label: string }) =>
  to === undefined ? null : (
    <p>
      <a href={to}>{label}</a>
    </p>
  );

export const joinedPage = ({ say, language }: Wording): Page => ({
  title: say('invitation.joined'),
  language,
  body: (
    <>
      <p>{say('invitation.joinedAbout')}</p>
      <Link to="/console" label={say('invitation.openConsole')} />
    </>
  ),
});

export const noInvitationPage = ({ wording: { say, language }, signInPath }: Asked): Page => ({
  title: say('invitation.invalid'),
  language,
  body: (
    <>
      <p>{say('invitation.invalidAbout')}</p>
      <p>{say('invitation.accepted')}</p>
      <Link to={signInPath} label={say('invitation.signIn')} />
    </>
  ),
});
