import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { objectRequest, signedHeaders } from './index.js';

const KEYS = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' };
const SIGNING = { ...KEYS, region: 'us-east-1', at: new Date('2013-05-24T00:00:00Z') };
const EMPTY = createHash('sha256').update('').digest('hex');

// The examples of the documentation of Amazon S3 that sign these headers alone.
it.each([
  ['lifecycle=', 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543'],
  ['prefix=J&max-keys=2', '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7'],
])('signs as Amazon documents it: ?%s', (query, signature) => {
  const { authorization } = signedHeaders('GET', new URL(`https://examplebucket.s3.amazonaws.com/?${query}`), EMPTY, SIGNING);
  expect(authorization).toBe(
    `AWS4-HMAC-SHA256 Credential=${KEYS.accessKeyId}/20130524/us-east-1/s3/aws4_request, ` +
      `SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature=${signature}`,
  );
});

it('signs the content of an object, so that another content has another signature', () => {
  const put = (text: string) => objectRequest('https://bucket.example/a/1.gz', Buffer.from(text), SIGNING).headers;
  expect(put('a')['x-amz-content-sha256']).toBe(createHash('sha256').update('a').digest('hex'));
  expect(put('a').authorization).not.toBe(put('b').authorization);
  expect(put('a')).toEqual(put('a'));
});
