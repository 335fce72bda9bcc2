/** A queue whose reader waits for the next value. It has one reader. */
export class Mailbox<T> {
  private readonly values: T[] = [];
  private reader: ((value: T) => void) | undefined;

  put(value: T): void {
    const { reader } = this;
    this.reader = undefined;
    if (reader) reader(value);
    else this.values.push(value);
  }

  take(): Promise<T> {
    if (this.values.length > 0) return Promise.resolve(this.values.shift()!);
    return new Promise((resolve) => (this.reader = resolve));
  }
}
