import { Injectable } from '@nestjs/common';
import { BriefCache } from '../../../kernel/brief-cache.js';
import type { Application } from './application.entity.js';
import { ApplicationsRepository } from './applications.repository.js';
import { isClientId } from './client-secret.js';

/** Applications by client id, for every token that is issued or used. A suspension is in force everywhere within a second. */
@Injectable()
export class ApplicationCache {
  private readonly cache = new BriefCache<Application | undefined>();

  constructor(private readonly applications: ApplicationsRepository) {}

  byClientId(clientId: string): Promise<Application | undefined> {
    // Callers can send any text. Texts that cannot be a client id cause no query and take no room in the cache.
    if (!isClientId(clientId)) return Promise.resolve(undefined);
    return this.cache.get(clientId, () => this.applications.byClientId(clientId));
  }
}
