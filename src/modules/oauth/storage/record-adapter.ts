import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Clock } from '../../../kernel/time.js';
import type { OAuthRecordsRepository, StoredRecord } from './oauth-records.repository.js';
import type { OAuthTransactions } from './oauth-transactions.js';

/** How long a used refresh token still works: a client that lost the answer gets the same successor again. */
const GRACE_MS = 60_000;
/** The kinds of record that work only once. */
const SINGLE_USE = new Set(['AuthorizationCode', 'RefreshToken', 'DeviceCode']);
/** Written once. A device code is written again when its user has answered. */
const WRITTEN_ONCE = new Set(['AuthorizationCode', 'RefreshToken']);

/** The kinds of record that belong to one organization and environment: consents, and what is issued for them. */
const GRANTED = new Set(['Grant', 'AuthorizationCode', 'AccessToken', 'RefreshToken']);

/** Stores records of oidc-provider in Postgres, so that any replica can answer. */
export class RecordAdapter implements Adapter {
  constructor(
    private readonly kind: string,
    private readonly records: OAuthRecordsRepository,
    private readonly transactions: OAuthTransactions,
    private readonly clock: Clock,
  ) {}

  async upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
    // The id is a credential. The payload must not contain it.
    const { jti: _id, ...rest } = payload;
    const { grantId, uid, clientId = clientOf(payload), accountId = payload.session?.accountId } = payload;
    const owner = (GRANTED.has(this.kind) ? this.transactions.connectionId : undefined) ?? clientId;
    // A repeated refresh writes a successor that already exists and may have been used. It must stay as it is.
    await this.records.write(
      this.kind,
      id,
      { payload: rest, grantId, uid, clientId: owner, userId: accountId, expiresInSeconds: expiresIn },
      WRITTEN_ONCE.has(this.kind),
    );
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
  findByUserCode(): Promise<undefined> {
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
