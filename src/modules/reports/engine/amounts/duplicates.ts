/**
 * Finds lines that an earlier statement already has. Equal lines within one statement are different bookings, such as two coffees
 * on the same day: the second one is a duplicate only if an earlier statement has two as well.
 */
export class DuplicateDetector {
  /** The most lines with a fingerprint that any earlier statement has. */
  private readonly earlier = new Map<string, number>();
  private current = new Map<string, number>();
  private statementId: string | null = null;

  /** To be called line by line, statement by statement, in the order of the run's inputs. */
  isDuplicate(statementId: string, fingerprint: string): boolean {
    if (statementId !== this.statementId) this.startStatement(statementId);
    const nth = (this.current.get(fingerprint) ?? 0) + 1;
    this.current.set(fingerprint, nth);
    return nth <= (this.earlier.get(fingerprint) ?? 0);
  }

  private startStatement(statementId: string): void {
    for (const [fingerprint, count] of this.current) {
      if (count > (this.earlier.get(fingerprint) ?? 0)) this.earlier.set(fingerprint, count);
    }
    this.current = new Map();
    this.statementId = statementId;
  }
}
