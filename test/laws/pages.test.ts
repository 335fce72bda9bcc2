import { afterAll, describe, expect, it } from 'vitest';
import { aTenant } from '../support/builders.js';
import { sendCall, createRecord, validCall, type RecordIds } from '../support/law-call.js';
import { queryParameters } from '../support/law-document.js';
import { listsOf, named, startDocumentedApp } from '../support/documented-app.js';

const app = await startDocumentedApp();
afterAll(() => app.close());

const RECORDS = 7;
interface PageFound {
  readonly data: { readonly id: string }[];
  readonly pagination: {
    readonly page: number;
    readonly pageSize: number;
    readonly total: number;
    readonly totalRelation: string;
    readonly hasMore: boolean;
  };
}

it('covers every operation with a page parameter', () => {
  const paged = app.operations.filter((operation) => queryParameters(app.document, operation).some(({ name }) => name === 'page'));
  expect(listsOf(app).map(({ id }) => id)).toEqual(paged.map(({ id }) => id));
  expect(paged.length).toBeGreaterThan(0);
});

describe.each(named(listsOf(app)))('%s', (_id, operation) => {
  /** Creates a list with records. `made` has their ids, newest first. */
  async function aList() {
    const { key } = await aTenant(app);
    // If the list has an id in its path, all records belong to the same parent.
    const parents: RecordIds = new Map();
    const { path } = await validCall(app, operation, key, parents);
    const made: string[] = [];
    for (let count = 0; count < RECORDS; count += 1) made.unshift((await createRecord(app, operation.path, key, new Map(parents))).id);
    const add = () => createRecord(app, operation.path, key, new Map(parents));
    const read = (query: string) => sendCall(app, { operation, path: `${path}?${query}` }, key);
    const page = async (query: string) => (await read(query)).body as PageFound;
    return { made, read, page, add };
  }

  it('returns pages without gaps or repeats, newest first, for every page size', async () => {
    const { made, page } = await aList();
    for (const size of [1, 3, RECORDS, 200]) {
      const pages: PageFound[] = [];
      do pages.push(await page(`page=${pages.length + 1}&page_size=${size}`));
      while (pages.at(-1)!.pagination.hasMore);
      expect(
        pages.flatMap(({ data }) => data.map(({ id }) => id)),
        `pages of ${size}`,
      ).toEqual(made);
      expect(pages).toHaveLength(Math.ceil(RECORDS / size));
      pages.forEach(({ pagination }, index) =>
        expect(pagination).toMatchObject({ page: index + 1, pageSize: size, total: RECORDS, totalRelation: 'exact' }),
      );
    }
  });

  it('begins after the record that `before` names, whatever was made meanwhile, and counts those that follow', async () => {
    const { made, page, add } = await aList();
    const found: string[] = [];
    for (let [query, hasMore] = ['page_size=3', true]; hasMore;) {
      const { data, pagination } = await page(query);
      expect(pagination).toMatchObject({ page: 1, total: RECORDS - found.length });
      found.push(...data.map(({ id }) => id));
      if (found.length === 3) await add();
      [query, hasMore] = [`page_size=3&before=${found.at(-1)}`, pagination.hasMore];
    }
    expect(found).toEqual(made);
    expect(await page(`before=${made.at(-1)}`)).toMatchObject({ data: [], pagination: { total: 0, hasMore: false } });
  });

  it('returns the first page of 50 by default', async () => {
    const { made, page } = await aList();
    const { data, pagination } = await page('');
    expect(data.map(({ id }) => id)).toEqual(made);
    expect(pagination).toEqual({ page: 1, pageSize: 50, total: RECORDS, totalRelation: 'exact', hasMore: false });
  });

  it('returns an empty page with the correct total past the end, however far', async () => {
    const { page } = await aList();
    for (const number of [4, 1000, Number.MAX_SAFE_INTEGER]) {
      for (const size of [3, 200]) {
        expect(await page(`page=${number}&page_size=${size}`)).toEqual({
          data: [],
          pagination: { page: number, pageSize: size, total: RECORDS, totalRelation: 'exact', hasMore: false },
        });
      }
    }
  });

  it('returns an empty page if there are no records', async () => {
    const { key } = await aTenant(app);
    const { path } = await validCall(app, operation, key);
    const answer = await sendCall(app, { operation, path }, key);
    expect(answer.body).toEqual({ data: [], pagination: { page: 1, pageSize: 50, total: 0, totalRelation: 'exact', hasMore: false } });
  });

  it.each(['page=0', 'page=9007199254740992', 'page=-1', 'page=', 'page_size=0', 'page_size=201', 'page_size=1.5', 'page_size='])(
    'returns 400 to %s',
    async (query) => {
      const { key } = await aTenant(app);
      const { path } = await validCall(app, operation, key);
      const answer = await sendCall(app, { operation, path: `${path}?${query}` }, key);
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'validation_failed', errors: [{ location: 'query', field: query.split('=')[0] }] },
      });
    },
  );
});
