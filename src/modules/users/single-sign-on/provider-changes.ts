import { changesBetween, type Changes } from '../../../kernel/changes.js';
import { Problem } from '../../../kernel/problems.js';
import { brokenConstraint } from '../../../store/database/database.js';
import type { IdentityProvider } from './identity-provider.entity.js';

/** What the audit log shows: never the secret. */
export function changesOf(before: IdentityProvider | null, after: IdentityProvider | null): Changes {
  const isReplaced = before !== null && after !== null && !before.clientSecret.equals(after.clientSecret);
  return {
    ...changesBetween(before && shownOf(before), after && shownOf(after)),
    ...(isReplaced && { secretReplaced: { from: false, to: true } }),
  };
}

const shownOf = ({ clientSecret: _secret, organizationId: _id, ...shown }: IdentityProvider) => shown;

/** Of two owners who set it up at the same time, or of a form that is sent twice. */
export function explainSecond(error: unknown): never {
  if (brokenConstraint(error) !== 'identity_providers_organization_unique') throw error;
  throw new Problem('already_exists', { detail: 'Single sign-on has just been set up.', cause: error });
}

export function notSetUp(): never {
  throw new Problem('not_found', { detail: 'The organization has not set up single sign-on.' });
}
