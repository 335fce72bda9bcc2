import { Injectable, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../kernel/problems.js';
import { channelOfUserAgent } from '../../kernel/product.js';
import { Ports } from '../../store/discovery/ports.js';
import type { RequestContext } from '../call/request-context.js';
import { inProcessCallOf } from '../http/in-process.js';
import type { RegisteredOperation } from '../operation/operation.js';
import { Challenge } from './challenge.js';
import { FailedCredentials } from './failed-credentials.js';
import { credentialOf, PASSPORT, schemeOf, type Sent } from './passport.js';
import { Channel, CredentialResolvers, EndedCredential } from './ports.js';
import type { Principal } from './principal.js';
import { Refusals } from './refusals.js';
import { MisusedToken, TokenUse } from './token-use.js';

/** What a call asks to be let in to. */
export interface Entrance {
  /** Below the service's address. The API's own is empty. */
  readonly path: string;
  /** The scopes that a client should ask for, for the challenge; none if that depends on the operation. */
  readonly scopes?: () => readonly string[];
}

const API: Entrance = { path: '' };

/** Finds out who calls. The context that it makes is the one that everything after it is given. */
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
  async principalOf(execution: ExecutionContext, entrance = API): Promise<Principal> {
    const request = execution.getArgByIndex<FastifyRequest>(0);
    const principal = inProcessCallOf(request)?.principal ?? (await this.authenticate(execution, request, entrance));
    if (principal.organization.status === 'suspended') throw new Problem('organization_suspended');
    return principal;
  }

  contextOf(request: FastifyRequest, principal: Principal, operation: RegisteredOperation): RequestContext {
    return {
      organizationId: principal.organization.id,
      environment: principal.environment,
      actor: { type: 'api', id: principal.id, name: this.actorName(request, principal) },
      requestId: request.id,
      ipAddress: request.ip,
      emits: operation.emits,
      trace: request.trace,
      principal,
      operation,
      isDryRun: inProcessCallOf(request)?.isDryRun ?? false,
    };
  }

  /** The audit log names the channel of a first-party client, such as the tool server, after the actor's name. */
  private actorName(request: FastifyRequest, { name }: Principal): string {
    const channel = inProcessCallOf(request)?.channel ?? channelOfUserAgent(request.headers['user-agent']);
    const isKnown = channel !== undefined && this.ports.all(Channel).some((known) => known.name === channel);
    return isKnown ? `${name} (${channel})` : name;
  }

  private async authenticate(execution: ExecutionContext, request: Passed, entrance: Entrance): Promise<Principal> {
    try {
      const stated = this.resolvers.statedIn(request);
      const found = stated ? await whoIs(stated) : (this.knownIn(request) ?? (await this.passedBy(execution, request)));
      if (found instanceof EndedCredential) {
        this.refusals.note(request, found.credential, found.reason);
        throw new Problem('credential_invalid');
      }
      await this.tokenUse.check(request, found, entrance.path);
      this.resolvers.used(found, request.ip);
      return found;
    } catch (error) {
      throw await this.refusal(request, error, entrance);
    }
  }

  /** Who sent a credential that was resolved a moment ago. */
  private knownIn(request: FastifyRequest): Principal | undefined {
    const scheme = schemeOf(request);
    const credential = credentialOf(request, scheme);
    return credential === undefined ? undefined : this.resolvers.known(credential, scheme);
  }

  private async passedBy(execution: ExecutionContext, request: Passed): Promise<Principal | EndedCredential> {
    await PASSPORT[schemeOf(request)].canActivate(execution);
    const { credential, scheme } = request.user!;
    const found = await this.resolvers.resolve(credential, scheme);
    if (!found) throw new Problem('credential_invalid');
    return found;
  }

  private async refusal(request: FastifyRequest, error: unknown, { path, scopes }: Entrance): Promise<unknown> {
    if (!(error instanceof Problem) || error.status !== 401) return error;
    await this.failures.count(request.ip);
    const { code, detail } = error;
    const challenge = this.challenge.unauthorized(
      {
        ...(scopes && { scope: scopes().join(' ') }),
        ...(code === 'credential_invalid' && { error: 'invalid_token' }),
        ...(error instanceof MisusedToken && { error: error.error, error_description: detail }),
      },
      path,
      this.tokenUse.schemeFor(request, error),
    );
    return new Problem(code, { detail, headers: { 'WWW-Authenticate': challenge } });
  }
}

/** Where Passport leaves the credential. */
type Passed = FastifyRequest & { user?: Sent };

async function whoIs({ resolver, credential }: NonNullable<ReturnType<CredentialResolvers['statedIn']>>) {
  const found = resolver.known(credential, 'header') ?? (await resolver.resolve(credential));
  if (!found) throw new Problem('credential_invalid');
  return found;
}
