import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import { Clock } from '../../../kernel/time.js';
import { DatabaseClock } from '../../../store/database/database-clock.js';
import { ROWS_PER_DELETE } from '../../../store/database/housekeeping.js';
import { Job } from '../../../store/jobs/job.decorator.js';
import { Secrets } from '../../../store/secrets/secrets.js';
import { clientMetadata, sharedClientMetadata } from '../applications/client-metadata.js';
import { type Caller, Clients, isShared } from '../shared/connections/connections.service.js';
import { OAuthRecordsRepository, type StoredRecord } from './oauth-records.repository.js';
import { OAuthTransactions } from './oauth-transactions.js';

/** How long a used refresh token still works: a client that lost the answer gets the same successor again. */
const GRACE_MS = 60_000;
const SINGLE_USE = new Set(['AuthorizationCode', 'RefreshToken', 'DeviceCode']);
/** Written once. A device code is written again when its user has answered. */
const WRITTEN_ONCE = new Set(['AuthorizationCode', 'RefreshToken']);
/** The kinds of record that belong to one organization and environment: consents, and what is issued for them. */
const GRANTED = new Set(['Grant', 'AuthorizationCode', 'AccessToken', 'RefreshToken']);

/** Stores records of oidc-provider in Postgres, so that any replica can answer. */
class RecordAdapter implements Adapter {
  constructor(
    protected readonly kind: string,
    private readonly records: OAuthRecordsRepository,
    private readonly transactions: OAuthTransactions,
    private readonly clock: Clock,
  ) {}

  async upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
    // The id is a credential. The payload must not contain it.
    const { jti: _id, ...rest } = payload;
    const { grantId, uid, clientId = clientOf(payload), accountId = payload.session?.accountId } = payload;
    const owner = (GRANTED.has(this.kind) ? this.transactions.connectionId : undefined) ?? clientId;
    const record = { payload: rest, grantId, uid, clientId: owner, userId: accountId, expiresInSeconds: expiresIn };
    // A repeated refresh writes a successor that already exists and may have been used. It must stay as it is.
    await this.records.write(this.kind, id, record, WRITTEN_ONCE.has(this.kind));
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const found = await this.records.find(this.kind, id, SINGLE_USE.has(this.kind));
    return found && this.read(found, id);
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    const found = await this.records.findByUid(this.kind, uid);
    return found && this.read(found);
  }

  /** Only device codes have one. */
  findByUserCode(_code: string): Promise<AdapterPayload | undefined> {
    return Promise.resolve(undefined);
  }

  consume(id: string): Promise<void> {
    return this.records.consume(this.kind, id);
  }

  destroy(id: string): Promise<void> {
    return this.records.delete(this.kind, id);
  }

  revokeByGrantId(grantId: string): Promise<void> {
    return this.records.deleteOfGrant(this.kind, grantId);
  }

  private read({ payload, clientId, consumedAt }: StoredRecord, id?: string): AdapterPayload {
    if (GRANTED.has(this.kind) && clientId !== null && clientId !== payload.clientId) this.transactions.concerns(clientId);
    return {
      ...payload,
      ...(id !== undefined && { jti: id }),
      ...(consumedAt !== null && this.isConsumed(consumedAt) && { consumed: Math.floor(Date.parse(consumedAt) / 1000) }),
    };
  }

  private isConsumed(consumedAt: string): boolean {
    return this.kind !== 'RefreshToken' || this.clock.now().getTime() - Date.parse(consumedAt) >= GRACE_MS;
  }
}

/** An authorization request that waits for its user names the application among its parameters; a pushed one is a JWT that it issued. */
function clientOf({ params, request }: AdapterPayload): string | undefined {
  if (typeof request !== 'string') return params?.client_id as string | undefined;
  return (JSON.parse(Buffer.from(request.split('.')[1]!, 'base64url').toString()) as { iss: string }).iss;
}

const OWNER = 'device code';

const isWithDeviceCode = (kind: string): boolean => kind === 'DeviceCode' || kind === 'Interaction';

/** oidc-provider needs the device code of a user code again: it is stored encrypted, not only as a hash. The user code is a keyed hash. */
class DeviceCodeAdapter extends RecordAdapter {
  constructor(
    private readonly secrets: Secrets,
    ...stored: ConstructorParameters<typeof RecordAdapter>
  ) {
    super(...stored);
  }

