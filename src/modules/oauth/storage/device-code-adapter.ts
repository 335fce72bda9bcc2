import { createHmac } from 'node:crypto';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Secrets } from '../../../store/secrets/secrets.js';
import type { RecordAdapter } from './record-adapter.js';

const OWNER = 'device code';

export const isWithDeviceCode = (kind: string): boolean => kind === 'DeviceCode' || kind === 'Interaction';

/**
 * Device codes, and the interactions in which their users answer. oidc-provider needs the device code of a user code again, so it
 * is stored encrypted, and not only as a hash. The user code is stored as a keyed hash.
 */
export class DeviceCodeAdapter implements Adapter {
  constructor(
    private readonly kind: string,
    private readonly records: RecordAdapter,
    private readonly secrets: Secrets,
  ) {}

  upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
    const { deviceCode = this.kind === 'DeviceCode' ? id : undefined, userCode, ...rest } = payload;
    const sealed = deviceCode === undefined ? {} : { sealedDeviceCode: this.secrets.encrypt(deviceCode, OWNER).toString('base64') };
    return this.records.upsert(id, { ...rest, ...sealed, ...(userCode !== undefined && { uid: this.hashOf(userCode) }) }, expiresIn);
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    return this.opened(await this.records.find(id));
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.opened(await this.records.findByUid(uid));
  }

  async findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    const found = await this.findByUid(this.hashOf(userCode));
    return found && { ...found, userCode };
  }

  consume(id: string): Promise<void> {
    return this.records.consume(id);
  }

  destroy(id: string): Promise<void> {
    return this.records.destroy(id);
  }

  revokeByGrantId(grantId: string): Promise<void> {
    return this.records.revokeByGrantId(grantId);
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
