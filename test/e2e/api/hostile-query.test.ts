import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import type { Client } from '../../support/client.js';
import { answerOf, expectFieldErrors } from '../../support/problem.js';
import { requestText, sendRaw } from '../../support/raw.js';
import { GOOD, PROJECTS, useAppWithoutErrors } from '../../support/hostile-input.js';

const { setUp } = useAppWithoutErrors();

describe('a query', () => {
  let reader: Client;
  beforeAll(async () => {
    ({ api: reader } = await setUp());
  });

  const long = (count: number) => encodeURIComponent('👩'.repeat(count));
  it.each([
    ['page=0', 'page out_of_range'],
    ['page=-1', 'page wrong_type'],
    ['page=1.5', 'page wrong_type'],
    ['page=1e3', 'page wrong_type'],
    ['page=0x10', 'page wrong_type'],
    ['page=+1', 'page wrong_type'],
    ['page=9007199254740992', 'page wrong_type'],
    ['page=99999999999999999999999', 'page wrong_type'],
    ['page=NaN', 'page wrong_type'],
    ['page=', 'page wrong_type'],
    ['page', 'page wrong_type'],
    ['page=%D9%A1', 'page wrong_type'],
    ['page_size=0', 'page_size out_of_range'],
    ['page_size=201', 'page_size out_of_range'],
    ['page_size=', 'page_size wrong_type'],
    ['page=1&page=1', 'page repeated'],
    ['status=draft&status=draft', 'status repeated'],
    ['search=a&search=b', 'search repeated'],
    ['status=', 'status not_allowed'],
    ['status=DRAFT', 'status not_allowed'],
    ['status=draft,active', 'status not_allowed'],
    ['status[]=draft', 'status[] unknown_property'],
    ['search[a]=b', 'search[a] unknown_property'],
    ['search.a=b', 'search.a unknown_property'],
    ['status%5B%5D=draft', 'status[] unknown_property'],
    ['pageSize=1', 'pageSize unknown_property'],
    ['PAGE=1', 'PAGE unknown_property'],
    ['=1', ' unknown_property'],
    ['environment=live', 'environment unknown_property'],
    ['organizationId=x', 'organizationId unknown_property'],
    ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', '__defineSetter__', 'then'].flatMap(
      (name) =>
        [
          [`${name}=1`, `${name} unknown_property`],
          [name, `${name} unknown_property`],
        ] as [string, string][],
    ),
    ['__proto__[page]=1', '__proto__[page] unknown_property'],
    ['%00=1', '\\0 invalid_text'],
    ['search=%00', 'search invalid_text'],
    ['search=%', 'search invalid_encoding'],
    ['search=%ff', 'search invalid_encoding'],
    ['search=%ED%A0%80', 'search invalid_encoding'],
    ['page=1&search=%zz', 'search invalid_encoding'],
    [`search=${long(201)}`, 'search too_long'],
  ])('with %s is refused, and the error names the parameter', async (query, expected) => {
    expectFieldErrors(await reader.get(`${PROJECTS}?${query}`), `query ${expected}`);
  });

  it('may be unusual as long as it is valid', async () => {
    for (const query of [
      '',
      '&&',
      'search=',
      'search',
      `search=${long(200)}`,
      'search=%25',
      'search=+',
      'page=01&page_size=0200',
      'page=%31',
      '%70age=1',
    ])
      expect((await reader.get(`${PROJECTS}?${query}`)).status, query).toBe(200);
    expect((await reader.get(`${PROJECTS}?page=${Number.MAX_SAFE_INTEGER}&page_size=200`)).body).toMatchObject({
      data: [],
      pagination: { page: Number.MAX_SAFE_INTEGER, total: 1 },
    });
  });

  it('is refused by operations without query parameters, including writes', async () => {
    const { api, project, untouched } = await setUp();
    for (const [method, path] of [
      ['GET', '/v1'],
      ['GET', '/v1/organization'],
      ['GET', project],
      ['POST', PROJECTS],
      ['PATCH', project],
    ] as const) {
      expectFieldErrors(
        await api.send(method, `${path}?page=1`, method === 'GET' ? undefined : { ...GOOD, name: 'Other' }),
        'query page unknown_property',
      );
    }
    await untouched();
  });
});

describe('an id in a path', () => {
  const id = '0199e9a4-7c1e-7b6a-9f0e-3d1c5a7b9d21';
  it.each([
    '1',
    'null',
    id.slice(1),
    `${id}0`,
    id.replaceAll('-', ''),
    `{${id}}`,
    `urn:uuid:${id}`,
    `${id}%20`,
    `${id}%0A`,
    `${id}%00`,
    `%00`,
    `a%2Fb`,
    `..%2F..%2Fetc`,
    `%2e%2e`,
    `${id}'--`,
    `${id};x`,
    '%25',
    '%C3%A9',
    id.replace('0', 'g'),
    'a'.repeat(3000),
    'é'.repeat(10).split('').map(encodeURIComponent).join(''),
  ])('is refused as %s', async (wrong) => {
    const { url, headers, untouched } = await setUp();
    for (const [method, body] of [
      ['GET', ''],
      ['PATCH', '{}'],
    ] as const) {
      const text = requestText(method, `${PROJECTS}/${wrong}`, { ...headers, ...(body && { 'Idempotency-Key': newId() }) }, body);
      expectFieldErrors(answerOf(await sendRaw(url, text)), 'path project_id invalid_uuid');
    }
    await untouched();
  });

  it('may be in upper or lower case', async () => {
    const { api, project } = await setUp();
    expect((await api.get(`${PROJECTS}/${project.split('/').at(-1)!.toUpperCase()}`)).status).toBe(200);
  });
});
