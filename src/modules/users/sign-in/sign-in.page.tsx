import type { ComponentChildren } from 'preact';
import { page } from '../../../api/http/pages/page.js';
import type { Say, Wording } from '../../../api/wording/wording.js';

export type SignInProblem =
  | 'credentials'
  | 'credentials_anywhere'
  | 'code_wrong'
  | 'passkey_wrong'
  | 'second_factor_missing'
  | 'passwords_off'
  | 'throttled'
  | 'too_late';

export interface SignInState {
  readonly email: string;
  readonly problem?: SignInProblem | undefined;
  /** Of the right password: only the code is missing. */
  readonly proof?: string | undefined;
}

export interface SignInForm extends SignInState {
  readonly wording: Wording;
  /** What the address of the page has besides its language. */
  readonly query?: Readonly<Record<string, string>>;
  readonly action: string;
  readonly csrf: string;
  readonly about: ComponentChildren;
  readonly before?: ComponentChildren;
  /** How to sign in with a passkey, which takes the place of the password as well as of the code. */
  readonly passkey?: ComponentChildren;
  readonly hasScript?: boolean;
  readonly after?: ComponentChildren;
}

/** The page for e-mail address and password, or for the code of the authenticator app after them. */
export const signInPage = (form: SignInForm): string => (form.proof === undefined ? passwordPage(form) : codePage(form, form.proof));

function passwordPage({ action, csrf, about, before, passkey, hasScript, after, email, problem, wording, query = {} }: SignInForm): string {
  const { say, language } = wording;
  const body = (
    <>
      {about}
      <ProblemNote text={problem && say(`signIn.problems.${problem}`)} />
      <form method="post" action={action}>
        <input type="hidden" name="csrf" value={csrf} />
        {before}
        <label for="email">{say('signIn.email')}</label>
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
        <label for="password">{say('signIn.password')}</label>
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
          {say('signIn.submit')}
        </button>
        {passkey}
        {after}
      </form>
    </>
  );
  return page({ title: say('signIn.title'), language, offersLanguages: query, hasScript, body });
}

function codePage({ action, csrf, before, passkey, hasScript, after, email, problem, wording }: SignInForm, proof: string): string {
  const { say, language } = wording;
  const body = (
    <>
      <p>{say('signIn.codeAbout')}</p>
      <ProblemNote text={problem && say(`signIn.problems.${problem}`)} />
      <form method="post" action={action}>
        <input type="hidden" name="csrf" value={csrf} />
        <input type="hidden" name="email" value={email} />
        <input type="hidden" name="proof" value={proof} />
        {before}
        <label for="code">{say('signIn.code')}</label>
        <input id="code" name="code" autoComplete="one-time-code" required maxLength={40} {...focusOf(problem)} />
        <button name="do" value="sign-in">
          {say('signIn.next')}
        </button>
        {passkey}
        {after}
      </form>
    </>
  );
  return page({ title: say('signIn.codeTitle'), language, hasScript, body });
}

/** `options`: of the passkey that is to be made; else one that exists is asked for. */
type PasskeyButtonProps = { readonly say: Say; readonly label?: string; readonly options?: object };

export const PASSKEY_PATH = '/console/sign-in/passkey';

/** Sends its form with the answer of a passkey, in place of the fields for password and code. It appears where scripts run. */
export function PasskeyButton({ say, label = say('signIn.passkeyInstead'), options }: PasskeyButtonProps) {
  const asks = { 'data-passkey': PASSKEY_PATH, 'data-options': options && JSON.stringify(options) };
  return (
    <>
      <input type="hidden" name="passkey" />
      <button type="button" class={options ? undefined : 'plain'} {...asks} hidden>
        {label}
      </button>
      <p class="error" role="alert" hidden>
        {say('signIn.passkeyFailed')}
      </p>
    </>
  );
}

/** On pages without scripts: to the sign-in of the console, which leads back. */
export const PasskeyLink = ({ say, next }: { readonly say: Say; readonly next: string }) => (
  <p class="hint">
    <a href={`/console/sign-in?${new URLSearchParams({ next, again: 'yes' }).toString()}`}>{say('signIn.passkey')}</a>
  </p>
);

export const ProblemNote = ({ text }: { text: string | undefined }) =>
  text === undefined ? null : (
    <p class="error" role="alert" id="problem">
      {text}
    </p>
  );

/** Screen readers do not announce an alert that is there when the page loads. The focused field refers to it instead. */
const focusOf = (problem: SignInProblem | undefined) => ({
  autoFocus: true,
  'aria-describedby': problem === undefined ? undefined : 'problem',
});

type OrganizationProps = { readonly organization: string; readonly state: Partial<SignInState>; readonly wording: Wording };

/** People with accounts at several organizations say which one they mean. It is kept for the page that asks for the code. */
export function OrganizationField({ organization, state, wording: { say } }: OrganizationProps) {
  if (state.proof !== undefined) return <input type="hidden" name="organization" value={organization} />;
  return (
    <>
      <label for="organization">{say('signIn.organization')}</label>
      <p class="hint" id="organization-hint">
        {say('signIn.organizationHint')}
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
