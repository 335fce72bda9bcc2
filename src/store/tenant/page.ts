/** Totals are exact up to here and `at_least` beyond, so a list stays fast however long it grows. */
export const COUNTED_AT_MOST = 10_000;
/** The same for a search: each record that is counted was looked for among many. */
export const FOUND_AT_MOST = 1000;

/** Which page a list asks for. */
export interface PageRequest {
  readonly page: number;
  readonly page_size: number;
  /** Only those that are older than the record with this id. */
  readonly before?: string | undefined;
  /** Only those that were changed at this time or later. */
  readonly changed_since?: string | undefined;
}

/** A page as a repository returns it. */
export interface PageOf<Row> {
  readonly rows: Row[];
  readonly total: number;
  readonly totalRelation: 'exact' | 'at_least';
  readonly hasMore: boolean;
}

/** How many rows have each value. */
export type Counted = ReadonlyMap<string, number>;
export const totalOf = (counts: Counted): number => [...counts.values()].reduce((sum, one) => sum + one, 0);
