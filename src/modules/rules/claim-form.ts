import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { packageFolder, packageJson } from '../../kernel/package-folder.js';
import { isWrittenMoney, isWrittenPercent, MONEY_PATTERN, moneyOf, PERCENT_PATTERN } from '../../kernel/money.js';
import { isCalendarDate } from '../../kernel/time.js';
import { MAX_CODE_PATTERN_LENGTH, MAX_ENTRY_LENGTH, MAX_FORM_LINES, MAX_FORM_SECTIONS, MAX_LABEL_LENGTH } from './bounds.js';
import { converted, currencyCode, FLAG, list, named, object, oneOf, optional, Place, Reading, recordOf, text } from './shapes.js';
import { wholeNumberFrom } from './shapes.js';
import type { ReadBy, Shape } from './shapes.js';

/** Where what stands on a line is from. */
const FROM = ['entry', 'report', 'categories', 'sum', 'share'] as const;
/** What the claimant may enter, and how it is written. */
const ENTRIES = ['text', 'digits', 'date', 'percent', 'amount'] as const;
/** What the report itself knows. */
const FACTS = ['organization', 'project', 'client_reference', 'period_start', 'period_end', 'currency'] as const;

const NAME_PATTERN = '^[a-z][a-z0-9_]{0,49}$';
const NAME = converted({ type: 'string', pattern: NAME_PATTERN }, 'a name of 1 to 50 of a-z, 0-9 and _', (value) =>
  typeof value === 'string' && new RegExp(NAME_PATTERN).test(value) ? value : undefined,
);
/** A figure that holds for everybody, or the name of the line that has it. */
const figureOrName = (pattern: string, what: string): Shape<string | null> =>
  optional(
    converted(
      { type: 'string', anyOf: [{ pattern }, { pattern: NAME_PATTERN }] },
      `${what}, or the id of an earlier line that has it`,
      (value) =>
        typeof value === 'string' && (new RegExp(pattern).test(value) || new RegExp(NAME_PATTERN).test(value)) ? value : undefined,
    ),
  );
const UNIT = converted({ type: 'string', enum: ['0.01', '1'] }, '0.01 or 1', (value) =>
  (['0.01', '1'] as const).find((unit) => unit === value),
);

const LINE = object({
  closed: 'a line of a form',
  keys: {
    id: { about: 'Its name within the form.', shape: NAME },
    number: { about: 'What the form calls it, such as `A.1`.', shape: optional(text(MAX_LABEL_LENGTH)), otherwise: null },
    label: { about: 'Its words in the form.', shape: text(MAX_LABEL_LENGTH) },
    from: {
      about: '`entry`: the claimant states it. `report`: it knows. `categories`: their claims. `sum`, `share`: of earlier lines.',
      shape: oneOf(FROM),
    },
    is: { about: 'What an entry is.', shape: oneOf(ENTRIES), otherwise: 'text' as const },
    digits: { about: 'How many digits an entry of `digits` has.', shape: optional(wholeNumberFrom(1, 50)), otherwise: null },
    required: { about: 'Whether the report warns if the entry is missing.', shape: FLAG, otherwise: false },
    fact: { about: 'What the report knows.', shape: optional(oneOf(FACTS)), otherwise: null },
    of: { about: 'Earlier lines that are added.', shape: list(NAME, { max: MAX_FORM_LINES }), otherwise: [] },
    less: { about: 'Earlier lines that are taken off.', shape: list(NAME, { max: MAX_FORM_LINES }), otherwise: [] },
    percent: { about: 'The share: a flat rate.', shape: figureOrName(PERCENT_PATTERN, 'a percentage'), otherwise: null },
    atMost: { about: 'The cap of its amount.', shape: figureOrName(MONEY_PATTERN, 'an amount'), otherwise: null },
    evidence: { about: 'What has to be at hand for it.', shape: optional(text(MAX_ENTRY_LENGTH)), otherwise: null },
  },
  also: (line, at) => {
    if (line.from === 'report' && line.fact === null) return at.key('fact').wrong(undefined, 'required', 'must say what the report knows');
    const isComputed = line.from === 'sum' || line.from === 'share';
    if (isComputed && line.of.length === 0) return at.key('of').wrong(undefined, 'required', 'must name the lines that are added');
    if (line.from === 'share' && line.percent === null) return at.key('percent').wrong(undefined, 'required', 'must say which share');
    return line;
  },
});
type FormLine = ReadBy<typeof LINE>;

