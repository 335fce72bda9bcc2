/** Why a sign-in by an identity provider was refused: the reason in the audit log, and what the page says. */
export const SIGN_ON_REFUSALS = {
  expired: 'This sign-in has expired, or it was begun in another browser. Begin again.',
  provider_unreachable: 'The sign-in service of your company does not answer as it should. Try again in a few minutes, or tell an owner.',
  provider_refused: 'The sign-in service of your company did not confirm who you are. Try again, or tell an owner of your organization.',
  client_refused: 'The sign-in service of your company does not accept us: tell an owner that the client ID or its secret is wrong.',
  email_missing: 'The sign-in service of your company did not say your e-mail address. Tell an owner of your organization.',
  email_unverified: 'The sign-in service of your company has not verified your e-mail address. Verify it there, then sign in again.',
  domain_not_allowed: 'Your organization does not allow e-mail addresses of this domain. Use your company’s address, or tell an owner.',
  user_removed: 'Your access to this organization was removed. Ask an owner to invite you again.',
  other_subject:
    'Your e-mail address belongs to another account at the sign-in service of your company. Tell an owner of your organization.',
  too_many_members: 'Your organization has as many members as it can have. Tell an owner of your organization.',
} as const;

export type SignOnRefusal = keyof typeof SIGN_ON_REFUSALS;
