import { PASSWORD_HINT } from './sign-in/password-rules.js';

interface NewPasswordProps {
  readonly email: string;
  /** What is wrong with the password that was sent. */
  readonly problem: string | undefined;
  readonly submit: string;
}

/** The form for a password that somebody chooses. */
export function NewPasswordFields({ email, problem, submit }: NewPasswordProps) {
  const state = problem === undefined ? {} : { 'aria-invalid': 'true' as const, autoFocus: true };
  return (
    <>
      {problem === undefined ? null : (
        <p class="error" id="problem" role="alert">
          {problem}
        </p>
      )}
      <form method="post">
        <label for="email">E-mail</label>
        <input id="email" type="email" autoComplete="username" value={email} readOnly />
        <label for="password">Password</label>
        <p class="hint" id="hint">
          {PASSWORD_HINT}
        </p>
        <input
          id="password"
          name="password"
          type="password"
          autoComplete="new-password"
          required
          aria-describedby={problem === undefined ? 'hint' : 'problem hint'}
          {...state}
        />
        <label for="repeated">Repeat the password</label>
        <input id="repeated" name="repeated" type="password" autoComplete="new-password" required />
        <button type="submit">{submit}</button>
      </form>
    </>
  );
}
