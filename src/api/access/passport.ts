import { Injectable, type CanActivate } from '@nestjs/common';
import { AuthGuard, PassportStrategy } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { HeaderAPIKeyStrategy } from 'passport-headerapikey';
import { Problem } from '../../kernel/problems.js';
import type { Scheme } from './ports.js';

/** The schemes that Passport has a strategy for. */
type PassportScheme = Exclude<Scheme, 'header'>;

/** What stands before the credential in the header `Authorization`. */
const PREFIXES: Readonly<Record<Exclude<PassportScheme, 'api-key'>, string>> = { bearer: 'Bearer ', dpop: 'DPoP ' };

/**
 * A credential as it was sent. Passport keeps one strategy of a name for the whole process, so it is the application that was called who
 * finds out whom the credential belongs to.
 */
export interface Sent {
  readonly credential: string;
  readonly scheme: PassportScheme;
}

/** `X-API-Key: pk_live_…` */
@Injectable()
export class ApiKeyStrategy extends PassportStrategy(HeaderAPIKeyStrategy, 'api-key') {
  constructor() {
    super({ header: 'X-API-Key', prefix: '' }, false);
  }

  validate(credential: string): Sent {
    return { credential, scheme: 'api-key' };
  }
}

/** `Authorization: Bearer …` */
@Injectable()
export class BearerStrategy extends PassportStrategy(HeaderAPIKeyStrategy, 'bearer') {
  constructor() {
    super({ header: 'Authorization', prefix: PREFIXES.bearer }, false);
  }

  validate(credential: string): Sent {
    return { credential, scheme: 'bearer' };
  }
}

/** `Authorization: DPoP …` (RFC 9449) */
@Injectable()
export class DPoPStrategy extends PassportStrategy(HeaderAPIKeyStrategy, 'dpop') {
  constructor() {
    super({ header: 'Authorization', prefix: PREFIXES.dpop }, false);
  }

  validate(credential: string): Sent {
    return { credential, scheme: 'dpop' };
  }
}

class ApiKeyGuard extends AuthGuard('api-key') {
  override handleRequest<User>(error: unknown, user: User | false): User {
    return userOrProblem(error, user);
  }
}
class BearerGuard extends AuthGuard('bearer') {
  override handleRequest<User>(error: unknown, user: User | false): User {
    return userOrProblem(error, user);
  }
}
class DPoPGuard extends AuthGuard('dpop') {
  override handleRequest<User>(error: unknown, user: User | false): User {
    return userOrProblem(error, user);
  }
}
/** The guard of each way to send a credential. It leaves the credential in `request.user`. */
export const PASSPORT: Record<PassportScheme, CanActivate> = {
  'api-key': new ApiKeyGuard(),
  bearer: new BearerGuard(),
  dpop: new DPoPGuard(),
};

function userOrProblem<User>(error: unknown, user: User | false): User {
  if (error instanceof Error) throw error;
  if (!user) throw new Problem('credential_invalid');
  return user;
}

/** How the credential of a request was sent. */
export function schemeOf({ headers }: FastifyRequest): PassportScheme {
  const apiKey = headers['x-api-key'];
  const { authorization } = headers;
  if (apiKey && authorization) throw new Problem('ambiguous_credentials');
  if (apiKey) return 'api-key';
  if (!authorization) throw new Problem('credential_missing');
  // The name of a scheme is case-insensitive (RFC 9110); the strategies compare it letter by letter.
  if (!authorization.startsWith('Bearer '))
    headers.authorization = authorization.replace(/^bearer /i, 'Bearer ').replace(/^dpop /i, 'DPoP ');
  return headers.authorization!.startsWith('DPoP ') ? 'dpop' : 'bearer';
}

/** The credential of a request that was sent by a scheme; undefined if the header names another scheme, which Passport refuses. */
export function credentialOf({ headers }: FastifyRequest, scheme: PassportScheme): string | undefined {
  if (scheme === 'api-key') return headers['x-api-key'] as string;
  const prefix = PREFIXES[scheme];
  return headers.authorization!.startsWith(prefix) ? headers.authorization!.slice(prefix.length) : undefined;
}

const SEND = 'Send the key as X-API-Key, or the key or token as Authorization: Bearer.';
const SCHEMES = /^(bearer|dpop)$/i;

/**
 * What is visibly wrong with how a credential was sent, by its form alone; undefined if nothing is. It says nothing about whether the
 * credential exists, and repeats no part of it: a header without a scheme may be the credential.
 */
export function mistakeIn({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const { authorization } = headers;
  if (authorization === undefined) return mistakeInCredential(String(headers['x-api-key'] ?? ''), 'X-API-Key');
  const [scheme = '', ...rest] = authorization.trim().split(/ +/);
  if (rest.length === 0) return SCHEMES.test(scheme) ? `Authorization has a scheme, but no credential. ${SEND}` : NO_SCHEME;
  if (!SCHEMES.test(scheme)) return `Authorization has a scheme that the API does not take. ${SEND}`;
  return mistakeInCredential(rest.join(' '), 'Authorization');
}

const NO_SCHEME = `Authorization has no scheme before the credential. ${SEND}`;

function mistakeInCredential(credential: string, header: string): string | undefined {
  if (/^(bearer|dpop|token|apikey)\b[ :]/i.test(credential))
    return header === 'X-API-Key' ? `X-API-Key has a scheme before the key. ${SEND}` : `Authorization has the scheme twice. ${SEND}`;
  if (/^["'`“‘<{]|["'`”’>}]$/.test(credential)) return `The credential in ${header} is in quotes or brackets. Send it without them.`;
  if (/\s/.test(credential)) return `The credential in ${header} has white space in it. Send it in one piece.`;
  return undefined;
}
