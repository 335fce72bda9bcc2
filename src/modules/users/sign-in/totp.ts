import { createHmac, timingSafeEqual } from 'node:crypto';

const STEP_SECONDS = 30;
const DIGITS = 6;
/** Clocks differ, and people take their time: the code before and the one after are good as well. */
const TOLERATED_STEPS = [-1, 0, 1];

/** The code of a time step (RFC 4226 and 6238, with SHA-1, as all authenticator apps have it). */
export function totpCode(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const number = mac.readUInt32BE(mac.at(-1)! & 0xf) & 0x7fffffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** The step around a time that a code is of; undefined when it is none of theirs. */
export function totpStep(secret: Buffer, code: string, time: Date): number | undefined {
  const typed = Buffer.from(code.replace(/\s/g, ''));
  const now = Math.floor(time.getTime() / 1000 / STEP_SECONDS);
  const steps = TOLERATED_STEPS.map((offset) => now + offset);
  return steps.find((step) => {
    const expected = Buffer.from(totpCode(secret, step));
    return typed.length === expected.length && timingSafeEqual(typed, expected);
  });
}

/** What an authenticator app reads off a QR code. */
export function totpUri(issuer: string, account: string, secret: Buffer): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${DIGITS}&period=${STEP_SECONDS}`;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** RFC 4648, without padding: for bytes whose bits are a multiple of five. */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((five) => ALPHABET[parseInt(five, 2)]).join('');
}
