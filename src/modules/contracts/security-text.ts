import type { Settings } from '../../kernel/settings/settings.js';

const DAY_MS = 86_400_000;
/** RFC 9116 recommends less than a year. A reader should check after this whether the contact is still right. */
const VALID_DAYS = 180;

/** Whom to tell about a vulnerability (RFC 9116); undefined if the operator names no contact. */
export function securityText({ securityContact, publicUrl }: Settings, now: Date): string | undefined {
  if (securityContact === undefined) return undefined;
  // The same text all day long.
  const expires = new Date((Math.floor(now.getTime() / DAY_MS) + VALID_DAYS) * DAY_MS).toISOString();
  const lines = [`Contact: ${securityContact}`, `Expires: ${expires}`, `Canonical: ${publicUrl}/.well-known/security.txt`];
  return [...lines, 'Preferred-Languages: en', ''].join('\n');
}
