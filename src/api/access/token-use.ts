import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../kernel/problems.js';
import { Settings } from '../../kernel/settings/settings.js';
import { Ports } from '../../store/discovery/ports.js';
import { KeyProof } from './ports.js';
import type { Principal } from './principal.js';
import { Refusals } from './refusals.js';

const DPOP = 'DPoP ';

/** Whether the credential was sent as `Authorization: DPoP …`. */
const isByDPoP = ({ headers }: FastifyRequest): boolean => headers.authorization?.startsWith(DPOP) ?? false;

/** A valid token that does not work here, or not for this caller. `error` is for the challenge. */
export class MisusedToken extends Problem {
  constructor(
    readonly error: 'invalid_token' | 'invalid_dpop_proof',
    detail: string,
    readonly isBound: boolean,
  ) {
    super('credential_invalid', { detail });
  }
}

/** A token works for the resource that it was issued for, and if it is bound to a key, for the holder of the key only (RFC 9449). */
@Injectable()
export class TokenUse {
  constructor(
    private readonly settings: Settings,
    private readonly ports: Ports,
    private readonly refusals: Refusals,
  ) {}

  /** `path`: of the resource, below the service's address. API keys, and tokens that are not bound, cost nothing here. */
  async check(request: FastifyRequest, principal: Principal, path: string): Promise<void> {
    this.checkAudience(principal, path);
    const { boundTo } = principal;
    if (boundTo === null && !isByDPoP(request)) return;
    if (boundTo === null) throw new MisusedToken('invalid_token', 'The credential is not bound to a key: send it as Bearer.', true);
    const refusal = await this.refusalOf(request, boundTo);
    if (!refusal) return;
    const { type, id, name, organization, environment } = principal;
    this.refusals.note(request, { type, id, name, organizationId: organization.id, environment }, 'unproved');
    throw refusal;
  }

  /** How to challenge the caller of a refused request. */
  schemeFor(request: FastifyRequest, error: Problem): 'DPoP' | 'Bearer' {
    return isByDPoP(request) || (error instanceof MisusedToken && error.isBound) ? 'DPoP' : 'Bearer';
  }

  /** A token for the API opens everything. A token for another resource, such as the tool server, opens that resource only. */
  private checkAudience({ audience, boundTo }: Principal, path: string): void {
    if (audience === null) return;
    const { publicUrl } = this.settings;
    if (audience === publicUrl || audience === publicUrl + path) return;
    throw new MisusedToken('invalid_token', `The token was issued for another resource: ${audience}`, boundTo !== null);
  }

  private async refusalOf(request: FastifyRequest, boundTo: string): Promise<MisusedToken | undefined> {
    if (!isByDPoP(request)) return new MisusedToken('invalid_token', 'The token is bound to a key: send it as DPoP, with a proof.', true);
    const token = request.headers.authorization!.slice(DPOP.length);
    const reason = await this.ports.only(KeyProof)!.refusalOf(request, token, boundTo);
    return reason === undefined ? undefined : new MisusedToken('invalid_dpop_proof', reason, true);
  }
}
