/**
 * Finds lines that an earlier statement already has. Equal lines within one statement are different bookings, such as two coffees
 * on the same day: the second one is a duplicate only if an earlier statement has two as well.
 */
export class DuplicateDetector {
  /** The most lines with a fingerprint that any earlier statement has. */
  private readonly earlier = new Counts();
  private current = new Map<string, number>();
  private statementId: string | null = null;

  /** To be called line by line, statement by statement, in the order of the run's inputs. */
  isDuplicate(statementId: string, fingerprint: string): boolean {
    if (statementId !== this.statementId) this.startStatement(statementId);
    const nth = (this.current.get(fingerprint) ?? 0) + 1;
    this.current.set(fingerprint, nth);
    return nth <= this.earlier.of(fingerprint);
  }

  private startStatement(statementId: string): void {
    for (const [fingerprint, count] of this.current) {
      if (count > this.earlier.of(fingerprint)) this.earlier.set(fingerprint, count);
    }
    this.current = new Map();
    this.statementId = statementId;
  }
}

/**
 * Counts of millions of fingerprints, in many maps. A single one would grow by more at once than a thread may take beyond its
 * memory limit, and Node ends the whole process then.
 */
class Counts {
  private readonly maps = new Map<string, Map<string, number>>();

  of(fingerprint: string): number {
    return this.maps.get(keyOf(fingerprint))?.get(fingerprint) ?? 0;
  }

  set(fingerprint: string, count: number): void {
    const key = keyOf(fingerprint);
    const map = this.maps.get(key);
    if (map) map.set(fingerprint, count);
    else this.maps.set(key, new Map([[fingerprint, count]]));
  }
}

/** Fingerprints are hex digits of a hash, so their first two make 256 maps of about the same size. */
const keyOf = (fingerprint: string): string => fingerprint.slice(0, 2);
