import { describe, expect, it } from 'vitest';
import { EXCERPT_BYTES, excerptOf, READ_FOR_EXCERPT } from './answer-excerpt.js';

const of = (answer: string | Buffer, secrets: readonly string[] = [], isLonger = false) =>
  excerptOf(Buffer.from(answer as string).subarray(0, READ_FOR_EXCERPT), isLonger, secrets);

describe('the excerpt of an answer', () => {
  it('is the whole answer if it is short', () => {
    expect(of('{"error":"ünknown field"}\r\n')).toEqual({ body: '{"error":"ünknown field"}\r\n', isTruncated: false });
    expect(of('')).toEqual({ body: '', isTruncated: false });
  });

  it('has the first 1,024 bytes, and says whether there were more', () => {
    expect(of('x'.repeat(EXCERPT_BYTES))).toEqual({ body: 'x'.repeat(EXCERPT_BYTES), isTruncated: false });
    expect(of('x'.repeat(EXCERPT_BYTES + 1))).toEqual({ body: 'x'.repeat(EXCERPT_BYTES), isTruncated: true });
    expect(of('short', [], true).isTruncated).toBe(true);
  });

  it('ends before a character that the limit would cut', () => {
    expect(of(`${'x'.repeat(EXCERPT_BYTES - 1)}€`).body).toBe('x'.repeat(EXCERPT_BYTES - 1));
    expect(of(`${'x'.repeat(EXCERPT_BYTES - 3)}€y`).body).toBe(`${'x'.repeat(EXCERPT_BYTES - 3)}€`);
  });

  it('is valid text without control characters, whatever was sent', () => {
    const every = Buffer.from(Array.from({ length: 256 }, (_none, byte) => byte));
    const { body } = of(every);
    expect(body.isWellFormed()).toBe(true);
    expect(body).not.toMatch(/[^\P{Cc}\t\r\n]/u);
    expect(body).toContain(' !"#');
  });

  it.each([
    ['as it is', (secret: string) => secret],
    ['within JSON', (secret: string) => JSON.stringify({ authorization: secret })],
    ['without its scheme', (secret: string) => secret.split(' ')[1]!],
    ['at the end of the excerpt', (secret: string) => `${'x'.repeat(EXCERPT_BYTES - 5)}${secret}`],
    ['after many others', (secret: string) => secret.repeat(40)],
  ])('hides a header value of the endpoint %s', (_how, write) => {
    const secret = 'Bearer s3cr3t"with\\quotes';
    const { body } = of(write(secret), [secret]);
    expect(body).not.toContain('s3cr3t');
    expect(body).not.toMatch(/Beare$/);
  });

  it.each([
    `whsec_${'A'.repeat(43)}=`,
    `whsk_${'B+/'.repeat(28)}==`,
    'pk_live_0123456789abcdefghijABCDEFGHIJ12abcdef',
    `v1,${'C'.repeat(43)}=`,
    `v1a,${'D'.repeat(86)}==`,
  ])('hides %s', (secret) => {
    expect(of(`You sent ${secret}.`).body).toBe(`You sent ${'*'.repeat(secret.length)}.`);
  });

  it('keeps text that is equal to a very short header value', () => {
    expect(of('a 1 in the text', ['1']).body).toBe('a 1 in the text');
  });
});
