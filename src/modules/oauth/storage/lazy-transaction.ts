import type { Unit } from '../../../store/database/transaction.js';
import type { UnitOfWork } from '../../../store/database/unit-of-work.js';

/** A transaction that begins when it is needed: who is refused before takes no connection from the others. */
export class LazyTransaction {
  /** Once it has begun. */
  unit: Unit | undefined;
  private beginning: Promise<Unit> | undefined;
  private ended: Promise<void> | undefined;
  private end: { commit: () => void; rollBack: (reason: unknown) => void } | undefined;

  constructor(private readonly unitOfWork: UnitOfWork) {}

  begin(): Promise<Unit> {
    return (this.beginning ??= new Promise((began, failed) => {
      const work = new Promise<void>((commit, rollBack) => {
        this.end = { commit, rollBack };
      });
      // Where the transaction cannot even begin, nobody waits for its work.
      work.catch(() => undefined);
      this.ended = this.unitOfWork.transact((unit) => {
        this.unit = unit;
        began(unit);
        return work;
      });
      this.ended.catch(failed);
    }));
  }

  async commit(): Promise<void> {
    this.end?.commit();
    await this.ended;
  }

  /** Throws the reason, or what the transaction makes of it. */
  async rollBack(reason: unknown): Promise<never> {
    this.end?.rollBack(reason);
    await this.ended;
    throw reason;
  }
}
