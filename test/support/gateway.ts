import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT } from 'jose';

/** A gateway that says by a redirect who has come, signed, as the recipe of docs/extending-ports.md expects it. */
export async function startGateway() {
  const secret = randomBytes(32);
  let signedWith = secret;
  let claims: Readonly<Record<string, unknown>> = {};
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url!, 'http://gateway');
    const jwt = new SignJWT({ nonce: searchParams.get('nonce'), ...claims }).setProtectedHeader({ alg: 'HS256' });
    if (!('iat' in claims)) jwt.setIssuedAt();
    void jwt.sign(signedWith).then((assertion) => {
      response.writeHead(303, { Location: `${searchParams.get('return_to')}?${new URLSearchParams({ assertion })}` }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    secret: secret.toString('base64'),
    /** About whoever comes next. */
    says: (said: typeof claims): void => void (claims = said),
    signingAsAnother: async <T>(work: () => Promise<T>): Promise<T> => {
      signedWith = randomBytes(32);
      return work().finally(() => (signedWith = secret));
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
