import { Injectable, type CanActivate } from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isAddressIn } from '../../kernel/addresses.js';
import type { Actor } from '../../kernel/context.js';
import { Problem } from '../../kernel/problems.js';
import { Settings } from '../../kernel/settings/settings.js';
import { Ports } from '../../store/discovery/ports.js';
import { Challenge, FailedCredentials, Refusals } from './access.guards.js';
import { Channel, CredentialResolver, EndedCredential, KeyProof } from './ports.js';
import type { Bound, ProofRefusal, Resolved, Scheme } from './ports.js';
import type { CredentialPrincipal, Principal } from './principal.js';
import { AuthGuard, PassportStrategy } from '@nestjs/passport';
import { HeaderAPIKeyStrategy } from 'passport-headerapikey';

type PassportScheme = Exclude<Scheme, 'header'>;

const PREFIXES: Readonly<Record<Exclude<PassportScheme, 'api-key'>, string>> = { bearer: 'Bearer ', dpop: 'DPoP ' };

/** Passport keeps one strategy of a name for the whole process, so the application that was called finds out whose the credential is. */
export interface Sent {
  readonly credential: string;
  readonly scheme: PassportScheme;
}

/** All that Passport is asked for: to leave the credential of a header in `request.user`. Whose it is, is found out below. */
function shellOf(scheme: PassportScheme, header: string, prefix: string) {
  @Injectable()
  class Strategy extends PassportStrategy(HeaderAPIKeyStrategy, scheme) {
    constructor() {
      super({ header, prefix }, false);
    }

    validate(credential: string): Sent {
      return { credential, scheme };
    }
  }
  class Guard extends AuthGuard(scheme) {
    override handleRequest<User>(error: unknown, user: User | false): User {
      return userOrProblem(error, user);
    }
  }
  return { Strategy, guard: new Guard() as CanActivate };
}

const SHELLS = {
  'api-key': shellOf('api-key', 'X-API-Key', ''),
  bearer: shellOf('bearer', 'Authorization', PREFIXES.bearer),
  dpop: shellOf('dpop', 'Authorization', PREFIXES.dpop),
};
export const STRATEGIES = Object.values(SHELLS).map(({ Strategy }) => Strategy);

function userOrProblem<User>(error: unknown, user: User | false): User {
  if (error instanceof Error) throw error;
  if (!user) throw new Problem('credential_invalid');
  return user;
}

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

/** By its form alone, not by whether it exists. Repeats no part of it: a header without a scheme may be the credential. */
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

@Injectable()
export class CredentialResolvers {
  private byScheme: readonly CredentialResolver[] | undefined;
  private byHeader: readonly CredentialResolver[] | undefined;

  constructor(
    private readonly ports: Ports,
    private readonly settings: Settings,
  ) {}

  async resolve(credential: string, scheme: Scheme): Promise<Resolved> {
    return this.all.find((resolver) => resolver.recognizes(credential, scheme))?.resolve(credential);
  }

  used(principal: CredentialPrincipal, address: string): void {
    for (const resolver of this.ports.all(CredentialResolver)) resolver.used?.(principal, address);
  }

  /** Who a credential speaks for that was resolved a moment ago: most requests need neither Passport nor the database. */
  known(credential: string, scheme: Scheme): CredentialPrincipal | undefined {
    for (const resolver of this.all) {
      const principal = resolver.known(credential, scheme);
      if (principal) return principal;
    }
    return undefined;
  }

  /** What a trusted proxy states in a header of its own; undefined without one, or if the request has one of the usual ones. */
  statedIn({ headers, socket }: FastifyRequest): { readonly credential: string; readonly resolver: CredentialResolver } | undefined {
    this.byHeader ??= this.ports.all(CredentialResolver).filter(({ header }) => header !== undefined);
    if (this.byHeader.length === 0 || headers['x-api-key'] || headers.authorization) return undefined;
    for (const resolver of this.byHeader) {
      const credential = headers[resolver.header!];
      if (typeof credential !== 'string' || !resolver.recognizes(credential, 'header')) continue;
      if (isAddressIn(socket.remoteAddress ?? '', this.settings.trustedProxies)) return { credential, resolver };
    }
    return undefined;
  }

  private get all(): readonly CredentialResolver[] {
    return (this.byScheme ??= this.ports.all(CredentialResolver).filter(({ header }) => header === undefined));
  }
}

const DPOP = 'DPoP ';

const isByDPoP = ({ headers }: FastifyRequest): boolean => headers.authorization?.startsWith(DPOP) ?? false;

/** A valid token that does not work here, or not for this caller. `error` is for the challenge. */
export class MisusedToken extends Problem {
  constructor(
    readonly error: 'invalid_token' | ProofRefusal['error'],
    detail: string,
    readonly isBound: boolean,
  ) {
    super('credential_invalid', { detail });
  }
}

/** The caller has proved to hold the key, and is no stranger: it asks again with the nonce that the answer has. */
const lacksNonce = (error: unknown): boolean => error instanceof MisusedToken && error.error === 'use_dpop_nonce';

/** A token works for the resource that it was issued for, and if it is bound to a key, for the holder of the key only (RFC 9449). */
@Injectable()
export class TokenUse {
  constructor(
    private readonly settings: Settings,
    private readonly ports: Ports,
    private readonly refusals: Refusals,
  ) {}

