import { Injectable, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { channelOfUserAgent } from '../../kernel/product.js';
import { Problem } from '../../kernel/problems.js';
import { Ports } from '../../store/discovery/ports.js';
import type { RequestContext } from '../call/request-context.js';
import { inProcessCallOf } from '../http/in-process.js';
import type { RegisteredOperation } from '../operation/operation.js';
import { Challenge } from './challenge.js';
import { Channel } from './channel.js';
import { EndedCredential, type Scheme } from './credential-resolver.js';
import { FailedCredentials } from './failed-credentials.js';
import { PASSPORT } from './passport.js';
import type { Principal } from './principal.js';
import { Refusals } from './refusals.js';

/** Finds out who calls. The context that it makes is the one that everything after it is given. */
@Injectable()
export class Authenticator {
  constructor(
    private readonly challenge: Challenge,
    private readonly failures: FailedCredentials,
    private readonly refusals: Refusals,
    private readonly ports: Ports,
  ) {}

  async contextOf(execution: ExecutionContext, operation: RegisteredOperation): Promise<RequestContext> {
    const request = execution.switchToHttp().getRequest<FastifyRequest>();
    const inProcess = inProcessCallOf(request);
    const principal = inProcess?.principal ?? (await this.principalOf(execution, request));
    if (principal.organization.status === 'suspended') throw new Problem('organization_suspended');
    return {
      organizationId: principal.organization.id,
      environment: principal.environment,
      actor: { type: 'api', id: principal.id, name: this.actorName(request, principal) },
      requestId: request.id,
      ipAddress: request.ip,
      emits: operation.emits,
      principal,
      operation,
      isDryRun: inProcess?.isDryRun ?? false,
    };
  }

  /** The audit log names the channel of a first-party client, such as the tool server, after the actor's name. */
  private actorName(request: FastifyRequest, { name }: Principal): string {
    const channel = inProcessCallOf(request)?.channel ?? channelOfUserAgent(request.headers['user-agent']);
    const isKnown = channel !== undefined && this.ports.all(Channel).some((known) => known.name === channel);
    return isKnown ? `${name} (${channel})` : name;
  }

  private async principalOf(
    execution: ExecutionContext,
    request: FastifyRequest & { user?: Principal | EndedCredential },
  ): Promise<Principal> {
    try {
      await PASSPORT[schemeOf(request)].canActivate(execution);
      const found = request.user!;
      if (!(found instanceof EndedCredential)) return found;
      this.refusals.note(request, found.credential, found.reason);
      throw new Problem('credential_invalid');
    } catch (error) {
      throw await this.refusal(request, error);
    }
  }

  private async refusal(request: FastifyRequest, error: unknown): Promise<unknown> {
    if (!(error instanceof Problem) || error.status !== 401) return error;
    await this.failures.count(request.ip);
    const challenge = this.challenge.unauthorized(error.code === 'credential_invalid' ? { error: 'invalid_token' } : {});
    return new Problem(error.code, { headers: { 'WWW-Authenticate': challenge } });
  }
}

function schemeOf({ headers }: FastifyRequest): Scheme {
  const apiKey = headers['x-api-key'];
  const { authorization } = headers;
  if (apiKey && authorization) throw new Problem('ambiguous_credentials');
  if (apiKey) return 'api-key';
  if (!authorization) throw new Problem('credential_missing');
  // The name of a scheme is case-insensitive (RFC 9110); the strategy compares it letter by letter.
  headers.authorization = authorization.replace(/^bearer /i, 'Bearer ');
  return 'bearer';
}