  override upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
    const { deviceCode = this.kind === 'DeviceCode' ? id : undefined, userCode, ...rest } = payload;
    const sealed = deviceCode === undefined ? {} : { sealedDeviceCode: this.secrets.encrypt(deviceCode, OWNER).toString('base64') };
    return super.upsert(id, { ...rest, ...sealed, ...(userCode !== undefined && { uid: this.hashOf(userCode) }) }, expiresIn);
  }

  override async find(id: string): Promise<AdapterPayload | undefined> {
    return this.opened(await super.find(id));
  }

  override async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.opened(await super.findByUid(uid));
  }

  override async findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    const found = await this.findByUid(this.hashOf(userCode));
    return found && { ...found, userCode };
  }

  /** A user code is short, so a plain hash of it could be guessed. */
  private hashOf(userCode: string): string {
    return createHmac('sha256', this.secrets.keysFor('oauth user codes')[0]!).update(userCode).digest('base64url');
  }

  private opened(found: AdapterPayload | undefined): AdapterPayload | undefined {
    if (!found) return undefined;
    const { sealedDeviceCode: sealed, uid, ...payload } = found;
    const kept = this.kind === 'DeviceCode' ? payload : { ...payload, ...(uid !== undefined && { uid }) };
    if (typeof sealed !== 'string') return kept;
    const code = this.secrets.decrypt(Buffer.from(sealed, 'base64'), OWNER);
    return this.kind === 'DeviceCode' ? { ...kept, jti: code } : { ...kept, deviceCode: code };
  }
}

@Injectable()
export class OAuthStorage {
  constructor(
    private readonly records: OAuthRecordsRepository,
    private readonly clients: Clients,
    private readonly transactions: OAuthTransactions,
    private readonly clock: Clock,
    private readonly secrets: Secrets,
  ) {}

  adapterFor(kind: string, caller: () => Caller): Adapter {
    if (kind === 'Client') return clientAdapter(this.clients, caller);
    const stored = [kind, this.records, this.transactions, this.clock] as const;
    return isWithDeviceCode(kind) ? new DeviceCodeAdapter(this.secrets, ...stored) : new RecordAdapter(...stored);
  }

  isFirstUse(clientId: string, jti: string, expiresInSeconds: number): Promise<boolean> {
    const record = { payload: {}, grantId: undefined, uid: undefined, clientId, userId: undefined, expiresInSeconds };
    return this.records.write('ReplayDetection', `${clientId} ${jti}`, record, true);
  }
}

function clientAdapter(clients: Clients, callerNow: () => Caller): Adapter {
  const readOnly = (): Promise<never> => Promise.reject(new Error('Applications are not created by the authorization server.'));
  const none = () => Promise.resolve(undefined);
  return {
    find: async (clientId) => {
      const caller = callerNow();
      const asker = await clients.find(clientId, caller.address);
      if (!asker) return undefined;
      return isShared(asker) ? sharedClientMetadata(asker) : clientMetadata(asker, await clients.findKeys(asker, caller));
    },
    findByUid: none,
    findByUserCode: none,
    upsert: readOnly,
    consume: readOnly,
    destroy: readOnly,
    revokeByGrantId: readOnly,
  };
}

/** How long expired records are kept. Until then the audit log can show that an expired token was used. */
const RETENTION_MS = 24 * 3_600_000;

@Injectable()
export class OAuthExpiry {
  constructor(
    private readonly records: OAuthRecordsRepository,
    private readonly clock: DatabaseClock,
  ) {}

  @Job({ id: 'oauth.expire', summary: 'Removes codes, tokens, grants and sessions that have expired.', everyMs: 600_000 })
  async expire(): Promise<void> {
    const now = this.clock.now();
    const before = new Date(now.getTime() - RETENTION_MS);
    while ((await this.records.expire(before, ROWS_PER_DELETE)) === ROWS_PER_DELETE);
    // The audit log shows nothing of these, so they are not kept any longer.
    while ((await this.records.expireRequests(now, ROWS_PER_DELETE)) === ROWS_PER_DELETE);
  }
}