  /** `path`: of the resource, below the service's address. API keys, and tokens that are not bound, cost nothing here. */
  async check(request: FastifyRequest, principal: CredentialPrincipal, path: string): Promise<void> {
    this.checkAudience(principal, path);
    const { boundTo, needsNonce } = principal;
    if (boundTo === null && !isByDPoP(request)) return;
    if (boundTo === null) throw new MisusedToken('invalid_token', 'The credential is not bound to a key: send it as Bearer.', true);
    const refusal = await this.findMisuse(request, { boundTo, needsNonce });
    if (!refusal) return;
    if (lacksNonce(refusal)) throw refusal;
    const { type, id, name, organization, environment } = principal;
    this.refusals.note(
      { requestId: request.id, ipAddress: request.ip },
      { type, id, name, organizationId: organization.id, environment },
      'unproved',
    );
    throw refusal;
  }

  /** The nonce for the next proof, for callers whose proofs need one, or whose proof had an old one. */
  nonceHeaders(principal: Pick<Principal, 'needsNonce'> | undefined, error?: unknown): Record<string, string> {
    return principal?.needsNonce || lacksNonce(error) ? { 'DPoP-Nonce': this.ports.only(KeyProof)!.nextNonce() } : {};
  }

  schemeFor(request: FastifyRequest, error: Problem): 'DPoP' | 'Bearer' {
    return isByDPoP(request) || (error instanceof MisusedToken && error.isBound) ? 'DPoP' : 'Bearer';
  }

  /** A token for the API opens everything. A token for another resource, such as the tool server, opens that resource only. */
  private checkAudience({ audience, boundTo }: CredentialPrincipal, path: string): void {
    if (audience === null) return;
    const { publicUrl } = this.settings;
    if (audience === publicUrl || audience === publicUrl + path) return;
    throw new MisusedToken('invalid_token', `The token was issued for another resource: ${audience}`, boundTo !== null);
  }

  private async findMisuse(request: FastifyRequest, bound: Bound): Promise<MisusedToken | undefined> {
    if (!isByDPoP(request)) return new MisusedToken('invalid_token', 'The token is bound to a key: send it as DPoP, with a proof.', true);
    const token = request.headers.authorization!.slice(DPOP.length);
    const refusal = await this.ports.only(KeyProof)!.findRefusal(request, token, bound);
    return refusal && new MisusedToken(refusal.error, refusal.detail, true);
  }
}

export interface Entrance {
  /** Below the service's address. The API's own is empty. */
  readonly path: string;
  /** The scopes that a client should ask for, for the challenge; none if that depends on the operation. */
  readonly scopes?: () => readonly string[];
}

const API: Entrance = { path: '' };

@Injectable()
export class Authenticator {
  constructor(
    private readonly challenge: Challenge,
    private readonly failures: FailedCredentials,
    private readonly refusals: Refusals,
    private readonly ports: Ports,
    private readonly tokenUse: TokenUse,
    private readonly resolvers: CredentialResolvers,
  ) {}

  /** Who calls. Reads nothing but headers. */
  async findPrincipal(request: Passed, reply: FastifyReply, entrance = API): Promise<CredentialPrincipal> {
    try {
      const stated = this.resolvers.statedIn(request);
      const found = stated ? await whoIs(stated) : (this.knownIn(request) ?? (await this.passedBy(request, reply)));
      if (found instanceof EndedCredential) {
        this.refusals.note({ requestId: request.id, ipAddress: request.ip }, found.credential, found.reason);
        throw new Problem('credential_invalid');
      }
      await this.tokenUse.check(request, found, entrance.path);
      void reply.headers(this.tokenUse.nonceHeaders(found));
      this.resolvers.used(found, request.ip);
      return found;
    } catch (error) {
      throw await this.refusal(request, error, entrance);
    }
  }

  /** The caller as the audit log names them: with the first-party client that they call by, such as the tool server. */
  actorOf(
    { id, name }: Pick<CredentialPrincipal, 'id' | 'name'>,
    channel: string | undefined,
    ...more: readonly (string | undefined)[]
  ): Actor {
    const isKnown = channel !== undefined && this.ports.all(Channel).some((known) => known.name === channel);
    return { type: 'api', id, name: isKnown ? `${name} (${[channel, ...more].filter(Boolean).join(', ')})` : name };
  }

  private knownIn(request: FastifyRequest): CredentialPrincipal | undefined {
    const scheme = schemeOf(request);
    const credential = credentialOf(request, scheme);
    return credential === undefined ? undefined : this.resolvers.known(credential, scheme);
  }

  private async passedBy(request: Passed, reply: FastifyReply): Promise<CredentialPrincipal | EndedCredential> {
    await SHELLS[schemeOf(request)].guard.canActivate(new ExecutionContextHost([request, reply]));
    const { credential, scheme } = request.user!;
    const found = await this.resolvers.resolve(credential, scheme);
    if (!found) throw new Problem('credential_invalid');
    return found;
  }

  private async refusal(request: FastifyRequest, error: unknown, { path, scopes }: Entrance): Promise<unknown> {
    if (!(error instanceof Problem) || error.status !== 401) return error;
    if (!lacksNonce(error)) await this.failures.count(request.ip);
    const { code } = error;
    const detail = (code === 'credential_invalid' && mistakeIn(request)) || error.detail;
    const challenge = this.challenge.unauthorized(
      {
        ...(scopes && { scope: scopes().join(' ') }),
        ...(code === 'credential_invalid' && { error: 'invalid_token' }),
        ...(error instanceof MisusedToken && { error: error.error, error_description: detail }),
      },
      path,
      this.tokenUse.schemeFor(request, error),
    );
    return new Problem(code, { detail, headers: { 'WWW-Authenticate': challenge, ...this.tokenUse.nonceHeaders(undefined, error) } });
  }
}

/** Where Passport leaves the credential. */
type Passed = FastifyRequest & { user?: Sent };

async function whoIs({ resolver, credential }: NonNullable<ReturnType<CredentialResolvers['statedIn']>>) {
  const found = resolver.known(credential, 'header') ?? (await resolver.resolve(credential));
  if (!found) throw new Problem('credential_invalid');
  return found;
}
