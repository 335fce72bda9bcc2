/**
 * Tells lines that an earlier statement has, too. Within a statement equal lines are real, since one may buy two coffees on a
 * day: the second of a statement is the same booking as the second of another one, and so on.
 */
export class DuplicateDetector {
  private readonly before = new Map<string, number>();
  private here = new Map<string, number>();
  private statementId: string | null = null;

  /** Statement by statement, in the order in which they count. */
  isDuplicate(statementId: string, fingerprint: string): boolean {
    if (statementId !== this.statementId) this.startStatement(statementId);
    const nth = (this.here.get(fingerprint) ?? 0) + 1;
    this.here.set(fingerprint, nth);
    return nth <= (this.before.get(fingerprint) ?? 0);
  }

  private startStatement(statementId: string): void {
    for (const [fingerprint, count] of this.here) {
      if (count > (this.before.get(fingerprint) ?? 0)) this.before.set(fingerprint, count);
    }
    this.here = new Map();
    this.statementId = statementId;
  }
}
