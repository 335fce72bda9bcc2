/** Numbers by chance that are the same for the same seed (mulberry32), so that what is missed can be looked at again. */
export class Chance {
  constructor(private seed: number) {}

  /** From 0 to below 1. */
  next(): number {
    this.seed = (this.seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.seed ^ (this.seed >>> 15), 1 | this.seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  /** A whole number, both ends included. */
  from(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  one<Item>(items: readonly Item[]): Item {
    return items[this.from(0, items.length - 1)]!;
  }

  is(probability: number): boolean {
    return this.next() < probability;
  }

  /** `#` is any digit, `*` a digit but zero, `@` a capital letter. */
  filled(form: string): string {
    return form.replace(/[#*@]/g, (sign) =>
      sign === '@' ? String.fromCharCode(65 + this.from(0, 25)) : String(this.from(sign === '*' ? 1 : 0, 9)),
    );
  }
}
