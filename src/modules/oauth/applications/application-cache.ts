import { Injectable } from '@nestjs/common';
import type { Application } from './application.entity.js';
import { ApplicationsRepository } from './applications.repository.js';
import { isClientId } from './client-secret.js';

/** So long what was read of an application is believed: a suspension is in force everywhere well within a second. */
const BELIEVED_MS = 500;
const REMEMBERED_AT_MOST = 10_000;

/** Applications by what they call themselves; asked for with every token that is given or shown. */
@Injectable()
export class ApplicationCache {
  private readonly remembered = new Map<string, { readonly found: Promise<Application | undefined>; readonly until: number }>();

  constructor(private readonly applications: ApplicationsRepository) {}

  byClientId(clientId: string): Promise<Application | undefined> {
    // Anybody may send anything: what can be nobody's is neither asked for nor remembered.
    if (!isClientId(clientId)) return Promise.resolve(undefined);
    const known = this.remembered.get(clientId);
    const now = performance.now();
    if (known && now < known.until) return known.found;
    if (this.remembered.size >= REMEMBERED_AT_MOST) this.remembered.clear();
    const found = this.applications.byClientId(clientId);
    this.remembered.set(clientId, { found, until: now + BELIEVED_MS });
    found.catch(() => this.remembered.delete(clientId));
    return found;
  }
}
