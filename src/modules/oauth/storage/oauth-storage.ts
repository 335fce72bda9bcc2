import { Injectable } from '@nestjs/common';
import type { Adapter } from 'oidc-provider';
import { Clock } from '../../../kernel/time.js';
import { clientAdapter } from './client-adapter.js';
import { Clients } from '../shared/clients.js';
import { OAuthRecordsRepository } from './oauth-records.repository.js';
import { OAuthTransactions } from './oauth-transactions.js';
import { RecordAdapter } from './record-adapter.js';

/** The adapters that oidc-provider stores its records with, one for each kind of record. */
@Injectable()
export class OAuthStorage {
  constructor(
    private readonly records: OAuthRecordsRepository,
    private readonly clients: Clients,
    private readonly transactions: OAuthTransactions,
    private readonly clock: Clock,
  ) {}

  /** `callerAddress` is the address of the current request. */
  of(kind: string, callerAddress: () => string): Adapter {
    if (kind === 'Client') return clientAdapter(this.clients, callerAddress);
    return new RecordAdapter(kind, this.records, this.transactions, this.clock);
  }
}
