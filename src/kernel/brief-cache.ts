import { LRUCache } from 'lru-cache';

const TTL_MS = 500;
const MAX_ENTRIES = 10_000;

/**
 * Remembers what was read for half a second, so that a change is in force on every replica within one. It keeps promises:
 * a burst of callers that ask for one key reads once. A read that fails is not kept.
 */
export class BriefCache<T> {
  private readonly reads = new LRUCache<string, Promise<T>>({ max: MAX_ENTRIES, ttl: TTL_MS, ttlResolution: 0 });

  get(key: string, read: () => Promise<T>): Promise<T> {
    const known = this.reads.get(key);
    if (known) return known;
    const found = read();
    this.reads.set(key, found);
    found.catch(() => {
      if (this.reads.peek(key) === found) this.reads.delete(key);
    });
    return found;
  }
}
