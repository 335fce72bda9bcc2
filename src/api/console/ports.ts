import type { ComponentChild } from 'preact';
import { isUuid } from '../../kernel/ids.js';
import { Problem } from '../../kernel/problems.js';
import type { ReadContext } from '../../store/database/unit-of-work.js';
import type { PageOf, PageRequest } from '../../store/tenant/page.js';
import { type PageContext, pathOf, type Showing } from './page.js';
import type { Figure } from './parts/facts.js';
import { told } from './say.js';

/** What a module shows of a record of another one. */
export interface Panel {
  readonly body?: ComponentChild;
  /** For the band above all parts, the one that matters most first. */
  readonly figures?: readonly Figure[];
  /** What somebody does first, as long as this part is lacking. */
  readonly next?: NextStep;
}

export interface NextStep {
  /** Of what is lacking, the lowest comes first. */
  readonly step: number;
  readonly about: string;
  readonly label: string;
  readonly to: string;
}

/** A port: a part of the page of a record of another module, such as the reports of a project. */
export abstract class RecordPanel {
  /** The section of the record: `projects`. */
  abstract readonly of: string;
  /** Lower is higher up. */
  abstract readonly order: number;
  /** A long part has a tab of its own, by this name in the address. It is read only there; its brief is read for every tab. */
  readonly tab?: string;
  /** As of pages: a part that does not say it is left out for people from whom fields are hidden. */
  readonly shows?: Showing | undefined;
  /** null: there is nothing to show. */
  abstract show(ctx: PageContext, id: string): Promise<Panel | null>;
  readBrief?(ctx: PageContext, id: string): Promise<Brief>;
}

/** What all tabs of a record know of one. */
export interface Brief {
  readonly label: string;
  /** How many records it shows; undefined if they are too many to be counted for each page. */
  readonly count: number | undefined;
  /** The way to another one. */
  readonly add?: readonly [to: string, label: string];
  /** What somebody does first, as long as there are none. */
  readonly next: NextStep;
}

/** A port: a part of the first page of the console, such as the last runs. */
export abstract class OverviewPanel {
  /** Lower is higher up. */
  abstract readonly order: number;
  /** As of pages: a part that does not say it is left out for people from whom fields are hidden. */
  readonly shows?: Showing | undefined;
  /** null: there is nothing to show. */
  abstract show(ctx: PageContext): Promise<Pick<Panel, 'body' | 'figures'> | null>;
}

/** A port: something that somebody new should do. The first page says which of these are done. */
export abstract class FirstStep {
  abstract readonly order: number;
  abstract readonly title: string;
  abstract readonly about: string;
  /** Below the environment: `projects/new`. */
  abstract readonly path: string;
  /** Whether this person in this organization can do it at all; without this method everybody can. */
  isFor?(ctx: PageContext): boolean;
  abstract isDone(ctx: PageContext): Promise<boolean>;
}

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
  /** Without it, nothing is found for people from whom fields are hidden: by searching, their values could be found out. */
  readonly shows?: Showing | undefined;
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
  /** What it looks through, and shows. */
  readonly shows?: Showing | undefined;
}

/** The class that looks through the records of a section, by their search and their ids. */
export function RecordSearch<Row extends { readonly id: string }>({ path, operations, titleOf, aboutOf, ...named }: Declaration<Row>) {
  return class implements SearchSource {
    get label(): string {
      return told(named.label);
    }

    readonly order = named.order;
    readonly shows: Showing | undefined = named.shows;

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