const SECTION = object({
  closed: 'a section of a form',
  keys: {
    title: { about: 'Its heading.', shape: text(MAX_LABEL_LENGTH) },
    lines: { about: 'Its lines, in the order of the form.', shape: list(LINE, { min: 1, max: MAX_FORM_LINES }) },
  },
});

const ROUNDING = object({
  closed: 'rounding',
  keys: {
    to: { about: 'The unit of amounts.', shape: UNIT },
    mode: {
      about: '`down` never claims more than there is; `half_up` is what is nearest.',
      shape: oneOf(['down', 'half_up', 'up'] as const),
    },
  },
});

const FORM = object({
  closed: 'a form',
  keys: {
    name: { about: 'What it is called.', shape: text(MAX_LABEL_LENGTH) },
    edition: { about: 'Which edition of the form this is.', shape: text(MAX_LABEL_LENGTH) },
    source: { about: 'Who publishes it, and where.', shape: text(MAX_ENTRY_LENGTH) },
    currency: { about: 'Currency of its amounts; `null`: that of the report.', shape: optional(currencyCode('EUR')), otherwise: null },
    rounding: { about: 'How each line is rounded; `null`: to the unit of the currency.', shape: optional(ROUNDING), otherwise: null },
    rates: { about: 'The rates that it asks for.', shape: optional(oneOf(['ecb_average'] as const)), otherwise: null },
    total: { about: 'The line that has what is claimed.', shape: NAME },
    sections: { about: 'Its sections.', shape: list(SECTION, { min: 1, max: MAX_FORM_SECTIONS }) },
  },
  also: (form, at) => (areSound(form, at) ? form : undefined),
});
export type ClaimForm = ReadBy<typeof FORM>;

export const linesOfForm = ({ sections }: Pick<ClaimForm, 'sections'>): FormLine[] => sections.flatMap(({ lines }) => lines);
export const hasAmount = ({ from, is }: Pick<FormLine, 'from' | 'is'>): boolean =>
  from !== 'report' && (from !== 'entry' || is === 'amount');

/** Every line has a name of its own, and names earlier lines only, so amounts can be computed in the order of the form. */
function areSound(form: { readonly total: string; readonly sections: readonly ReadBy<typeof SECTION>[] }, at: Place): boolean {
  const before = at.reading.findings.length;
  const known = new Map<string, FormLine>();
  const refer = (name: string, fits: (line: FormLine) => boolean, place: Place, what: string) => {
    const line = known.get(name);
    if (!line || !fits(line)) place.wrong(name, 'not_allowed', `must be the id of an earlier line with ${what}`);
  };
  form.sections.forEach(({ lines }, section) =>
    lines.forEach((line, index) => {
      const place = at.key('sections').item(section).key('lines').item(index);
      for (const key of ['of', 'less'] as const)
        line[key].forEach((name, nth) => refer(name, hasAmount, place.key(key).item(nth), 'an amount'));
      if (line.percent !== null && !isWrittenPercent(line.percent))
        refer(line.percent, ({ from, is }) => from === 'entry' && is === 'percent', place.key('percent'), 'a percentage');
      if (line.atMost !== null && !isWrittenMoney(line.atMost)) refer(line.atMost, hasAmount, place.key('atMost'), 'an amount');
      if (known.has(line.id)) place.key('id').wrong(line.id, 'repeated', 'must be the id of this line only');
      known.set(line.id, line);
    }),
  );
  if (known.size > MAX_FORM_LINES) at.key('sections').wrong(form, 'too_many', `must have at most ${MAX_FORM_LINES} lines in all`);
  refer(form.total, hasAmount, at.key('total'), 'an amount');
  return at.reading.findings.length === before;
}

const forms = new Map<string, ClaimForm>();
const names: string[] = [];

/** Adds a form under a name. One that is not sound does not let the program start. */
export function addClaimForm(name: string, written: unknown): void {
  const reading = new Reading();
  const form = FORM.read(written, new Place(reading));
  const [wrong] = reading.findings;
  if (!form || NAME.read(name, new Place(new Reading())) === undefined || forms.has(name))
    throw new Error(`The claim form ${name} cannot be added: ${wrong ? `${wrong.path} ${wrong.message}` : 'its name is not free'}.`);
  forms.set(name, form);
  names.push(name);
}

