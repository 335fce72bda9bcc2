import { html, type Html } from '../../../api/http/pages/html.js';
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
  readonly about: Html;
  /** Fields before the e-mail address. */
  readonly before?: Html;
  /** Further buttons. */
  readonly after?: Html;
}

/** The page for e-mail address and password, or for the code of the authenticator app after them. */
export function signInPage(form: SignInForm): string {
  return form.proof === undefined ? passwordPage(form) : codePage(form, form.proof);
}

function passwordPage({ action, csrf, about, before = html``, after = html``, email, problem }: SignInForm): string {
  const [onEmail, onPassword] = email === '' ? [focusOf(problem), html``] : [html``, focusOf(problem)];
  const body = html`${about}
${said(problem)}<form method="post" action="${action}">
<input type="hidden" name="csrf" value="${csrf}">
${before}<label for="email">E-mail</label>
<input id="email" name="email" type="email" autocomplete="username" required maxlength="320" value="${email}"${onEmail}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required maxlength="1024"${onPassword}>
<button name="do" value="sign-in">Sign in</button>
${after}</form>`;
  return page({ title: 'Sign in', body });
}

function codePage({ action, csrf, before = html``, after = html``, email, problem }: SignInForm, proof: string): string {
  const body = html`<p>Open your authenticator app, and enter the code that it shows for this service.</p>
${said(problem)}<form method="post" action="${action}">
<input type="hidden" name="csrf" value="${csrf}">
<input type="hidden" name="email" value="${email}">
<input type="hidden" name="proof" value="${proof}">
${before}<label for="code">Code from your authenticator app</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9 ]*" required maxlength="12"${focusOf(problem)}>
<button name="do" value="sign-in">Continue</button>
${after}</form>`;
  return page({ title: 'Enter your code', body });
}

const said = (problem: string | undefined): Html =>
  problem === undefined ? html`` : html`<p class="error" role="alert" id="problem">${problem}</p>\n`;

/** Screen readers do not announce an alert that is there when the page loads. The focused field refers to it instead. */
const focusOf = (problem: string | undefined): Html =>
  problem === undefined ? html` autofocus` : html` autofocus aria-describedby="problem"`;

/** People with accounts at several organizations say which one they mean. It is kept for the page that asks for the code. */
export function organizationField(organization: string, { proof }: Partial<SignInState>): Html {
  if (proof !== undefined) return html`<input type="hidden" name="organization" value="${organization}">\n`;
  return html`<label for="organization">Organization</label>
<p class="hint" id="organization-hint">Its short name, only if you have accounts at several.</p>
<input id="organization" name="organization" autocomplete="organization" maxlength="100" value="${organization}"
aria-describedby="organization-hint">
`;
}
