const WORTH_LOOKING_FOR = 3;
const TEXTS_MAX = 8;

/** What a part of a pattern finds is one of `exact`; or, where that is not told, it contains one of `required`. */
interface Part {
  readonly exact?: readonly string[] | undefined;
  readonly required?: readonly string[] | undefined;
}

const ANYTHING: Part = {};
const NOTHING_WIDE: Part = { exact: [''] };

/**
 * Texts, in upper case, one of which stands in everything a pattern finds; undefined when they are not easily told. To look for one
 * costs a twentieth of trying the pattern. What this reader does not know for sure, it does not guess: such patterns are always tried.
 */
export function requiredTexts(pattern: string): readonly string[] | undefined {
  const reader = new Reader(pattern);
  const whole = reader.alternatives();
  return reader.isAtEnd ? worthLookingFor(whole) : undefined;
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
    return exact ? { exact } : { required: union(parts.map(worthLookingFor)) };
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

  /** Undefined for what may mean more than it seems to: flags, named classes, longer escapes. */
  private part(): Part | undefined {
    const plain = this.take(/[\w !"#%&',/:;<=>@`~-]/y);
    if (plain !== undefined) return { exact: [plain.toUpperCase()] };
    if (this.take(/[\^$]|\\[bB]/y) !== undefined) return NOTHING_WIDE;
    if (this.take(/\.|\\[dDsSwW]|\[\^?\]?(?:[^\]\\[]|\\[^pPQ])*\]/y) !== undefined) return ANYTHING;
    const escaped = this.take(/\\[.$()[\]{}+*?|^\\-]/y);
    if (escaped !== undefined) return { exact: [escaped.slice(1)] };
    if (this.take(/\((?:\?:|(?!\?))/y) !== undefined) {
      const inner = this.alternatives();
      return this.take(/\)/y) === undefined ? undefined : inner;
    }
    return this.take(/[^\\()[\]{}*+?]/uy) === undefined ? undefined : ANYTHING;
  }

  /** Beyond the end nothing more is found, and it is not the end. */
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

/** Parts that follow each other: as long as all are exact their texts are put together. */
class Sequence {
  private run: readonly string[] = [''];
  private isExact = true;
  private best: readonly string[] | undefined;

  add({ exact, required }: Part): this {
    const longer =
      exact && exact.length * this.run.length <= TEXTS_MAX ? this.run.flatMap((text) => exact.map((next) => text + next)) : undefined;
    if (longer) {
      this.run = longer;
      return this;
    }
    this.isExact = false;
    this.offer(this.run);
    this.offer(required);
    this.run = exact ?? [''];
    return this;
  }

  whole(): Part {
    if (this.isExact) return { exact: this.run };
    this.offer(this.run);
    return { required: this.best };
  }

  /** Of several the one with the longest texts, since fewer lines have them. */
  private offer(texts: readonly string[] | undefined): void {
    if (texts && (!this.best || shortest(texts) > shortest(this.best))) this.best = texts;
  }
}

function worthLookingFor({ exact, required }: Part): readonly string[] | undefined {
  const texts = exact ?? required;
  return texts && shortest(texts) >= WORTH_LOOKING_FOR ? texts : undefined;
}

function shortest(texts: readonly string[]): number {
  return Math.min(...texts.map(({ length }) => length));
}

function union(sets: readonly (readonly string[] | undefined)[]): readonly string[] | undefined {
  const texts = sets.some((set) => set === undefined) ? undefined : [...new Set(sets.flatMap((set) => set!))];
  return texts && texts.length <= TEXTS_MAX ? texts : undefined;
}
