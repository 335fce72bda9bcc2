import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/app.js';

const PLACES = ['/v1/claim-projects', '/nowhere', '/health/live', '/openapi.json', '/console/sign-in', '/oauth/token', '/docs', '/%zz'];

async function answersOf(env: Record<string, string>): Promise<Headers[]> {
  const app: TestApp = await startApp(env);
  // Not by the address that it tells others.
  const { port } = app.app.getHttpServer().address() as AddressInfo;
  const asked = PLACES.map((path) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { accept: 'text/html,*/*' }, redirect: 'manual' }),
  );
  const answers = await Promise.all(asked);
  await app.close();
  return answers.map(({ headers }) => headers);
}

it('every answer says that it loads nothing from elsewhere and is shown in no frame, be it JSON, a page or a refusal', async () => {
  for (const headers of await answersOf({})) {
    const policy = headers.get('content-security-policy');
    for (const rule of ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"]) expect(policy).toContain(rule);
  }
});

it('a service with an https address tells browsers to come by https only, and no other does', async () => {
  for (const headers of await answersOf({ BASE_URL: 'https://claims.example' }))
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
  for (const headers of await answersOf({})) expect(headers.get('strict-transport-security')).toBeNull();
});
