import { isUuid } from '../../kernel/ids.js';
import { Problem } from '../../kernel/problems.js';
import type { ReadContext } from '../../store/database/unit-of-work.js';
import type { PageOf, PageRequest } from '../../store/tenant/page.js';
import { type PageContext, pathOf } from './page.js';
import { told } from './say.js';

/** Something that a search has found. */
export interface Found {
  readonly title: string;
  /** What tells it from others of its kind. */
  readonly about?: string | undefined;
  readonly path: string;
}

/** A port: what the search of the console looks through. */
export abstract class SearchSource {
  /** What all of it is called: "Projects". */
  abstract readonly label: string;
  abstract readonly order: number;
  /** The first few that have the text in them, or the one with this id. */
  abstract find(ctx: PageContext, text: string): Promise<readonly Found[]>;
}

const MOST = 5;

interface Records<Row> {
  list(ctx: ReadContext, query: PageRequest & { readonly search?: string }): Promise<PageOf<Row>>;
  get(ctx: ReadContext, id: string): Promise<Row>;
}

interface Declaration<Row> {
  readonly label: string;
  readonly order: number;
  /** That of their section. */
  readonly path: string;
  /** Their operations: `claim_projects`. */
  readonly operations: string;
  readonly titleOf: (row: Row) => string;
  readonly aboutOf?: (row: Row) => string | null;
}

/** The class that looks through the records of a section, by their search and their ids. */
export function RecordSearch<Row extends { readonly id: string }>({ path, operations, titleOf, aboutOf, ...named }: Declaration<Row>) {
  return class implements SearchSource {
    get label(): string {
      return told(named.label);
    }

    readonly order = named.order;

    constructor(readonly records: Records<Row>) {}

    async find(ctx: PageContext, text: string): Promise<readonly Found[]> {
      if (!ctx.can(`${operations}.list`)) return [];
      const rows = isUuid(text)
        ? await this.withId(ctx, text)
        : (await this.records.list(ctx, { page: 1, page_size: MOST, search: text })).rows;
      return rows.map((row) => ({ title: titleOf(row), about: aboutOf?.(row) ?? undefined, path: pathOf(ctx, path, row.id) }));
    }

    private async withId(ctx: PageContext, id: string): Promise<readonly Row[]> {
      try {
        return [await this.records.get(ctx, id)];
      } catch (error) {
        if (error instanceof Problem && error.code === 'not_found') return [];
        throw error;
      }
    }
  };
}
