import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Clock } from '../../../kernel/clock.js';
import type { OAuthRecordsRepository, StoredRecord } from './oauth-records.repository.js';

/** A rotation whose answer was lost may be repeated for so long: it gives the same successor. */
const GRACE_MS = 60_000;
/** What may be used once. */
const USED_ONCE = new Set(['AuthorizationCode', 'RefreshToken']);

/** How the authorization server keeps what it keeps: in Postgres, so that replicas are as one. */
export class RecordAdapter implements Adapter {
  constructor(
    private readonly kind: string,
    private readonly records: OAuthRecordsRepository,
    private readonly clock: Clock,
  ) {}

  async upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
    // The id is what its bearer presents: the payload would tell it.
    const { jti: _id, ...rest } = payload;
    const { grantId, uid, clientId, accountId } = payload;
    // The successor of a rotation that is repeated is there already, and may have been used by now.
    await this.records.write(
      this.kind,
      id,
      { payload: rest, grantId, uid, clientId, userId: accountId, expiresInSeconds: expiresIn },
      USED_ONCE.has(this.kind),
    );
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const found = await this.records.find(this.kind, id, USED_ONCE.has(this.kind));
    return found && this.read(found, id);
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    const found = await this.records.findByUid(this.kind, uid);
    return found && this.read(found);
  }

  /** Only of use to devices without a browser, which are not served. */
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

  private read({ payload, consumedAt }: StoredRecord, id?: string): AdapterPayload {
    return {
      ...payload,
      ...(id !== undefined && { jti: id }),
      ...(consumedAt !== null && this.isOver(consumedAt) && { consumed: Math.floor(Date.parse(consumedAt) / 1000) }),
    };
  }

  private isOver(consumedAt: string): boolean {
    return this.kind !== 'RefreshToken' || this.clock.now().getTime() - Date.parse(consumedAt) >= GRACE_MS;
  }
}
