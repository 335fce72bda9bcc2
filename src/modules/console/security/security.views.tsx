import { encode } from 'uqr';
import { formOf, type FormState } from '../../../api/console/form.js';
import { type PageContext, pathOf } from '../../../api/console/page-context.js';
import { Badge, Confirm, Copyable, Facts } from '../../../api/console/parts/facts.js';
import { ConsoleForm, TextField } from '../../../api/console/parts/fields.js';
import { PASSWORD_HINT, type ProposedSecret, type Security, totpUriOf } from '../../users/index.js';
import { NEW_PASSWORD_PATH } from '../sessions/sign-in-links.service.js';

interface Props {
  readonly ctx: PageContext;
  readonly state: FormState;
}

const at = (ctx: PageContext, ...parts: string[]): string => pathOf(ctx, 'security', ...parts);

export function SecurityView({ ctx, state, security }: Props & { security: Security }) {
  if (ctx.signedInBy === 'single_sign_on')
    return <p>You sign in with your company’s account. Password and second factor are changed there.</p>;
  /** What was wrong belongs to the form that was sent. */
  const stateOf = (...form: string[]): FormState => (ctx.path === at(ctx, ...form) ? state : formOf());
  return (
    <>
      <h2>Password</h2>
      <PasswordForm ctx={ctx} state={stateOf('password')} hasPassword={security.hasPassword} />
      <h2>Second factor</h2>
      <SecondFactorState ctx={ctx} state={stateOf('recovery-codes')} wrongCode={stateOf('second-factor', 'off')} security={security} />
      <h2>Organizations of this account</h2>
      <p>You go from one to another in the menu at your name, without signing in again.</p>
      <ul>
        <li>{ctx.organization.name} (you are here)</li>
        {ctx.others.map(({ name }) => (
          <li>{name}</li>
        ))}
      </ul>
      <JoinForm ctx={ctx} state={stateOf('organizations')} />
    </>
  );
}

function PasswordForm({ ctx, state, hasPassword }: Props & { hasPassword: boolean }) {
  if (!hasPassword)
    return (
      <p>
        You have no password yet. <a href={NEW_PASSWORD_PATH}>Have a link mailed to you</a> to choose one.
      </p>
    );
  return (
    <ConsoleForm ctx={ctx} state={state} action={at(ctx, 'password')} submit="Change the password">
      <UserName ctx={ctx} />
      <TextField state={state} name="current" label="Current password" type="password" required autocomplete="current-password" />
      <TextField
        state={state}
        name="password"
        label="New password"
        type="password"
        required
        autocomplete="new-password"
        hint={`${PASSWORD_HINT} All other browsers are signed out.`}
      />
      <TextField state={state} name="repeated" label="Repeat the new password" type="password" required autocomplete="new-password" />
    </ConsoleForm>
  );
}

/** Password managers learn from it whose password it is. */
const UserName = ({ ctx }: { ctx: PageContext }) => <input type="text" value={ctx.user.email} autoComplete="username" readOnly hidden />;

function SecondFactorState({ ctx, state, wrongCode, security }: Props & { wrongCode: FormState; security: Security }) {
  if (!security.totp)
    return (
      <>
        <p>Without one, your password is all that somebody needs to sign in as you.</p>
        <p>
          <a class="button" href={at(ctx, 'second-factor')}>
            Set up a second factor
          </a>
        </p>
      </>
    );
  return (
    <>
      <Facts
        facts={[
          ['Authenticator app', <Badge tone="good">On</Badge>],
          ['Recovery codes left', String(security.recoveryCodes)],
        ]}
      />
      <ConsoleForm ctx={ctx} state={state} action={at(ctx, 'recovery-codes')} submit="Make new recovery codes">
        <UserName ctx={ctx} />
        <PasswordField state={state} name="renewPassword" />
        <CodeField state={state} />
      </ConsoleForm>
      {wrongCode.problem ? (
        <p class="error" role="alert">
          The second factor is still on. {wrongCode.problem.detail}
        </p>
      ) : null}
      <div class="steps">
        <Confirm
          ctx={ctx}
          action={at(ctx, 'second-factor', 'off')}
          label="Turn the second factor off"
          question="Your password alone signs you in then. Enter it, and a code of your app or a recovery code."
          submit="Turn it off"
        >
          <label for="off-password">Your password</label>
          <input id="off-password" name="offPassword" type="password" autoComplete="current-password" required maxLength={1024} />
          <label for="last-code">Code</label>
          <input id="last-code" name="code" autoComplete="one-time-code" required maxLength={40} />
        </Confirm>
      </div>
    </>
  );
}

