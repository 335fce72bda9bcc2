import type { Answer } from '../support/client.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aTenant } from '../support/builders.js';
import { sendCall, callForMissing, withoutRequestId, validCall } from '../support/law-call.js';
import { bodySchema, exampleBody, queryParameters, resolveRef, type Body } from '../support/law-document.js';
import { invalidTexts, invalidValues, INVALID_UUIDS } from '../support/law-values.js';
import { byIdOf, keyedOf, named, startDocumentedApp } from '../support/documented-app.js';

const app = await startDocumentedApp();
const { document } = app;
afterAll(() => app.close());

// Refused calls change nothing, so one organization is enough for all of them.
let key: string;
beforeAll(async () => {
  key = (await aTenant(app)).key;
});

/** Expects a 400 with exactly these field errors, each as `location field` or `location field code`. */
function expectErrors(answer: Answer, expected: string[], what?: string): void {
  expect(answer, `${what}: ${answer.text}`).toMatchObject({ status: 400, body: { code: 'validation_failed', retry: 'never' } });
  const { errors } = answer.body as { errors: { location: string; field: string; code: string }[] };
  const withCode = expected.some((error) => error.split(' ').length > 2);
  // An error inside a list or an object names the place there, and there may be several. A filter by a field of an extension has a dot.
  const outer = (field: string): string => (field.startsWith('custom_fields.') ? field : field.replace(/(?<=\w)[.[].*$/, ''));
  const listed = errors
    .filter(({ field }, index) => field === outer(field) || errors.findIndex((other) => outer(other.field) === outer(field)) === index)
    .map(({ location, field, code }) => `${location} ${outer(field)}${withCode ? ` ${code}` : ''}`);
  expect(listed, what).toEqual(expected);
}

describe.each(named(app.operations))('%s', (_id, operation) => {
  it('returns 400 to an unknown query parameter, and names it', async () => {
    const call = callForMissing(app, operation);
    for (const name of ['no_such_parameter', 'pageSize', 'organization_id', 'constructor', '__proto__']) {
      expectErrors(await sendCall(app, { ...call, path: `${call.path}?${name}=1` }, key), [`query ${name} unknown_property`], name);
    }
  });

  it('returns 400 to a repeated query parameter, and names it', async () => {
    const call = callForMissing(app, operation);
    for (const name of [...queryParameters(document, operation).map((parameter) => parameter.name), 'no_such_parameter']) {
      expectErrors(await sendCall(app, { ...call, path: `${call.path}?${name}=1&${name}=1` }, key), [`query ${name} repeated`], name);
    }
  });

  it('returns 406 to a client that does not accept JSON', async () => {
    const answer = await sendCall(app, callForMissing(app, operation), key, { Accept: 'text/html' });
    expect(answer).toMatchObject({ status: 406, body: { code: 'not_acceptable' } });
  });
});

const withQuery = app.operations.filter((operation) => queryParameters(document, operation).length > 0);

describe.each(named(withQuery))('%s', (_id, operation) => {
  it.each(queryParameters(document, operation).map((parameter) => [parameter.name, parameter] as const))(
    'returns 400 to invalid values of %s, and names it',
    async (name, parameter) => {
      const call = callForMissing(app, operation);
      const texts = invalidTexts(parameter);
      expect(texts).not.toHaveLength(0);
      for (const text of texts) {
        expectErrors(
          await sendCall(app, { ...call, path: `${call.path}?${name}=${encodeURIComponent(text)}` }, key),
          [`query ${name}`],
          text,
        );
      }
    },
  );
});

describe.each(named(byIdOf(app)))('%s', (_id, operation) => {
  it('returns 400 to an id that is not a UUID, and names it', async () => {
    const call = callForMissing(app, operation);
    for (const text of INVALID_UUIDS) {
      const path = operation.path.replace(/\{\w+\}/g, encodeURIComponent(text));
      expectErrors(
        await sendCall(app, { ...call, path }, key),
        [
          ...operation.pathIds.map((name) => `path ${name} invalid_uuid`),
          ...(operation.fileParam === undefined ? [] : [`path ${operation.fileParam} not_allowed`]),
        ],
        text,
      );
    }
  });

  it('accepts an id in capitals', async () => {
    const call = await validCall(app, operation, key);
    const path = call.path.replace(/[0-9a-f-]{36}/g, (id) => id.toUpperCase());
    expect(path).not.toBe(call.path);
    const answer = await sendCall(app, { ...call, path }, key);
    expect(answer.status).toBe(operation.status);
  });

  it('returns the identical 404 to unknown ids, in lower and upper case', async () => {
    const call = callForMissing(app, operation);
    const lower = await sendCall(app, call, key);
    const upper = await sendCall(app, { ...call, path: call.path.replace(/[0-9a-f-]{36}/g, (id) => id.toUpperCase()) }, key);
    const nil = await sendCall(app, { ...call, path: call.path.replace(/[0-9a-f-]{36}/g, '00000000-0000-0000-0000-000000000000') }, key);
    expect(lower).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect([upper, nil].map(withoutRequestId)).toEqual([withoutRequestId(lower), withoutRequestId(lower)]);
  });
});

describe.each(named(keyedOf(app)))('%s', (_id, operation) => {
  const schema = bodySchema(document, operation);
  const properties = Object.entries(schema.properties ?? {});
  const send = (body: object | string, headers: Record<string, string> = {}) =>
    sendCall(app, { ...callForMissing(app, operation), body }, key, headers);
  const sendWith = (changes: Body) => send({ ...exampleBody(document, operation), ...changes });

  it('returns 400 to an unknown property, and names it', async () => {
    for (const name of ['no_such_property', 'id', 'createdAt', 'organizationId', 'organization_id', 'constructor', 'toString', '']) {
      expectErrors(await sendWith({ [name]: 'x' }), [`body ${name} unknown_property`], name);
    }
    const rest = JSON.stringify(exampleBody(document, operation)).slice(1);
    const polluting = `{"__proto__": {"polluted": true}${rest === '}' ? '' : ', '}${rest}`;
    expectErrors(await send(polluting), ['body __proto__ unknown_property']);
    expect({}).not.toHaveProperty('polluted');
  });

  it('returns 400 if required properties are missing, and names them all', async () => {
    const required = schema.required ?? [];
    if (required.length === 0) return void expect((await send({})).status).not.toBe(400);
    expectErrors(
      await send({}),
      properties
        .map(([name]) => name)
        .filter((name) => required.includes(name))
        .map((name) => `body ${name} required`),
    );
  });

  it('returns 400 to invalid values of a property, and names it', async () => {
    for (const [name, property] of properties) {
      for (const [what, value] of invalidValues(resolveRef(document, property), document))
        expectErrors(await sendWith({ [name]: value }), [`body ${name}`], `${name}: ${what}`);
    }
  });

  it('names all errors in path, query and body in one answer', async () => {
    const path = `${operation.path.replace(/\{\w+\}/g, 'x')}?no_such_parameter=1`;
    const answer = await sendCall(app, { operation, path, body: { ...exampleBody(document, operation), no_such_property: 1 } }, key);
    expectErrors(answer, [...operation.pathIds.map((name) => `path ${name}`), 'query no_such_parameter', 'body no_such_property']);
  });

  it('returns 400 to a body that is not a JSON object', async () => {
    for (const text of ['[]', 'null', '1', '"text"', '{', '{"a":1,}', "{'a':1}", '{} {}', 'undefined', '\ufeff{}', ' ']) {
      expect(await send(text), text).toMatchObject({ status: 400, body: { code: 'malformed_json' } });
    }
  });

  it('returns 415 to a body of another media type', async () => {
    for (const type of [
      'application/x-www-form-urlencoded',
      'application/json; charset=latin1',
      'image/png',
      ...(operation.takesFile ? [] : ['text/plain', 'application/xml', 'application/octet-stream', 'multipart/form-data; boundary=x']),
    ]) {
      expect(await send('{}', { 'Content-Type': type }), type).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
    }
  });

  it('returns 413 to a body of more than 1 MiB', async () => {
    expect(await send(`{"a":"${'x'.repeat(1024 * 1024)}"}`)).toMatchObject({ status: 413, body: { code: 'body_too_large' } });
  });
});
