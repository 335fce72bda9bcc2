import type { Wording } from '../../api/wording/wording.js';
import { Problem } from '../../kernel/problems.js';
import { MAX_LENGTH, MIN_LENGTH } from './sign-in/passwords.js';

type NewPasswordProps = { readonly email: string; readonly problem: string | undefined; readonly wording: Wording };

/** What the page says of a password that was refused. Throws any other error again. */
export function problemWithPassword(error: unknown, { say }: Wording): string {
  if (!(error instanceof Problem) || error.code !== 'validation_failed') throw error;
  const [refused] = error.errors;
  if (refused?.code === 'too_short') return say('invitation.tooShort', { least: MIN_LENGTH });
  return refused?.code === 'too_long' ? say('invitation.tooLong', { most: MAX_LENGTH }) : say('invitation.guessed');
}

export function NewPasswordFields({ email, problem, wording: { say, language } }: NewPasswordProps) {
  const state = problem === undefined ? {} : { 'aria-invalid': 'true' as const, autoFocus: true };
  return (
    <>
      {problem === undefined ? null : (
        <p class="error" id="problem" role="alert">
          {problem}
        </p>
      )}
      <form method="post" action={`?lang=${language}`}>
        <label for="email">{say('invitation.email')}</label>
        <input id="email" type="email" autoComplete="username" value={email} readOnly />
        <label for="password">{say('invitation.password')}</label>
        <p class="hint" id="hint">
          {say('invitation.passwordHint', { least: MIN_LENGTH, most: MAX_LENGTH })}
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
        <label for="repeated">{say('invitation.repeat')}</label>
        <input id="repeated" name="repeated" type="password" autoComplete="new-password" required />
        <button type="submit">{say('invitation.setPassword')}</button>
      </form>
    </>
  );
}
