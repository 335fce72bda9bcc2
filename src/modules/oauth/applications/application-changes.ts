import { given } from '../../../kernel/changes.js';
import { Problem } from '../../../kernel/problems.js';
import type { Application } from './application.entity.js';
import { isConnection } from './application-rules.js';
import { hashSecret, makeClientSecret } from './client-secret.js';
import { chosenScopes, type ApplicationFields } from './new-application.js';
import { readPublicKeys } from './public-keys.js';

/** Undefined leaves a field as it is. */
export type ApplicationChange = Partial<Pick<ApplicationFields, 'name' | 'grants' | 'redirectUris' | 'scopes'>>;

/** A connection is as its users have allowed it, and its shared application says the rest. */
export function changedBy({ name, grants, redirectUris, scopes }: ApplicationChange, before: Application, known: readonly string[]) {
  if (before.sharedClientId !== null) throw isConnection();
  const changed = given({
    name,
    grants: grants && [...new Set(grants)],
    redirectUris: redirectUris && [...new Set(redirectUris)],
    scopes: scopes && chosenScopes(scopes, known),
  });
  return { ...before, ...changed };
}

export const withPublicKeys = (before: Application, text: string): Application => ({
  ...before,
  publicKeys: readPublicKeys(text),
  secretHash: null,
  secretHint: null,
  previousSecretHash: null,
  previousSecretExpiresAt: null,
});

/** A new secret, and how an application gets it. The old one stays valid until then, and one that was older ends at once. */
export function aNewSecret(previousSecretExpiresAt: string) {
  const clientSecret = makeClientSecret();
  const into = (before: Application): Application => {
    if (before.isPublic || before.publicKeys) throw Problem.notFound(`secret of application ${before.id}: it is public, or has keys`);
    const secretHash = hashSecret(clientSecret);
    return { ...before, secretHash, secretHint: clientSecret.slice(-4), previousSecretHash: before.secretHash, previousSecretExpiresAt };
  };
  return { clientSecret, into };
}

/** The fields of a new application that the audit log shows. */
const AUDITED = ['name', 'clientId', 'isPublic', 'publicKeys', 'grants', 'redirectUris', 'scopes', 'status'] as const;

/** Of keys, the audit log shows the names. */
const audited = (row: Application, field: keyof Application): unknown =>
  field === 'publicKeys' ? (row.publicKeys?.keys.map(({ kid }) => kid) ?? null) : row[field];

export const auditedCreation = (row: Application) =>
  Object.fromEntries(AUDITED.map((field) => [field, { from: null, to: audited(row, field) }]));

export function auditedChanges(before: Application, after: Application, changed: readonly (keyof Application)[]) {
  const shown = changed.filter((field) => !field.endsWith('Hash'));
  return Object.fromEntries(shown.map((field) => [field, { from: audited(before, field), to: audited(after, field) }]));
}
