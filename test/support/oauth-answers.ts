import { expect, vi } from 'vitest';
import type { TestApp } from './app.js';
import { allow, aVerifier, CALLBACK, challengeOf, type aPartner } from './oauth.js';

type Partner = Awaited<ReturnType<typeof aPartner>>;

/** Expects an error page without a redirect. */
export async function refusedOnAPage(address: string) {
  const answer = await fetch(address, { redirect: 'manual', headers: { accept: 'text/html' } });
  const text = await answer.text();
  expect([answer.status, answer.headers.get('location')], address).toEqual([400, null]);
  return { text, headers: answer.headers };
}

/** Expects a redirect to the application. Returns its query. */
export async function refusedAtCallback(address: string) {
  const answer = await fetch(address, { redirect: 'manual' });
  const location = answer.headers.get('location') ?? '';
  expect(location.startsWith(`${CALLBACK}?`), `${answer.status} ${location}`).toBe(true);
  return Object.fromEntries(new URL(location).searchParams);
}

/** A code with the other parameters of its exchange. */
export async function aCode(app: TestApp, partner: Partner, wanted: Record<string, string | undefined> = {}) {
  const verifier = aVerifier();
  const code = (await allow(app, partner, { code_challenge: challengeOf(verifier), ...wanted })).get('code')!;
  return { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: verifier };
}

/** Records the answers to all `fetch` calls of a test. */
export function watch() {
  const answers: Response[] = [];
  const plain = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (...call) => {
    const answer = await plain(...call);
    answers.push(answer.clone());
    return answer;
  });
  const locations = () => answers.flatMap(({ headers }) => headers.get('location') ?? []);
  const cookies = () => answers.flatMap(({ headers }) => headers.getSetCookie());
  return { answers, locations, cookies };
}
