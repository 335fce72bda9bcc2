import type { Page } from '../../../api/http/pages/page.js';
import { NewPasswordFields } from '../new-password-fields.js';
import type { OpenInvitation } from './acceptance.service.js';

/** Where passwords are switched off. The first sign-in accepts the invitation. */
const companyPage = ({ email, organizationName }: OpenInvitation, organization: string): Page => ({
  title: `Join ${organizationName}`,
  body: (
    <p>
      You have been invited. <a href={`/console/sign-in/company?${new URLSearchParams({ organization }).toString()}`}>Sign in</a> with your
      company’s account <strong>{email}</strong>.
    </p>
  ),
});

/** People with an account go on with it; others choose a password. `problem` says what is wrong with the one that was sent. */
export function choosePasswordPage(invitation: OpenInvitation, signInPath: string | undefined, problem?: string): Page {
  const { email, organizationName, company } = invitation;
  if (company !== undefined) return companyPage(invitation, company);
  const body = (
    <>
      <p>You have been invited. Choose a password to sign in with.</p>
      {signInPath === undefined ? null : (
        <p class="hint">
          Do you sign in here for another organization already? <a href={signInPath}>Sign in first</a>, and keep your password.
        </p>
      )}
      <NewPasswordFields email={email} problem={problem} submit="Set the password" />
    </>
  );
  return { title: `Join ${organizationName}`, body };
}

/** For somebody who is signed in with the e-mail address that was invited. */
export function joinPage({ email, organizationName }: OpenInvitation, csrf: string): Page {
  const body = (
    <>
      <p>
        You are signed in as <strong>{email}</strong>, and join with this account: one password for both organizations.
      </p>
      <form method="post">
        <input type="hidden" name="csrf" value={csrf} />
        <button name="do" value="join">
          Join
        </button>
      </form>
    </>
  );
  return { title: `Join ${organizationName}`, body };
}

export const acceptedPage = (signInPath: string | undefined): Page => ({
  title: 'Your password is set',
  body: (
    <p>
      <SignIn path={signInPath} /> with your e-mail address and this password.
    </p>
  ),
});

const SignIn = ({ path }: { path: string | undefined }) => (path === undefined ? <>Sign in</> : <a href={path}>Sign in</a>);

export const joinedPage = (): Page => ({
  title: 'You have joined',
  body: (
    <p>
      <a href="/console">Open the console</a>. The menu at your name takes you from one organization to the other.
    </p>
  ),
});

export const noInvitationPage = (signInPath: string | undefined): Page => ({
  title: 'This link is no longer valid',
  body: (
    <>
      <p>An invitation works once, for seven days, and a newer invitation replaces it. Ask the person who invited you for a new link.</p>
      <p>
        <SignIn path={signInPath} /> if you have accepted it already.
      </p>
    </>
  ),
});
