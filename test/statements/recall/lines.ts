import { Chance } from './chance.js';
import type { Country } from './country.js';
import { account, card, iban, nationalId } from './numbers.js';

export type Kind = 'person' | 'address' | 'number' | 'firm';

/** A part of a line that has to be masked, or if it is a firm to stay. */
export interface Mark {
  readonly kind: Kind;
  readonly text: string;
}

export interface MadeLine {
  readonly amount: string;
  readonly counterparty: string | null;
  readonly description: string;
  readonly marks: readonly Mark[];
  /** What is in the line besides the marks. */
  readonly rest: string;
}

const KINDS: Readonly<Record<string, Kind>> = {
  ...{ person: 'person', surname: 'person', address: 'address', firm: 'firm', shop: 'firm' },
  ...{ phone: 'number', email: 'number', iban: 'number', account: 'number', card: 'number', id: 'number', birth: 'number' },
};
const listOf = (list: string): string[] => list.split(/, ?/).map((item) => item.trim());
const wordsOf = (list: string): string[] => list.split(/\s+/).map((word) => word.replaceAll('_', ' '));

/** Lines as the banks of a country write them; the same for the same seed. */
export function* linesOf(country: Country, seed: number, perForm: number): Generator<MadeLine> {
  const chance = new Chance(seed);
  for (const form of country.lines) {
    for (let count = 0; count < perForm; count += 1) yield lineOf(form, new Values(country, chance), chance);
  }
}

/** Many banks write in capitals, and not all of them have accents. Numbers and addresses of mail are the same then. */
function writing(chance: Chance): (text: string) => string {
  const isCapital = chance.is(0.4);
  const isPlain = chance.is(isCapital ? 0.4 : 0.1);
  return (text) => {
    const plain = isPlain
      ? text
          .replace(/[łŁøØæÆß’]/g, (letter) => PLAIN[letter]!)
          .normalize('NFD')
          .replace(/\p{M}/gu, '')
      : text;
    return isCapital ? plain.toUpperCase() : plain;
  };
}
const PLAIN: Readonly<Record<string, string>> = { ł: 'l', Ł: 'L', ø: 'o', Ø: 'O', æ: 'ae', Æ: 'AE', ß: 'ss', '’': "'" };

function lineOf(form: string, values: Values, chance: Chance): MadeLine {
  const written = writing(chance);
  const marks: Mark[] = [];
  let rest = '';
  const fill = (template: string): string =>
    template
      .split(/\{(\w+)\}/)
      .map((part, place) => {
        const text = written(place % 2 === 1 ? values.of(part) : part);
        const kind = place % 2 === 1 ? KINDS[part] : undefined;
        if (kind) marks.push({ kind, text });
        else rest += ` ${text}`;
        return text;
      })
      .join('');
  const shape = form.replace(/^\+/, '');
  const [party, description] = shape.includes(' | ') ? (shape.split(' | ') as [string, string]) : [null, shape];
  return {
    amount: `${form.startsWith('+') ? '' : '-'}${chance.from(1, 900)}.${chance.filled('##')}`,
    counterparty: party ? fill(party) : null,
    description: fill(description),
    marks,
    rest,
  };
}

class Values {
  private known?: { readonly given: readonly string[]; readonly family: readonly string[] };

  constructor(
    private readonly country: Country,
    private readonly chance: Chance,
  ) {}

  of(name: string): string {
    const make = (this as unknown as Record<string, (() => string) | undefined>)[name];
    return make!.call(this);
  }

  /** The same person if a line names somebody twice, in another writing. */
  person(): string {
    const { names, given } = this.country;
    this.known ??= { given: [1, 2].map(() => this.chance.one(wordsOf(given))), family: [1, 2].map(() => this.surname()) };
    const {
      given: [first, second],
      family: [last, other],
    } = this.known;
    return this.chance.one(names).replace(/\b[GFg]\b/g, (sign, offset: number, whole: string) => {
      const isFirst = whole.indexOf(sign) === offset;
      if (sign === 'F') return (isFirst ? last : other)!;
      const name = (isFirst ? first : second)!;
      return sign === 'G' ? name : name[0]!;
    });
  }

  /** Two of five are names that hardly anybody has, so that no list helps. */
  surname(): string {
    if (this.chance.is(0.6)) return this.chance.one(wordsOf(this.country.family));
    return this.chance.one(wordsOf(this.country.stems)) + this.chance.one(wordsOf(this.country.endings));
  }

  address(): string {
    return this.chance.one(this.country.addresses).replace(/\{(\w+)\}/g, (_whole, part: string) => this.of(part));
  }
  street(): string {
    return this.chance.one(listOf(this.country.streets));
  }
  house(): string {
    return String(this.chance.from(1, 199));
  }
  zip(): string {
    return this.chance.filled(this.chance.one(this.country.zips)).trim();
  }
  town(): string {
    return this.chance.one(listOf(this.country.towns));
  }

  phone(): string {
    return this.chance.filled(this.chance.one(this.country.phones));
  }
  email(): string {
    const name = `${this.chance.one(wordsOf(this.country.stems))}.${this.chance.filled('@@')}${this.chance.from(1, 99)}`;
    const site = this.chance.one(['post.example', 'mail.example.com', 'brev.example.org']);
    return `${name
      .normalize('NFD')
      .replace(/[^\w.]/g, '')
      .toLowerCase()}@${site}`;
  }
  iban(): string {
    return iban(this.chance, this.country.code);
  }
  account(): string {
    return account(this.chance, this.country.code);
  }
  card(): string {
    return card(this.chance);
  }
  id(): string {
    return nationalId(this.chance, this.country.code);
  }
  birth(): string {
    return this.dateOf(this.chance.from(1940, 2012));
  }
  date(): string {
    return this.dateOf(2026);
  }
  private dateOf(year: number): string {
    const [day, month] = [this.chance.from(1, 28), this.chance.from(1, 12)].map((part) => String(part).padStart(2, '0'));
    return this.chance.one(this.country.dates).replace('D', day!).replace('M', month!).replace('Y', String(year));
  }

  firm(): string {
    return this.chance.one(listOf(this.country.firms));
  }
  shop(): string {
    return this.chance.one(listOf(this.country.shops));
  }
  month(): string {
    return this.chance.one(wordsOf(this.country.months));
  }
  number(): string {
    return this.chance.filled(this.chance.one(['*####', '2026-###', '*#######']));
  }
  reference(): string {
    return this.chance.filled(this.chance.one(['@#@#@##@', 'RF##@@##', '*#########']));
  }
}
