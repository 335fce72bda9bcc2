import type { Tenant } from '../../../kernel/context.js';
import { newId } from '../../../kernel/ids.js';
import type { WriteContext } from '../../../store/database/unit-of-work.js';
import type { Application, GrantType } from './application.entity.js';
import { isOperator } from './application-rules.js';
import { hashSecret, makeClientId, makeClientSecret } from './client-secret.js';
import { readPublicKeys } from './public-keys.js';

/** What is said of an application when it is registered. */
export interface ApplicationFields {
  readonly name: string;
  readonly grants: readonly GrantType[];
  readonly redirectUris: readonly string[];
  /** `all` means the scopes that exist when the application is created. */
  readonly scopes: readonly string[] | 'all';
  readonly isPublic: boolean;
  readonly isPending: boolean;
  /** A file with public keys, for a confidential application that has no secret. */
  readonly publicKeys?: string;
}

export type NewApplication = Tenant & ApplicationFields;

/** The secret is shown once. Only its hash is stored. null for an application that is public or has keys. */
export interface IssuedApplication {
  readonly row: Application;
  readonly clientSecret: string | null;
}

/** `all` means the scopes that exist now. */
export const chosenScopes = (wanted: ApplicationFields['scopes'], known: readonly string[]): string[] =>
  wanted === 'all' ? [...known] : [...new Set(wanted)].sort();

/** The row of a new application, and its secret. What the operator leaves pending, only the operator approves. */
export function aNewApplication(
  ctx: WriteContext,
  { name, isPublic, isPending, publicKeys: keyFile, ...wanted }: ApplicationFields,
  { now, known }: { readonly now: string; readonly known: readonly string[] },
): IssuedApplication {
  const publicKeys = keyFile === undefined ? null : readPublicKeys(keyFile);
  const clientSecret = isPublic || publicKeys ? null : makeClientSecret();
  const row: Application = {
    id: newId(),
    organizationId: ctx.organizationId,
    environment: ctx.environment,
    createdAt: now,
    updatedAt: now,
    name,
    isPublic,
    clientId: makeClientId(),
    status: isPending ? 'pending' : 'approved',
    heldByOperator: isPending && isOperator(ctx.actor),
    grants: [...new Set(wanted.grants)],
    redirectUris: [...new Set(wanted.redirectUris)],
    scopes: chosenScopes(wanted.scopes, known),
    secretHash: clientSecret === null ? null : hashSecret(clientSecret),
    secretHint: clientSecret?.slice(-4) ?? null,
    previousSecretHash: null,
    previousSecretExpiresAt: null,
    sharedClientId: null,
    publicKeys,
  };
  return { row, clientSecret };
}
