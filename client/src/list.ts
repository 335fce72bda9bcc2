type Value = string | number | boolean | undefined;
export type Query = { readonly [name: string]: Value };

/** What the pages of all lists have in common. */
export interface PageOf<Item> {
  readonly data: Item[];
  readonly pagination?: { readonly page: number; readonly hasMore: boolean };
  readonly nextCursor?: object | null;
  readonly hasMore?: boolean;
}

const idOf = (item: unknown): string => (item as { readonly id: string }).id;

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** What asks for the page after this one; undefined after the last. */
function queryAfter({ data, pagination, nextCursor, hasMore }: PageOf<unknown>): Query | undefined {
  // By the last record, not by the number of the page: what is made or changed meanwhile moves others.
  if (pagination) return pagination.hasMore ? { page: 1, before: idOf(data.at(-1)) } : undefined;
  if (!hasMore || !nextCursor) return undefined;
  // The members of a cursor are named like the parameters that take them.
  return Object.fromEntries(Object.entries(nextCursor).map(([name, value]) => [snake(name), value as Value]));
}

/** A list that is read page by page as you go through it. Nothing is sent before you do. */
export class List<Item, Page extends PageOf<Item>> implements AsyncIterable<Item> {
  constructor(private readonly read: (cursor: Query) => Promise<Page>) {}

  /** The page that was asked for; by default the first. */
  page(): Promise<Page> {
    return this.read({});
  }

  /** That page and all after it. */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    for (let query: Query | undefined = {}; query;) {
      const page: Page = await this.read(query);
      query = queryAfter(page);
      yield page;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { data } of this.pages()) yield* data;
  }
}
