import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const hashOf = (content: string | Buffer): Buffer => createHash('sha256').update(content).digest();

/** The beginning of a CBOR item (RFC 8949) of less than 64 KiB. */
function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  return length < 256 ? Buffer.from([(major << 5) | 24, length]) : Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
}
const bytesItem = (bytes: Buffer): Buffer => Buffer.concat([head(2, bytes.length), bytes]);
const textItem = (text: string): Buffer => Buffer.concat([head(3, text.length), Buffer.from(text)]);

const PRESENT = 1;
const VERIFIED = 4;
const HAS_KEY = 64;

/** What an answer says otherwise than it should. */
export interface Forged {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly type?: string;
  readonly isVerified?: boolean;
  readonly counter?: number;
  readonly userHandle?: string;
  readonly id?: string;
  readonly crossOrigin?: boolean;
}

interface Asked {
  readonly challenge: string;
  readonly rpId: string;
}

/** A device with one passkey, made from the specification alone (WebAuthn level 3). */
export class Device {
  readonly id = randomBytes(32).toString('base64url');
  counter = 0;
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  private userHandle = '';

  constructor(private readonly origin: string) {}

  /** The answer to options of a page that adds a passkey. */
  create(text: string, forged: Forged = {}): string {
    const { challenge, rp, user } = JSON.parse(text) as { challenge: string; rp: { id: string }; user: { id: string } };
    this.userHandle = user.id;
    const { x, y } = this.keys.publicKey.export({ format: 'jwk' });
    const key = [
      Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21]),
      bytesItem(Buffer.from(x!, 'base64url')),
      Buffer.from([0x22]),
      bytesItem(Buffer.from(y!, 'base64url')),
    ];
    const id = Buffer.from(this.id, 'base64url');
    const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, ...key]);
    const data = Buffer.concat([this.authenticatorData(rp.id, forged, HAS_KEY), credential]);
    const attestation = [textItem('fmt'), textItem('none'), textItem('attStmt'), head(5, 0), textItem('authData'), bytesItem(data)];
    return this.answer(forged, {
      clientDataJSON: this.clientData('webauthn.create', challenge, forged).toString('base64url'),
      attestationObject: Buffer.concat([head(5, 3), ...attestation]).toString('base64url'),
      transports: ['internal'],
    });
  }

  get({ challenge, rpId }: Asked, forged: Forged = {}): string {
    const data = this.authenticatorData(rpId, forged);
    const client = this.clientData('webauthn.get', challenge, forged);
    return this.answer(forged, {
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: sign('sha256', Buffer.concat([data, hashOf(client)]), this.keys.privateKey).toString('base64url'),
      userHandle: forged.userHandle ?? this.userHandle,
    });
  }

  private clientData(type: string, challenge: string, forged: Forged): Buffer {
    const { origin = this.origin, crossOrigin = false } = forged;
    return Buffer.from(JSON.stringify({ type: forged.type ?? type, challenge: forged.challenge ?? challenge, origin, crossOrigin }));
  }

  private authenticatorData(rpId: string, { rpId: other, isVerified = true, counter = this.counter }: Forged, more = 0): Buffer {
    const rest = Buffer.alloc(5);
    rest[0] = PRESENT | (isVerified ? VERIFIED : 0) | more;
    rest.writeUInt32BE(counter, 1);
    return Buffer.concat([hashOf(other ?? rpId), rest]);
  }

  private answer({ id = this.id }: Forged, response: object): string {
    return JSON.stringify({ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response });
  }
}
