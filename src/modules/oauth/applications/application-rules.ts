import { Problem } from '../../../kernel/problems.js';
import { codePoints, isStorableText } from '../../../kernel/text.js';
import { GRANT_TYPES, type Application } from './application.entity.js';

const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost'];
const URI_AT_MOST = 2048;

/** What an application may be, and where people may be sent back to with a code. */
export function requireValidApplication(
  application: Pick<Application, 'name' | 'isPublic' | 'grants' | 'redirectUris' | 'scopes' | 'environment'>,
  known: readonly string[],
): void {
  const { name, isPublic, grants, redirectUris, scopes } = application;
  const length = codePoints(name);
  if (length < 1 || length > 200 || !isStorableText(name)) throw invalid('name', 'must have 1 to 200 characters');
  if (grants.length === 0 || grants.some((grant) => !GRANT_TYPES.includes(grant)))
    throw invalid('grants', `must be of ${GRANT_TYPES.join(', ')}`);
  if (isPublic && grants.includes('client_credentials'))
    throw invalid('grants', 'must not hold client_credentials where the application is public: it can keep no secret');
  if (grants.includes('authorization_code') !== redirectUris.length > 0)
    throw invalid('redirectUris', 'must be given for authorization_code, and only for it');
  for (const uri of redirectUris) requireRedirectUri(uri, application);
  const unknown = scopes.find((scope) => !known.includes(scope));
  if (unknown !== undefined) throw invalid('scopes', `holds ${unknown}, which is none of ${known.join(', ')}`);
}

function requireRedirectUri(uri: string, { environment }: Pick<Application, 'environment'>): void {
  if (uri.length > URI_AT_MOST || !URL.canParse(uri)) throw invalid('redirectUris', `holds ${uri}, which is no address`);
  const { protocol, hostname, hash, username, password } = new URL(uri);
  if (hash !== '' || username !== '' || password !== '')
    throw invalid('redirectUris', `holds ${uri}: an address must have neither a fragment nor credentials`);
  const isLocal = protocol === 'http:' && LOOPBACK.includes(hostname);
  const isPlainTest = protocol === 'http:' && environment === 'test';
  if (protocol !== 'https:' && !isLocal && !isPlainTest)
    throw invalid(
      'redirectUris',
      `holds ${uri}: it must be https, or http to the machine itself, or http where the application is for tests`,
    );
}

function invalid(field: string, message: string): Problem {
  return Problem.validation([{ location: 'body', field, code: 'not_allowed', message }]);
}

export function missing(id: string): never {
  throw new Problem('not_found', { detail: `There is no application ${id}.` });
}
