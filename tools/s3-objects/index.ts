import { createHash, createHmac } from 'node:crypto';

export interface S3Signing {
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly at: Date;
}

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** The PUT of an object. The path of the address must need no escaping. */
export function objectRequest(address: string, body: Buffer, signing: S3Signing) {
  const url = new URL(address);
  return { url: url.href, method: 'PUT' as const, headers: signedHeaders('PUT', url, sha256(body), signing), body };
}

/** AWS Signature Version 4 for S3. The host is signed, and set by what sends the request. */
export function signedHeaders(method: string, url: URL, hash: string, { region, accessKeyId, secretAccessKey, at }: S3Signing) {
  const time = at.toISOString().replace(/[-:]|\.\d+/g, '');
  const own = { 'x-amz-content-sha256': hash, 'x-amz-date': time };
  const signed = Object.entries({ host: url.host, ...own });
  const names = signed.map(([name]) => name).join(';');
  url.searchParams.sort();
  const lines = signed.map(([name, value]) => `${name}:${value}`);
  const canonical = [method, url.pathname, url.searchParams.toString(), ...lines, '', names, hash].join('\n');
  const scope = [time.slice(0, 8), region, 's3', 'aws4_request'];
  const key = scope.reduce<string | Buffer>((parent, part) => hmac(parent, part), `AWS4${secretAccessKey}`);
  const signature = hmac(key, ['AWS4-HMAC-SHA256', time, scope.join('/'), sha256(canonical)].join('\n')).toString('hex');
  const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope.join('/')}, SignedHeaders=${names}, Signature=${signature}`;
  return { ...own, authorization };
}
