import { describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { BODY_MAX_BYTES } from '../../../src/kernel/product.js';
import { eventually } from '../../support/eventually.js';
import { answerOf, expectFieldErrors, expectProblem } from '../../support/problem.js';
import { hangUpAfter, requestText, sendRaw } from '../../support/raw.js';
import { GOOD, PROJECTS, useAppWithoutErrors } from '../../support/hostile-input.js';

const { setUp, requests } = useAppWithoutErrors();

describe('a body', () => {
  it.each([
    '[]',
    '"x"',
    'null',
    '1',
    'true',
    '{',
    '{"name":"x"',
    '{"name":"x"}}',
    '{name:1}',
    "{'name':1}",
    '{"a":1,}',
    ' ',
    '\ufeff{}',
    '{"a":NaN}',
    '{"a":"\u0001"}',
    '[[[[',
  ])('refuses %s, which is not a JSON object', async (text) => {
    const { sendText, untouched } = await setUp();
    expectProblem(await sendText(text), 'malformed_json');
    await untouched();
  });

  it('refuses bytes that are not UTF-8', async () => {
    const { url, headers, untouched } = await setUp();
    for (const bytes of ['\xff', '\xc3', '\xed\xa0\x80', '\xc0\xaf']) {
      const body = Buffer.from(`{"name":"${bytes}"}`, 'latin1');
      const head = requestText('POST', PROJECTS, { ...headers, 'Idempotency-Key': newId(), 'Content-Length': String(body.length) });
      expectProblem(answerOf(await sendRaw(url, Buffer.concat([Buffer.from(head), body]))), 'malformed_json');
    }
    await untouched();
  });

  it('treats a missing or empty body as an empty object', async () => {
    const { url, api, headers, untouched } = await setUp();
    const required = ['body name required', 'body periodStart required', 'body periodEnd required'];
    expectFieldErrors(await api.send('POST', PROJECTS, undefined), ...required);
    expectFieldErrors(
      answerOf(
        await sendRaw(
          url,
          `${requestText('POST', PROJECTS, { ...headers, 'Idempotency-Key': newId(), 'Transfer-Encoding': 'chunked' })}0\r\n\r\n`,
        ),
      ),
      ...required,
    );
    await untouched();
  });

  it('accepts up to 1 MiB, with or without a Content-Length', async () => {
    const { url, headers, sendText } = await setUp();
    const padded = (bytes: number, name: string) => JSON.stringify({ ...GOOD, name }).padEnd(bytes, ' ');
    const chunked = (text: string) => {
      const head = requestText('POST', PROJECTS, { ...headers, 'Idempotency-Key': newId(), 'Transfer-Encoding': 'chunked' });
      return `${head}${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;
    };
    expect((await sendText(padded(BODY_MAX_BYTES, 'stated'))).status).toBe(201);
    expect(answerOf(await sendRaw(url, chunked(padded(BODY_MAX_BYTES, 'chunked')))).status).toBe(201);
    expectProblem(await sendText(padded(BODY_MAX_BYTES + 1, 'too large')), 'body_too_large');
    expectProblem(answerOf(await sendRaw(url, chunked(padded(BODY_MAX_BYTES + 1, 'too large')))), 'body_too_large');
  });

  it('refuses a body of only brackets without parsing it as JSON', async () => {
    const { sendText, untouched } = await setUp();
    for (const bomb of ['['.repeat(100_000), `{"metadata":${'['.repeat(500_000)}${']'.repeat(500_000)}}`, '{"a":'.repeat(150_000)]) {
      expect(expectProblem(await sendText(bomb), 'malformed_json').detail).toBe('The body is nested deeper than 100 levels.');
    }
    await untouched();
  });

  it.each([
    ['another media type', { 'Content-Type': 'text/plain' }],
    ['a form', { 'Content-Type': 'application/x-www-form-urlencoded' }],
    ['an invalid media type', { 'Content-Type': 'json' }],
    ['no media type', { 'Content-Type': '' }],
    ['a media type with the same prefix', { 'Content-Type': 'application/jsonx' }],
    ['another charset', { 'Content-Type': 'application/json; charset=latin-1' }],
    ['a content encoding', { 'Content-Encoding': 'gzip' }],
  ])('refuses %s with 415', async (_what, wrong) => {
    const { url, headers, untouched } = await setUp();
    const sent = Object.fromEntries(
      Object.entries({ ...headers, 'Idempotency-Key': newId(), ...wrong }).filter(([, value]) => value !== ''),
    );
    expectProblem(answerOf(await sendRaw(url, requestText('POST', PROJECTS, sent, JSON.stringify(GOOD)))), 'unsupported_media_type');
    await untouched();
  });

  it('writes nothing if the connection ends within the body', async () => {
    const { url, headers, untouched } = await setUp();
    const requestId = newId();
    const text = requestText('POST', PROJECTS, { ...headers, 'Idempotency-Key': newId(), 'X-Request-Id': requestId }, JSON.stringify(GOOD));
    await hangUpAfter(url, text.slice(0, -20));
    await eventually(() => expect(requests().filter((line) => line.requestId === requestId)).toMatchObject([{ status: 400 }]));
    await untouched();
  });
});
