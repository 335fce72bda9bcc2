type Value = string | number | boolean | undefined;
export type Query = { readonly [name: string]: Value };

/** What the pages of all lists have in common. */
export interface PageOf<Item> {
  readonly data: Item[];
  readonly pagination?: { readonly page: number; readonly hasMore: boolean };
  readonly nextCursor?: object | null;
  readonly hasMore?: boolean;
}

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** What asks for the page after this one; undefined after the last. */
function queryAfter({ pagination, nextCursor, hasMore }: PageOf<unknown>): Query | undefined {
  if (pagination) return pagination.hasMore ? { page: pagination.page + 1 } : undefined;
  if (!hasMore || !nextCursor) return undefined;
  // The members of a cursor are named like the parameters that take them.
  return Object.fromEntries(Object.entries(nextCursor).map(([name, value]) => [snake(name), value as Value]));
}

const idOf = (item: unknown): unknown => (item as { id?: unknown }).id;

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
    let before = new Set<unknown>();
    for await (const { data } of this.pages()) {
      // A record that was created meanwhile moves others to the next page; they are not returned twice.
      for (const item of data) if (idOf(item) === undefined || !before.has(idOf(item))) yield item;
      before = new Set(data.map(idOf));
    }
  }
}
