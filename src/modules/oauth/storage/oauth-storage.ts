import { Injectable } from '@nestjs/common';
import type { Adapter } from 'oidc-provider';
import { Clock } from '../../../kernel/time.js';
import { clientAdapter } from './client-adapter.js';
import { ApplicationCache } from '../applications/application-cache.js';
import { OAuthRecordsRepository } from './oauth-records.repository.js';
import { RecordAdapter } from './record-adapter.js';

/** The adapters that oidc-provider stores its records with, one for each kind of record. */
@Injectable()
export class OAuthStorage {
  constructor(
    private readonly records: OAuthRecordsRepository,
    private readonly applications: ApplicationCache,
    private readonly clock: Clock,
  ) {}

  of(kind: string): Adapter {
    return kind === 'Client' ? clientAdapter(this.applications) : new RecordAdapter(kind, this.records, this.clock);
  }
}
