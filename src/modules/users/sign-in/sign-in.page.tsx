import type { ComponentChildren } from 'preact';
import { page } from '../../../api/http/pages/page.js';

/** Where a sign-in stands. */
export interface SignInState {
  readonly email: string;
  /** What was wrong with the last attempt. */
  readonly problem?: string | undefined;
  /** Of the right password: only the code is missing. */
  readonly proof?: string | undefined;
}

export interface SignInForm extends SignInState {
  readonly action: string;
  readonly csrf: string;
  /** What the sign-in is for. */
  readonly about: ComponentChildren;
  /** Fields before the e-mail address. */
  readonly before?: ComponentChildren;
  /** Further buttons. */
  readonly after?: ComponentChildren;
}

/** The page for e-mail address and password, or for the code of the authenticator app after them. */
export function signInPage(form: SignInForm): string {
  return form.proof === undefined ? passwordPage(form) : codePage(form, form.proof);
}

function passwordPage({ action, csrf, about, before, after, email, problem }: SignInForm): string {
  const body = (
    <>
      {about}
      <Said problem={problem} />
      <form method="post" action={action}>
        <input type="hidden" name="csrf" value={csrf} />
        {before}
        <label for="email">E-mail</label>
        <input
          id="email"
          name="email"
          type="email"
          autoComplete="username"
          required
          maxLength={320}
          value={email}
          {...(email === '' ? focusOf(problem) : {})}
        />
        <label for="password">Password</label>
        <input
          id="password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
          maxLength={1024}
          {...(email === '' ? {} : focusOf(problem))}
        />
        <button name="do" value="sign-in">
          Sign in
        </button>
        {after}
      </form>
    </>
  );
  return page({ title: 'Sign in', body });
}

function codePage({ action, csrf, before, after, email, problem }: SignInForm, proof: string): string {
  const body = (
    <>
      <p>Open your authenticator app, and enter the code that it shows for this service. A recovery code works, too.</p>
      <Said problem={problem} />
      <form method="post" action={action}>
        <input type="hidden" name="csrf" value={csrf} />
        <input type="hidden" name="email" value={email} />
        <input type="hidden" name="proof" value={proof} />
        {before}
        <label for="code">Code from your authenticator app</label>
        <input id="code" name="code" autoComplete="one-time-code" required maxLength={40} {...focusOf(problem)} />
        <button name="do" value="sign-in">
          Continue
        </button>
        {after}
      </form>
    </>
  );
  return page({ title: 'Enter your code', body });
}

const Said = ({ problem }: { problem: string | undefined }) =>
  problem === undefined ? null : (
    <p class="error" role="alert" id="problem">
      {problem}
    </p>
  );

/** Screen readers do not announce an alert that is there when the page loads. The focused field refers to it instead. */
const focusOf = (problem: string | undefined) => ({ autoFocus: true, 'aria-describedby': problem === undefined ? undefined : 'problem' });

/** People with accounts at several organizations say which one they mean. It is kept for the page that asks for the code. */
export function OrganizationField({ organization, state }: { organization: string; state: Partial<SignInState> }) {
  if (state.proof !== undefined) return <input type="hidden" name="organization" value={organization} />;
  return (
    <>
      <label for="organization">Organization</label>
      <p class="hint" id="organization-hint">
        Its short name, only if you have accounts at several.
      </p>
      <input
        id="organization"
        name="organization"
        autoComplete="organization"
        maxLength={100}
        value={organization}
        aria-describedby="organization-hint"
      />
    </>
  );
}
