import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { BriefCache } from '../../../../kernel/brief-cache.js';
import { Problem } from '../../../../kernel/problems.js';
import { Settings } from '../../../../kernel/settings/settings.js';
import { Clock } from '../../../../kernel/time.js';
import { ROWS_PER_DELETE } from '../../../../store/database/housekeeping.js';
import type { Unit } from '../../../../store/database/unit-of-work.js';
import { Job } from '../../../../store/jobs/job.decorator.js';
import { ClientMetadataRefused, readClientMetadata, type SharedClient } from '../../applications/client-metadata.js';
import type { Registration } from './registration.entity.js';
import { RegistrationsRepository } from './registrations.repository.js';

/** An application registers itself right before its first user signs in. */
const UNUSED_FOR_MS = 24 * 3_600_000;
export const UNUSED_MAX = 10_000;
const UNNAMED = 'Unnamed application';

export const isRegisteredId = (clientId: string): boolean => /^reg_[\w-]{20}$/.test(clientId);

/** Applications that every organization can connect: those that registered themselves (RFC 7591), and those that the operator lists. */
@Injectable()
export class RegistrationsService {
  private readonly cache = new BriefCache<Registration | undefined>();

  constructor(
    private readonly registrations: RegistrationsRepository,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  async find(clientId: string): Promise<SharedClient | undefined> {
    const found = await this.cache.get(clientId, () => this.registrations.byClientId(clientId));
    if (!found || !this.isTaken(found)) return undefined;
    // Its row has no security rules: an application that wants to be bound has a metadata document.
    return { clientId, name: found.name, redirectUris: found.redirectUris, securityRules: [], host: null, isListed: found.isListed };
  }

  /** Of those that registered themselves: all, those that somebody has allowed, or none. */
  private isTaken({ isListed, usedAt }: Registration): boolean {
    const { clientRegistration } = this.settings;
    return isListed || clientRegistration === 'true' || (clientRegistration === 'used' && usedAt !== null);
  }

  async register(metadata: Readonly<Record<string, unknown>>): Promise<Registration> {
    const row = this.make(metadata, false);
    await this.registrations.insert(row);
    await this.registrations.removeOldest(UNUSED_MAX);
    return row;
  }

  /** For the operator, who vouches for its name. It does not expire. */
  async list(name: string, redirectUris: readonly string[]): Promise<Registration> {
    try {
      const row = this.make({ client_name: name, redirect_uris: redirectUris }, true);
      await this.registrations.insert(row);
      return row;
    } catch (error) {
      if (error instanceof ClientMetadataRefused) throw new Problem('validation_failed', { detail: `${error.message}.` });
      throw error;
    }
  }

  listed(): Promise<Registration[]> {
    return this.registrations.listed();
  }

  /** Nobody can sign in with it any more. Takes effect within a second. */
  async remove(clientId: string): Promise<Registration> {
    const removed = await this.registrations.removeListed(clientId);
    if (!removed) throw Problem.notFound(`listed application ${clientId}`);
    return removed;
  }

  use(clientId: string, unit: Unit): Promise<void> {
    return this.registrations.use(clientId, this.clock.timestamp(), unit);
  }

  @Job({
    id: 'oauth.expire_registrations',
    summary: 'Removes applications that registered themselves and that nobody allowed.',
    everyMs: 600_000,
  })
  async expire(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - UNUSED_FOR_MS);
    while ((await this.registrations.expire(before, ROWS_PER_DELETE)) === ROWS_PER_DELETE);
  }

  private make(metadata: Readonly<Record<string, unknown>>, isListed: boolean): Registration {
    const { name = UNNAMED, redirectUris } = readClientMetadata(metadata, this.settings.redirectSchemes);
    const createdAt = this.clock.timestamp();
    const clientId = `reg_${randomBytes(15).toString('base64url')}`;
    return { clientId, name, redirectUris: [...redirectUris], isListed, createdAt, usedAt: isListed ? createdAt : null };
  }
}
