import { randomBytes } from 'node:crypto';

/** A secret must stand nowhere as it is. Content may stand in the records that are made of it. */
type Kind = 'secret' | 'content';

const LENGTH = 10;
export const CANARY_CHARACTERS = 'zq'.length + 2 * LENGTH;
const PLAIN = new RegExp(`zq[0-9a-f]{${2 * LENGTH}}`, 'gi');
/** The same in a column of bytes, as Postgres writes it. */
const IN_BYTES = new RegExp(`7a71(?:3[0-9]|6[1-6]){${2 * LENGTH}}`, 'g');

/** Texts that are found again wherever they turn up, each with the input that it was sent in. */
export class Canaries {
  private readonly planted = new Map<string, { readonly kind: Kind; readonly as: string }>();
  /** Secrets of another form, because the service has made them. */
  private readonly kept = new Map<string, string>();

  secret(as: string): string {
    return this.plant('secret', as);
  }

  content(as: string): string {
    return this.plant('content', as);
  }

  keep(as: string, secret: string): string {
    // Shorter ones are found by chance.
    if (secret.length < 12) throw new Error(`${as} is too short.`);
    this.kept.set(secret, as);
    return secret;
  }

  /** The inputs whose canaries are in a text, sorted. */
  in(text: string, kind?: Kind): string[] {
    const found = [...text.matchAll(PLAIN)].map(([canary]) => canary.toLowerCase());
    found.push(...[...text.matchAll(IN_BYTES)].map(([hex]) => Buffer.from(hex, 'hex').toString('latin1')));
    const known = found.flatMap((canary) => this.planted.get(canary) ?? []).filter((one) => kind === undefined || one.kind === kind);
    const kept = kind === 'content' ? [] : [...this.kept].filter(([secret]) => holds(text, secret)).map(([, as]) => as);
    return [...new Set([...known.map(({ as }) => as), ...kept])].sort();
  }

  private plant(kind: Kind, as: string): string {
    const canary = `zq${randomBytes(LENGTH).toString('hex')}`;
    this.planted.set(canary, { kind, as });
    return canary;
  }
}

const holds = (text: string, secret: string): boolean => text.includes(secret) || text.includes(Buffer.from(secret).toString('hex'));
