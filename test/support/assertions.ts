import { SignJWT, type CryptoKey, exportSPKI } from 'jose';
import { newId } from '../../src/kernel/ids.js';
import type { TestApp } from './app.js';
import { aKey, type Key } from './dpop.js';
import { anApplication, ask } from './oauth.js';
import { anOrganization } from './builders.js';

/** A confidential application that has a key and no secret. */
export async function anApplicationWithKey(app: TestApp, algorithm = 'ES256') {
  const key = await aKey(algorithm);
  const organization = await anOrganization(app, { plan: 'enterprise' });
  const application = await anApplication(app, organization.id, { publicKeys: await exportSPKI(key.publicKey) });
  return { organization, application, key, algorithm };
}

interface WantedAssertion {
  claims?: Record<string, unknown>;
  header?: Record<string, unknown>;
  signer?: CryptoKey;
}

/** The parameters with which an application authenticates (RFC 7523). */
export async function anAssertion(
  app: TestApp,
  { application, key, algorithm = 'ES256' }: { application: { clientId: string }; key: Key; algorithm?: string },
  { claims, header, signer }: WantedAssertion = {},
): Promise<Record<string, string>> {
  const { clientId } = application;
  const seconds = Math.floor(Date.now() / 1000);
  const payload = { iss: clientId, sub: clientId, aud: app.url, jti: newId(), iat: seconds, exp: seconds + 60, ...claims };
  return {
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: await new SignJWT(payload).setProtectedHeader({ alg: algorithm, ...header }).sign(signer ?? key.privateKey),
  };
}

/** Like `ask`, with an assertion in place of a secret. */
export function askWith(
  app: TestApp,
  { clientId }: { clientId: string },
  body: Record<string, string>,
  path?: string,
  headers?: Record<string, string>,
) {
  return ask(app, { application: { id: '', clientId, clientSecret: '' } }, body, path, headers);
}
