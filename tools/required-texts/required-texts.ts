/** Shorter texts are in too many lines to save time. */
const MIN_TEXT_LENGTH = 3;
const MAX_TEXTS = 8;

/** What a part of a pattern matches is one of `exact`; if that is unknown, it contains one of `required`. */
interface Part {
  readonly exact?: readonly string[] | undefined;
  readonly required?: readonly string[] | undefined;
}

const ANYTHING: Part = {};
const ZERO_WIDTH: Part = { exact: [''] };

/**
 * Upper-case texts of which at least one is in everything that a pattern matches; undefined if there are none, or if the pattern
 * uses syntax that this reader does not know. Finding a text takes a twentieth of the time of trying the pattern.
 */
export function requiredTexts(pattern: string): readonly string[] | undefined {
  const reader = new Reader(pattern);
  const whole = reader.alternatives();
  return reader.isAtEnd ? longEnough(whole) : undefined;
}

class Reader {
  private at = 0;

  constructor(private readonly pattern: string) {}

  get isAtEnd(): boolean {
    return this.at === this.pattern.length;
  }

  alternatives(): Part {
    const parts = [this.sequence()];
    while (this.take(/\|/y)) parts.push(this.sequence());
    if (parts.length === 1) return parts[0]!;
    const exact = union(parts.map((part) => part.exact));
    return exact ? { exact } : { required: union(parts.map(longEnough)) };
  }

  private sequence(): Part {
    const sequence = new Sequence();
    while (!this.isAtEnd && !/[|)]/.test(this.pattern[this.at]!)) {
      const part = this.part();
      if (part === undefined) return this.giveUp();
      const times = this.take(/([?*+]|\{\d+(?:,\d*)?\})\??/y);
      if (times === undefined) sequence.add(part);
      else if (/^(?:[?*]|\{0)/.test(times)) sequence.add(ANYTHING);
      else sequence.add(part).add(ANYTHING);
    }
    return sequence.whole();
  }

  /** Undefined for syntax that this reader does not know: flags, named classes, longer escapes. */
  private part(): Part | undefined {
    const plain = this.take(/[\w !"#%&',/:;<=>@`~-]/y);
    if (plain !== undefined) return { exact: [plain.toUpperCase()] };
    if (this.take(/[\^$]|\\[bB]/y) !== undefined) return ZERO_WIDTH;
    if (this.take(/\.|\\[dDsSwW]|\[\^?\]?(?:[^\]\\[]|\\[^pPQ])*\]/y) !== undefined) return ANYTHING;
    const escaped = this.take(/\\[.$()[\]{}+*?|^\\-]/y);
    if (escaped !== undefined) return { exact: [escaped.slice(1)] };
    if (this.take(/\((?:\?:|(?!\?))/y) !== undefined) {
      const inner = this.alternatives();
      return this.take(/\)/y) === undefined ? undefined : inner;
    }
    return this.take(/[^\\()[\]{}*+?]/uy) === undefined ? undefined : ANYTHING;
  }

  /** Moves beyond the end, so that nothing more is read and `isAtEnd` is false. */
  private giveUp(): Part {
    this.at = this.pattern.length + 1;
    return ANYTHING;
  }

  private take(token: RegExp): string | undefined {
    token.lastIndex = this.at;
    const [found] = token.exec(this.pattern) ?? [];
    if (found !== undefined) this.at += found.length;
    return found;
  }
}

/** Consecutive parts. As long as all of them are exact, their texts are concatenated. */
class Sequence {
  /** The texts of the exact parts since the last inexact one. */
  private joined: readonly string[] = [''];
  private isExact = true;
  private best: readonly string[] | undefined;

  add({ exact, required }: Part): this {
    const longer =
      exact && exact.length * this.joined.length <= MAX_TEXTS ? this.joined.flatMap((text) => exact.map((next) => text + next)) : undefined;
    if (longer) {
      this.joined = longer;
      return this;
    }
    this.isExact = false;
    this.offer(this.joined);
    this.offer(required);
    this.joined = exact ?? [''];
    return this;
  }

  whole(): Part {
    if (this.isExact) return { exact: this.joined };
    this.offer(this.joined);
    return { required: this.best };
  }

  /** Keeps the candidate with the longest texts: fewer lines contain them. */
  private offer(texts: readonly string[] | undefined): void {
    if (texts && (!this.best || shortest(texts) > shortest(this.best))) this.best = texts;
  }
}

function longEnough({ exact, required }: Part): readonly string[] | undefined {
  const texts = exact ?? required;
  return texts && shortest(texts) >= MIN_TEXT_LENGTH ? texts : undefined;
}

function shortest(texts: readonly string[]): number {
  return Math.min(...texts.map(({ length }) => length));
}

function union(sets: readonly (readonly string[] | undefined)[]): readonly string[] | undefined {
  const texts = sets.some((set) => set === undefined) ? undefined : [...new Set(sets.flatMap((set) => set!))];
  return texts && texts.length <= MAX_TEXTS ? texts : undefined;
}
