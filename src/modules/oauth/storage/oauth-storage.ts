import { Injectable } from '@nestjs/common';
import type { Adapter } from 'oidc-provider';
import { Clock } from '../../../kernel/time.js';
import { Secrets } from '../../../store/secrets/secrets.js';
import { clientAdapter } from './client-adapter.js';
import { Clients } from '../shared/clients.js';
import { DeviceCodeAdapter, isWithDeviceCode } from './device-code-adapter.js';
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
    private readonly secrets: Secrets,
  ) {}

  /** `callerAddress` is the address of the current request. */
  of(kind: string, callerAddress: () => string): Adapter {
    if (kind === 'Client') return clientAdapter(this.clients, callerAddress);
    const adapter = new RecordAdapter(kind, this.records, this.transactions, this.clock);
    return isWithDeviceCode(kind) ? new DeviceCodeAdapter(kind, adapter, this.secrets) : adapter;
  }

  /** Whether the application uses this `jti` for the first time. It is remembered until its assertion or proof expires. */
  isFirstUse(clientId: string, jti: string, expiresInSeconds: number): Promise<boolean> {
    const record = { payload: {}, grantId: undefined, uid: undefined, clientId, userId: undefined, expiresInSeconds };
    return this.records.write('ReplayDetection', `${clientId} ${jti}`, record, true);
  }
}
