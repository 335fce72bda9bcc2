const BYTES = 32;

const base64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, (character) => ({ '+': '-', '/': '_' })[character] ?? '');

/** A text that nobody can guess: a state, or a verifier (RFC 7636). */
export const randomText = (): string => base64Url(crypto.getRandomValues(new Uint8Array(BYTES)));

/** The challenge of a verifier, with S256. */
export const challengeOf = async (verifier: string): Promise<string> =>
  base64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))));