const PasswordField = ({ state, name }: { state: FormState; name: string }) => (
  <TextField state={state} name={name} label="Your password" type="password" required maxLength={1024} autocomplete="current-password" />
);

const CodeField = ({ state }: { state: FormState }) => (
  <TextField
    state={state}
    name="code"
    label="Code from your authenticator app"
    required
    maxLength={40}
    autocomplete="one-time-code"
    hint="New recovery codes replace those that you have, and all other browsers are signed out."
  />
);

function JoinForm({ ctx, state }: Props) {
  return (
    <details class="more" open={state.problem !== undefined}>
      <summary>Add an organization where you sign in with another password</summary>
      <ConsoleForm ctx={ctx} state={state} action={at(ctx, 'organizations')} submit="Add it to this account">
        <UserName ctx={ctx} />
        <p>
          You prove once that you may sign in there as {ctx.user.email}. Afterwards the password and second factor of this account are used.
        </p>
        <TextField state={state} name="organization" label="Short name of the organization" required maxLength={100} />
        <TextField state={state} name="otherPassword" label="Your password there" type="password" required autocomplete="off" />
        <TextField state={state} name="otherCode" label="Your code there, if you need one" maxLength={40} autocomplete="one-time-code" />
      </ConsoleForm>
    </details>
  );
}

/** Asks for the password before anything is shown: who sets a second factor up decides who gets in from then on. */
export function BeginSecondFactor({ ctx, state, hasPassword }: Props & { hasPassword: boolean }) {
  if (!hasPassword)
    return (
      <p>
        A second factor is asked for after your password. You have no password yet:{' '}
        <a href={NEW_PASSWORD_PATH}>have a link mailed to you</a> to choose one first.
      </p>
    );
  return (
    <>
      <p>You sign in with a code of an app on your phone as well then, and all other browsers are signed out.</p>
      <ConsoleForm ctx={ctx} state={state} action={at(ctx, 'second-factor', 'key')} submit="Continue" cancel={at(ctx)}>
        <UserName ctx={ctx} />
        <PasswordField state={state} name="current" />
      </ConsoleForm>
    </>
  );
}

export function SecondFactorForm({ ctx, state, proposed: { secret, sealed } }: Props & { proposed: ProposedSecret }) {
  return (
    <>
      <p>Open your authenticator app, add an account, and scan this picture or type the key. Then enter the code that the app shows.</p>
      <QrCode content={totpUriOf(ctx.user.email, secret)} />
      <Copyable label="The key for your app" text={secret} />
      <ConsoleForm ctx={ctx} state={state} action={at(ctx, 'second-factor')} submit="Turn it on" cancel={at(ctx)}>
        <input type="hidden" name="proposal" value={sealed} />
        <TextField state={state} name="code" label="Code that the app shows" required maxLength={12} autocomplete="one-time-code" />
      </ConsoleForm>
    </>
  );
}

export function RecoveryCodes({ ctx, codes }: { ctx: PageContext; codes: readonly string[] }) {
  return (
    <>
      <p>
        Keep these codes where you find them without your phone. Each one signs you in once in place of the code of your app. They are not
        shown again.
      </p>
      <Copyable label="Recovery codes" text={codes.join('\n')} />
      <p>
        <a class="button" href={at(ctx)}>
          I have stored them
        </a>
      </p>
    </>
  );
}

/** A picture that cameras read. Its content is also shown as text, so screen readers skip it. */
function QrCode({ content }: { content: string }) {
  const { data, size } = encode(content, { border: 2 });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : []))).join('');
  return (
    <svg class="qr-code" viewBox={`0 0 ${size} ${size}`} aria-hidden="true" shape-rendering="crispEdges">
      <path class="light" d={`M0 0h${size}v${size}h-${size}z`} />
      <path class="dark" d={path} />
    </svg>
  );
}
