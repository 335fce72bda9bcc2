import { createHash, createPublicKey, type KeyObject, sign, X509Certificate } from 'node:crypto';

/** DER: a value with its tag and length. */
function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  if (content.length < 128) return Buffer.concat([Buffer.of(tag, content.length), content]);
  const length = Buffer.from(content.length.toString(16).padStart(content.length < 256 ? 2 : content.length < 65_536 ? 4 : 6, '0'), 'hex');
  return Buffer.concat([Buffer.of(tag, 0x80 + length.length), length, content]);
}

const sequence = (...of: readonly Uint8Array[]): Buffer => der(0x30, ...of);
/** DER has the members of a set in the order of their bytes. */
const inOrder = (of: readonly Uint8Array[]): Uint8Array[] => of.toSorted((one, other) => Buffer.compare(one, other));
const set = (...of: readonly Uint8Array[]): Buffer => der(0x31, ...inOrder(of));
const integer = (value: number): Buffer => der(0x02, Buffer.of(value));
const octets = (value: Uint8Array): Buffer => der(0x04, value);
const text = (value: string): Buffer => der(0x0c, Buffer.from(value));
const tagged = (number: number, ...of: readonly Uint8Array[]): Buffer => der(0xa0 + number, ...of);

/** The first two numbers are one byte, and all others have seven bits in a byte. */
function oid(dotted: string): Buffer {
  const [first, second, ...rest] = dotted.split('.').map(Number) as [number, number, ...number[]];
  const inSevenBits = (value: number): number[] =>
    value < 128 ? [value] : [...inSevenBits(Math.floor(value / 128)).map((byte) => byte | 0x80), value % 128];
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(inSevenBits)]));
}

/** The values in a value, each whole. */
function partsOf(value: Uint8Array): Buffer[] {
  const content = bodyOf(Buffer.from(value));
  const parts: Buffer[] = [];
  for (let at = 0; at < content.length;) {
    const length = sizeOf(content.subarray(at));
    parts.push(content.subarray(at, at + length));
    at += length;
  }
  return parts;
}

const lengthBytes = (value: Buffer): number => (value[1]! < 128 ? 0 : value[1]! - 128);
const bodyOf = (value: Buffer): Buffer => value.subarray(2 + lengthBytes(value));

function sizeOf(value: Buffer): number {
  const bytes = lengthBytes(value);
  return 2 + bytes + (bytes === 0 ? value[1]! : value.readUIntBE(2, bytes));
}

const VERSION = 0xa0;
const SHA256 = sequence(oid('2.16.840.1.101.3.4.2.1'));
const ECDSA_WITH_SHA256 = sequence(oid('1.2.840.10045.4.3.2'));
const DATA = oid('1.2.840.113549.1.7.1');
const attribute = (type: string, value: Uint8Array): Buffer => sequence(oid(type), set(value));
const sha256 = (content: Uint8Array): Buffer => createHash('sha256').update(content).digest();

/** A request for a certificate (PKCS #10, as PEM), by which an authority certifies the key. */
export function certificateRequest(name: string, privateKey: KeyObject): string {
  const names = ['2.5.4.10', '2.5.4.3'].map((type) => set(sequence(oid(type), text(name))));
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  const wanted = sequence(integer(0), sequence(...names), spki, tagged(0));
  const signature = der(0x03, Buffer.of(0), sign('sha256', wanted, privateKey));
  const lines = sequence(wanted, ECDSA_WITH_SHA256, signature)
    .toString('base64')
    .match(/.{1,64}/g)!;
  return ['-----BEGIN CERTIFICATE REQUEST-----', ...lines, '-----END CERTIFICATE REQUEST-----', ''].join('\n');
}

/**
 * A signature as CMS, as PAdES B-B has it: of content that stands elsewhere, bound to its certificate, and without a time of its own.
 * The first certificate is that of the key, the others lead to an authority.
 */
export function cmsSignature(content: Uint8Array, [own, ...others]: readonly X509Certificate[], privateKey: KeyObject): Buffer {
  // A certificate has its version unless that is 1, then its serial number, an algorithm, and its issuer.
  const [serial, , issuer] = partsOf(partsOf(own!.raw)[0]!).filter(([tag]) => tag !== VERSION);
  const attributes = [
    attribute('1.2.840.113549.1.9.3', DATA),
    attribute('1.2.840.113549.1.9.4', octets(sha256(content))),
    // signing-certificate-v2: SHA-256 is what it has unless it says otherwise.
    attribute('1.2.840.113549.1.9.16.2.47', sequence(sequence(sequence(octets(sha256(own!.raw)))))),
  ];
  const signature = sign('sha256', set(...attributes), privateKey);
  const signed = tagged(0, ...inOrder(attributes));
  const signer = sequence(integer(1), sequence(issuer!, serial!), SHA256, signed, ECDSA_WITH_SHA256, octets(signature));
  const certificates = tagged(0, ...[own!, ...others].map(({ raw }) => raw));
  const data = sequence(integer(1), set(SHA256), sequence(DATA), certificates, set(signer));
  return sequence(oid('1.2.840.113549.1.7.2'), tagged(0, data));
}

const MOST_CERTIFICATES = 8;
export const MOST_CERTIFICATE_BYTES = 32 * 1024;

/** The certificates of a text, the one of the key first. Refuses those that would make signatures which readers cannot verify. */
export function readCertificates(pem: string, privateKey: KeyObject, now: Date): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0 || blocks.length > MOST_CERTIFICATES)
    throw refused(`must have 1 to ${MOST_CERTIFICATES} certificates as PEM, each from BEGIN to END CERTIFICATE`);
  const certificates = blocks.map(certificateOf);
  const own = certificates.find((certificate) => certificate.checkPrivateKey(privateKey));
  if (!own) throw refused('must have the certificate that was made from the request of this page');
  const chain = [own];
  for (let last = own; chain.length < certificates.length; last = chain.at(-1)!) {
    const issuer = certificates.find((other) => !chain.includes(other) && last.checkIssued(other) && last.verify(other.publicKey));
    if (!issuer) throw refused(`must lead from each certificate to its issuer, and none has issued ${nameIn(last.subject)}`);
    chain.push(issuer);
  }
  for (const { validFrom, validTo, subject } of chain)
    if (new Date(validFrom) > now || new Date(validTo) < now)
      throw refused(`must have certificates that are valid now, and ${nameIn(subject)} is not`);
  return chain;
}

function certificateOf(block: string): X509Certificate {
  try {
    return new X509Certificate(block);
  } catch {
    throw refused('must have certificates that are well-formed');
  }
}

const refused = (message: string): CertificatesRefused => new CertificatesRefused(message);

/** What certificates must be: the end of a sentence about them. */
export class CertificatesRefused extends Error {}

/** The common name, or all that there is. */
export const nameIn = (subject: string): string => /^CN=(.+)$/m.exec(subject)?.[1] ?? subject.replaceAll('\n', ', ');
