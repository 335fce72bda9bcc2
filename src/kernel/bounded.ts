/** Bounds a cache of lru-cache to this many entries. With its own `max` it takes memory for all of them when it is made. */
export const atMost = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 });
