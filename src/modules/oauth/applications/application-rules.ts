import { PageRefusal } from '../../../api/console/page.js';
import type { Actor } from '../../../kernel/context.js';
import { Problem } from '../../../kernel/problems.js';
import { codePoints, isStorableText } from '../../../kernel/text.js';
import { GRANT_TYPES, type Application } from './application.entity.js';
import { redirectProblem, REDIRECTS_MAX } from './redirect-addresses.js';

/** Throws if an application is not allowed as it is, such as with a redirect address that is not safe. */
export function requireValidApplication(
  application: Pick<Application, 'name' | 'isPublic' | 'publicKeys' | 'grants' | 'redirectUris' | 'scopes' | 'environment'>,
  { known, schemes }: { readonly known: readonly string[]; readonly schemes: readonly string[] },
): void {
  const { name, isPublic, grants, redirectUris, scopes } = application;
  const length = codePoints(name);
  if (length < 1 || length > 200 || !isStorableText(name)) throw invalid('name', 'must have 1 to 200 characters');
  if (grants.length === 0 || grants.some((grant) => !GRANT_TYPES.includes(grant)))
    throw invalid('grants', `must be one or more of ${GRANT_TYPES.join(', ')}`);
  if (isPublic && grants.includes('client_credentials'))
    throw invalid('grants', 'must not contain client_credentials for a public application, because it cannot keep a secret');
  if (isPublic && application.publicKeys) throw invalid('publicKeys', 'must not be given for a public application');
  if (grants.includes('authorization_code') !== redirectUris.length > 0)
    throw invalid('redirectUris', 'must be given for authorization_code, and only for that grant');
  if (redirectUris.length > REDIRECTS_MAX) throw invalid('redirectUris', `must have at most ${REDIRECTS_MAX} addresses`);
  for (const uri of redirectUris) {
    const problem = redirectProblem(uri, { ...application, schemes });
    if (problem !== undefined) throw invalid('redirectUris', `contains ${uri}, which ${problem}`);
  }
  const unknown = scopes.find((scope) => !known.includes(scope));
  if (unknown !== undefined) throw invalid('scopes', `contains ${unknown}, which is not one of ${known.join(', ')}`);
}

const invalid = (field: string, message: string): Problem => Problem.invalidField(field, 'not_allowed', message);

export const applicationNotFound = (id: string): Problem => Problem.notFound(`application ${id}`);

/** At the command line, and not a user or a program of the organization. */
export const isOperator = ({ type }: Actor): boolean => type === 'system';

export const heldByOperator = (): PageRefusal =>
  new PageRefusal('You may not do this', 'The operator of the service holds this application. Only the operator can approve it.');

export const isConnection = (): PageRefusal =>
  new PageRefusal(
    'You may not do this',
    'An application that serves every organization describes itself, and its users decide what it may do.',
  );
