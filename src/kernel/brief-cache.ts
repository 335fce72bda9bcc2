import { LRUCache } from 'lru-cache';
import { atMost } from './bounded.js';

const TTL_MS = 500;
const MAX_ENTRIES = 10_000;

interface Read<T> {
  readonly found: Promise<T>;
  value: T | undefined;
}

/** A change is in force on every replica within a second. Keeps promises, so a burst reads once; a failed read is not kept. */
export class BriefCache<T> {
  private readonly reads = new LRUCache<string, Read<T>>({ ...atMost(MAX_ENTRIES), ttl: TTL_MS, ttlResolution: 0 });

  get(key: string, read: () => Promise<T>): Promise<T> {
    const known = this.reads.get(key);
    if (known) return known.found;
    const made: Read<T> = { found: read(), value: undefined };
    this.reads.set(key, made);
    made.found.then(
      (value) => (made.value = value),
      () => {
        if (this.reads.peek(key) === made) this.reads.delete(key);
      },
    );
    return made.found;
  }

  forgetAll(): void {
    this.reads.clear();
  }

  /** What is remembered, for a caller that would rather not wait; undefined also while it is being read. */
  known(key: string): T | undefined {
    return this.reads.get(key)?.value;
  }
}