for (const file of readdirSync(join(packageFolder(), 'forms')).toSorted())
  addClaimForm(basename(file, '.json'), packageJson(`forms/${file}`));

const NAMED = named('OutputOptionsForm', FORM);
const DEFINITION: Shape<ClaimForm> = {
  schema: { oneOf: [{ type: 'string', enum: names }, NAMED.schema] },
  components: NAMED.components,
  read: (value, at) => {
    if (typeof value !== 'string') return FORM.read(value, at);
    return forms.get(value) ?? at.wrong(value, 'not_allowed', `must be one of ${names.join(', ')}, or a form of your own`);
  },
};

const CLAIM_FORM = object({
  closed: 'form',
  keys: {
    definition: { about: 'The name of a form, or a form of your own.', shape: DEFINITION },
    entries: {
      about: 'What the claimant states, by the ids of lines.',
      shape: recordOf(text(MAX_ENTRY_LENGTH), { key: NAME_PATTERN, max: MAX_FORM_LINES }),
      otherwise: {},
    },
    lines: {
      about: 'By the code of a category, the line on which its claim stands.',
      shape: recordOf(NAME, { key: `^.{1,${MAX_CODE_PATTERN_LENGTH}}$`, max: 1000 }),
      otherwise: {},
    },
  },
  also: (form, at) => (fitsDefinition(form, at) ? form : undefined),
});
/** A form, what the claimant states in it, and where the claims of categories stand. */
export type FormOptions = ReadBy<typeof CLAIM_FORM>;
export const FORM_OPTION: Shape<FormOptions | null> = optional(CLAIM_FORM);

const WRITTEN: Record<
  (typeof ENTRIES)[number],
  { readonly fits: (value: string, digits: number | null) => boolean; readonly must: string }
> = {
  text: { fits: () => true, must: 'be a text' },
  digits: { fits: (value, digits) => /^\d{1,50}$/.test(value) && (digits === null || value.length === digits), must: 'have digits only' },
  date: { fits: isCalendarDate, must: 'be an existing date, such as 2026-03-31' },
  percent: { fits: isWrittenPercent, must: 'be a percentage, such as 70' },
  amount: { fits: (value) => isWrittenMoney(value) && moneyOf(value) >= 0n, must: 'be an amount, such as 1250.00' },
};

type Texts = Readonly<Record<string, string>>;

function fitsDefinition(
  { definition, entries, lines }: { readonly definition: ClaimForm } & Readonly<Record<'entries' | 'lines', Texts>>,
  at: Place,
): boolean {
  const before = at.reading.findings.length;
  const all = new Map(linesOfForm(definition).map((line) => [line.id, line]));
  for (const [id, value] of Object.entries(entries)) {
    const place = at.key('entries').key(id);
    const line = all.get(id);
    if (line?.from === 'entry') {
      const { fits, must } = WRITTEN[line.is];
      if (!fits(value, line.digits))
        place.wrong(value, 'not_allowed', `must ${line.digits === null ? must : `have ${line.digits} digits`}`);
    } else place.wrong(value, 'unknown_property', 'must be left out: the form has no entry with this id');
  }
  for (const [code, id] of Object.entries(lines))
    if (all.get(id)?.from !== 'categories')
      at.key('lines').key(code).wrong(id, 'not_allowed', 'must be the id of a line of the form for claims');
  return at.reading.findings.length === before;
}

/** The form says in which currency it is, and with which rates; the options may not say another. */
export function checkForm(
  { form, currency, rates }: { readonly form: FormOptions | null; readonly currency: string | null; readonly rates: unknown },
  at: Place,
): boolean {
  const asked = form?.definition;
  if (asked?.currency && currency !== null && currency !== asked.currency)
    at.key('currency').wrong(currency, 'not_allowed', `must be ${asked.currency}, the currency of the form, or be left out`);
  else if (asked?.rates && typeof rates === 'string' && rates !== asked.rates)
    at.key('rates').wrong(rates, 'not_allowed', `must be ${asked.rates} for this form, or a table of your own`);
  else return true;
  return false;
}
