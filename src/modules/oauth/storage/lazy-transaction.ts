import type { Unit, UnitOfWork } from '../../../store/database/unit-of-work.js';

/** A transaction that begins when it is first needed, so that a request that is refused earlier takes no connection. */
export class LazyTransaction {
  /** Undefined until the transaction has begun. */
  unit: Unit | undefined;
  private beginning: Promise<Unit> | undefined;
  private ended: Promise<void> | undefined;
  private end: { commit: () => void; rollBack: (reason: unknown) => void } | undefined;

  constructor(private readonly unitOfWork: UnitOfWork) {}

  begin(): Promise<Unit> {
    return (this.beginning ??= new Promise((began, failed) => {
      const whenEnded = new Promise<void>((commit, rollBack) => {
        this.end = { commit, rollBack };
      });
      // If the transaction cannot begin, nothing else handles this rejection.
      whenEnded.catch(() => undefined);
      this.ended = this.unitOfWork.transact((unit) => {
        this.unit = unit;
        began(unit);
        return whenEnded;
      });
      this.ended.catch(failed);
    }));
  }

  async commit(): Promise<void> {
    this.end?.commit();
    await this.ended;
  }

  /** Throws the reason, or the error that the transaction turns it into. */
  async rollBack(reason: unknown): Promise<never> {
    this.end?.rollBack(reason);
    await this.ended;
    throw reason;
  }
}
