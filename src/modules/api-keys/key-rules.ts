import { Injectable } from '@nestjs/common';
import { type OwnLimits, requireValidLimits } from '../../api/limits/own-limits.js';
import { Registry } from '../../api/operation/registry.js';
import { isCidrOrAddress } from '../../kernel/addresses.js';
import { Problem } from '../../kernel/problems.js';
import { codePoints, INVALID_TEXT, isStorableText } from '../../kernel/text.js';
import type { ReadContext } from '../../store/database/unit-of-work.js';
import { ProjectsService } from '../projects/index.js';
import type { ApiKey } from './api-key.entity.js';

/** Every request of a key is compared with each of them. */
const MAX_ADDRESSES = 200;

/** What a key is given, and its copy by a rotation has, too. */
export type KeyFields = Pick<ApiKey, 'name' | 'scopes' | 'ipAllowlist' | 'projectIds' | keyof OwnLimits>;

/** What a key may be. */
@Injectable()
export class KeyRules {
  constructor(
    private readonly registry: Registry,
    private readonly projects: ProjectsService,
  ) {}

  /** `all` means the scopes that exist now. */
  scopesOf(wanted: readonly string[] | 'all'): string[] {
    return wanted === 'all' ? this.registry.scopes : [...new Set(wanted)].sort();
  }

  existingProjects(ctx: ReadContext, given: readonly string[] | null): Promise<string[] | null> {
    return this.projects.requireExisting(ctx, given);
  }

  requireValid({ name, scopes, ipAllowlist, ...limits }: KeyFields): void {
    requireValidLimits(limits);
    const length = codePoints(name);
    if (length < 1 || length > 200) throw Problem.invalidField('name', 'too_long', 'must have 1 to 200 characters');
    if (!isStorableText(name)) throw Problem.invalidField('name', INVALID_TEXT.code, INVALID_TEXT.message);
    const known = this.registry.scopes;
    const unknown = scopes.find((scope) => !known.includes(scope));
    if (unknown !== undefined)
      throw Problem.invalidField('scopes', 'not_allowed', `contains ${unknown}, which is not one of ${known.join(', ')}`);
    if (ipAllowlist.length > MAX_ADDRESSES)
      throw Problem.invalidField('ipAllowlist', 'too_many', `must have at most ${MAX_ADDRESSES} addresses`);
    const bad = ipAllowlist.find((entry) => !isCidrOrAddress(entry));
    if (bad !== undefined)
      throw Problem.invalidField('ipAllowlist', 'invalid_address', `contains ${bad}, which is not an IPv4 or IPv6 address or CIDR`);
  }
}
