interface Entry {
  readonly href: string;
  readonly title: string;
  readonly heading: string;
  readonly words: string;
}

/** The sections that have all words of the query, the best first. */
export function find<Found extends Entry>(entries: readonly Found[], query: string): Found[];
