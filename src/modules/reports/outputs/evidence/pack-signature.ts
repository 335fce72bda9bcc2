import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { Ajv } from 'ajv';

export const SIGNATURE_PATH = 'signature.json';
export const MOST_SIGNATURE_BYTES = 64 * 1024;

/** What an organization signs: that the claim of a pack is final, and which pack that is. */
export interface SignedClaim {
  readonly schema: 'claim-final/1';
  /** SHA-256 of `manifest.json`, which has that of every other file. */
  readonly manifest: string;
  readonly organization: { readonly id: string; readonly name: string };
  readonly environment: string;
  readonly project: string;
  readonly run: string;
  /** The claim closing by which it became final. */
  readonly closing: string;
  readonly version: number;
  readonly period: { readonly start: string; readonly end: string };
  readonly inputsHash: string;
  readonly reviewedBy: string;
  readonly approvedBy: string;
  readonly finalBy: string;
  readonly finalAt: string;
}

/** `signature.json`. What is signed stands in it as a text, so that nobody has to write JSON in the same way to verify it. */
interface SignatureFile {
  readonly schema: 'claim-signature/1';
  readonly algorithm: 'Ed25519';
  readonly keyId: string;
  /** SPKI in Base64. */
  readonly publicKey: string;
  readonly signed: string;
  readonly signature: string;
}

export interface PackSignature extends Pick<SignatureFile, 'keyId' | 'publicKey'> {
  readonly claim: SignedClaim;
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const spkiOf = (privateKey: KeyObject): Buffer => createPublicKey(privateKey).export({ format: 'der', type: 'spki' });

export const keyIdOf = (spki: Uint8Array): string => sha256(spki).slice(0, 16);

export function signClaim(
  claim: SignedClaim,
  privateKey: KeyObject,
): { readonly file: Buffer } & Omit<SignatureFile, 'schema' | 'algorithm'> {
  const spki = spkiOf(privateKey);
  const signed = JSON.stringify(claim);
  const signature = sign(null, Buffer.from(signed), privateKey).toString('base64');
  const parts = { keyId: keyIdOf(spki), publicKey: spki.toString('base64'), signed, signature };
  const content: SignatureFile = { schema: 'claim-signature/1', algorithm: 'Ed25519', ...parts };
  return { file: Buffer.from(`${JSON.stringify(content, null, 2)}\n`), ...parts };
}

const TEXT = { type: 'string', minLength: 1 };
const object = (properties: Record<string, object>) => ({ type: 'object', properties, required: Object.keys(properties) });
const isFile = new Ajv().compile<SignatureFile>(
  object({
    ...{ schema: { const: 'claim-signature/1' }, algorithm: { const: 'Ed25519' }, keyId: TEXT, publicKey: TEXT },
    ...{ signed: TEXT, signature: TEXT },
  }),
);
const isClaim = new Ajv().compile<SignedClaim>(
  object({
    ...{
      schema: { const: 'claim-final/1' },
      manifest: TEXT,
      organization: object({ id: TEXT, name: { type: 'string' } }),
      environment: TEXT,
    },
    ...{ project: TEXT, run: TEXT, closing: TEXT, version: { type: 'integer' }, period: object({ start: TEXT, end: TEXT }) },
    ...{ inputsHash: TEXT, reviewedBy: TEXT, approvedBy: TEXT, finalBy: TEXT, finalAt: TEXT },
  }),
);

/** The signature of a pack with this manifest; a text if it does not fit: what is wrong. */
export function readSignature(content: string, manifest: { readonly bytes: Uint8Array; readonly run: string }): PackSignature | string {
  const file = parsed(content);
  if (!isFile(file)) return `${SIGNATURE_PATH} is not well-formed.`;
  const spki = Buffer.from(file.publicKey, 'base64');
  if (keyIdOf(spki) !== file.keyId)
    return `${SIGNATURE_PATH} names the key ${JSON.stringify(file.keyId.slice(0, 16))}, but has another one.`;
  if (!fits(file, spki)) return 'The signature does not fit what is signed: one of the two was changed.';
  const claim = parsed(file.signed);
  if (!isClaim(claim)) return `What ${SIGNATURE_PATH} signs is no final claim.`;
  if (claim.manifest !== sha256(manifest.bytes) || claim.run !== manifest.run) return 'The signature is that of another pack.';
  const { keyId, publicKey } = file;
  return { claim, keyId, publicKey };
}

function fits({ signed, signature }: SignatureFile, spki: Buffer): boolean {
  try {
    const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'ed25519' && verify(null, Buffer.from(signed), key, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
