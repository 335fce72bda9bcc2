import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { channelOfUserAgent } from '../../kernel/product.js';
import { Settings } from '../../kernel/settings/settings.js';
import type { RequestContext } from '../call/request-context.js';
import { Problem } from '../../kernel/problems.js';
import type { RegisteredOperation } from '../operation/operation.js';
import { operationOf } from '../operation/operation.decorator.js';
import { inProcessCallOf } from '../http/in-process.js';
import { FailedCredentials } from './failed-credentials.js';
import { EndedCredential, type Scheme } from './credential-resolver.js';
import { resourceMetadata } from './challenge.js';
import type { Principal } from './principal.js';
import { Refusals } from './refusals.js';

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
const GUARDS: Record<Scheme, CanActivate> = { 'api-key': new ApiKeyGuard(), bearer: new BearerGuard() };

function userOrProblem<User>(error: unknown, user: User | false): User {
  if (error instanceof Error) throw error;
  if (!user) throw new Problem('credential_invalid');
  return user;
}

/** First of the guards: whose call is this? What it finds is the context of everything after it. */
@Injectable()
export class CredentialGuard implements CanActivate {
  constructor(
    private readonly settings: Settings,
    private readonly failures: FailedCredentials,
    private readonly refusals: Refusals,
  ) {}

  async canActivate(execution: ExecutionContext): Promise<boolean> {
    const operation = operationOf(execution.getHandler());
    if (!operation) return true;
    const request = execution.switchToHttp().getRequest<FastifyRequest>();
    const principal = inProcessCallOf(request)?.principal ?? (await this.principalOf(execution, request));
    if (principal.organization.status === 'suspended') throw new Problem('organization_suspended');
    request.ctx = contextOf(request, principal, operation);
    return true;
  }

  private async principalOf(
    execution: ExecutionContext,
    request: FastifyRequest & { user?: Principal | EndedCredential },
  ): Promise<Principal> {
    try {
      await GUARDS[schemeOf(request)].canActivate(execution);
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
    const reason = error.code === 'credential_invalid' ? ', error="invalid_token"' : '';
    const challenge = `Bearer realm="${this.settings.publicUrl}"${reason}, ${resourceMetadata(this.settings)}`;
    return new Problem(error.code, { headers: { 'WWW-Authenticate': challenge } });
  }
}

function schemeOf({ headers }: FastifyRequest): Scheme {
  const apiKey = headers['x-api-key'];
  const { authorization } = headers;
  if (apiKey && authorization) throw new Problem('ambiguous_credentials');
  if (apiKey) return 'api-key';
  if (!authorization) throw new Problem('credential_missing');
  // The name of a scheme has no case (RFC 9110); the strategy compares letter by letter.
  headers.authorization = authorization.replace(/^bearer /i, 'Bearer ');
  return 'bearer';
}

/** The audit log names the channel of a first-party client, such as the tool server, after the actor's name. */
function actorName(request: FastifyRequest, { name }: Principal): string {
  const channel = inProcessCallOf(request)?.channel ?? channelOfUserAgent(request.headers['user-agent']);
  return channel === undefined ? name : `${name} (${channel})`;
}

function contextOf(request: FastifyRequest, principal: Principal, operation: RegisteredOperation): RequestContext {
  return {
    organizationId: principal.organization.id,
    environment: principal.environment,
    actor: { type: 'api', id: principal.id, name: actorName(request, principal) },
    requestId: request.id,
    ipAddress: request.ip,
    emits: operation.emits,
    principal,
    operation,
  };
}
