import { normalizedAccount, type TokenKind, tokenOf, digestWith } from './tokens/tokens.js';
import type { StatementLine } from '../bank-files/index.js';
import { nameDetectors, textDetectors } from './detectors/all.js';
import { accountDetector, addressDetector, personDetector } from './detectors/known-values.js';
import { partyDetector } from './detectors/people/announced-names.js';
import { type Detector, type Kind, plainText, usualSpelling } from './finding.js';
import { firstKindFound, maskText, maskWith, searchableOfMasked } from './masking.js';
import {
  type Circumstances,
  circumstancesOf,
  evidenceOn,
  looksLikePerson,
  mayBeName,
  type Verdict,
  verdictOn,
} from './names/counterparties.js';
import { looksMasked, ownAccountToken } from './tokens/account-key.js';

type Kept = 'lineNumber' | 'bookedOn' | 'amount' | 'currency' | 'description' | 'counterparty' | 'counterpartyAccount' | 'reference';

/** A line without personal data. */
export interface RedactedLine extends Pick<StatementLine, Kept> {
  /** Token of the statement's own account with its last four characters; null if the file does not name one. */
  readonly account: string | null;
  /** Equal for lines of the same booking, also across statements: 32 hex digits. */
  readonly fingerprint: string;
}

/** Why a line must not be kept. Code and message may be shown to everybody: they name the place, never what stands there. */
export class ResidualData extends Error {
  readonly code = 'RESIDUAL_PII';

  constructor(lineNumber: number, kind: string, field: string) {
    super(`Line ${lineNumber}: the ${field} still contains personal data (${kind}).`);
  }
}

/** Must change whenever redacted lines change. */
export const REDACTION_VERSION = '1.5.0';

export interface RedactionOptions {
  /** Whether a counterparty is replaced by a token unless an organisation is recognised in it; else only if a person is. */
  readonly redactCounterparties: boolean;
  /** What some counterparties are, by the tokens that they have or would have as people. */
  readonly decisions?: ReadonlyMap<string, Verdict>;
  /** Whether the names that are masked are kept. */
  readonly keepNames?: boolean;
}

export interface MaskedName {
  readonly token: string;
  readonly name: string;
  /** No rule says whether it is a person or a company. */
  readonly isDoubtful: boolean;
  readonly times: number;
}

const REDACT_COUNTERPARTIES: RedactionOptions = { redactCounterparties: true };
/** Most lines of a statement have the same few people and accounts. */
const MAX_CACHED = 10_000;
export const MAX_NAMES = 10_000;
const LONGEST_NAME = 200;
/** Some banks write an account or a phone number where the name of the other party would be. */
const ACCOUNT_AS_NAME = /^(?:[+(]?\d[\s./()-]{0,2}){6,34}$/;
const NOTHING_SAID = circumstancesOf('', false);

/** Masks personal data in the lines of statements. Dates and amounts are unchanged. */
export class Redactor {
  private readonly found: Partial<Record<Kind, number>> = {};
  private readonly tokens = new Map<string, string>();
  private readonly people = new Map<string, boolean>();
  private readonly masked = new Map<string, MaskedName>();
  private readonly personDetectors = new Map<string, Detector>();

  /** `key` has 32 bytes. All tokens depend on it: those of two keys have nothing in common. */
  constructor(
    private readonly key: Uint8Array,
    private readonly options: RedactionOptions = REDACT_COUNTERPARTIES,
  ) {}

  get counts(): Readonly<Record<string, number>> {
    return { ...this.found };
  }

  /** With `keepNames`: the first 10,000 names that were masked. */
  get names(): MaskedName[] {
    return [...this.masked.values()];
  }

  /** The line with personal data masked. Throws `ResidualData` if a detector still finds some. */
  redact(line: StatementLine): RedactedLine {
    const { lineNumber, bookedOn, amount, currency } = line;
    const name = plainText(line.counterparty ?? '');
    const isAccount = ACCOUNT_AS_NAME.test(name);
    const isPerson = name !== '' && !isAccount && this.isPerson(name, line);
    const owner = plainText(line.owner ?? '');
    const others = (line.unnamed ?? []).map(plainText).filter((text) => mayBeName(text) && text !== name && this.isPerson(text, line));
    const people = [isPerson ? name : '', owner !== '' && owner !== name && this.isPerson(owner) ? owner : '', ...others].filter(Boolean);
    const known = [
      ...detectorsOfParties(line),
      ...people.map((one) => this.remembered(this.personDetectors, one, () => personDetector(one))),
    ];
    const [inText, inName] = [textDetectors(known, isPerson ? '' : name).map((one) => this.undecided(one)), nameDetectors(known)];
    const hasNoParty = name === '' && this.options.redactCounterparties;
    const masked = (field: 'description' | 'counterparty' | 'reference', detectors: readonly Detector[]): string => {
      const { text, remaining: left } = maskText(plainText(line[field] ?? ''), detectors, (kind, value) => this.mask(kind, value));
      if (left) throw new ResidualData(lineNumber, left, field);
      return text;
    };
    if (line.counterpartyAddress?.trim()) this.count('postal_address');
    return {
      lineNumber,
      account: ownAccountToken(line.account, (own) => this.mask('account', own)),
      bookedOn,
      amount,
      currency,
      description: hasNoParty ? this.withoutParty(masked('description', inText), line) : masked('description', inText),
      counterparty: isAccount ? this.mask('account', name) : isPerson ? this.mask('person', name) : masked('counterparty', inName) || null,
      counterpartyAccount: this.otherAccount(line.counterpartyAccount),
      reference: masked('reference', inText) || null,
      fingerprint: fingerprintOf(line, this.key),
    };
  }

  /** The text of a line that has no field for the other party, without the name that is probably theirs. */
  private withoutParty(text: string, line: StatementLine): string {
    return maskText(text, [this.undecided(partyDetector(circumstancesOfLine(line)))], (kind, value) => this.mask(kind, value)).text;
  }

  /** The findings of a detector without the names of what the organization has decided to be companies. */
  private undecided(detector: Detector): Detector {
    const { decisions } = this.options;
    if (!decisions?.size) return detector;
    return (searchable) =>
      detector(searchable).filter(
        ({ kind, start, end, value = searchable.text.slice(start, end) }) =>
          kind !== 'person' || decisions.get(this.token('person', value)) !== 'company',
      );
  }

  private isPerson(name: string, line?: StatementLine): boolean {
    const circumstances = circumstancesOfLine(line);
    return this.remembered(this.people, `${Object.values(circumstances).join()} ${name}`, () => {
      const verdict = this.options.decisions?.get(this.token('person', name));
      const isFound = verdictOn(name, circumstances) === 'person' && (this.options.redactCounterparties || looksLikePerson(name));
      return verdict === undefined ? isFound : verdict === 'person';
    });
  }

  private otherAccount(account: string | null): string | null {
    return account === null || normalizedAccount(account) === '' ? null : this.mask('account', account);
  }

  private mask(kind: Kind, value: string): string {
    this.count(kind);
    const masked = maskWith(kind, value, (tokenKind, same) => this.token(tokenKind, same));
    if (kind === 'person' && this.options.keepNames) this.note(masked, value);
    return masked;
  }

  private note(token: string, value: string): void {
    const known = this.masked.get(token);
    if (known) return void this.masked.set(token, { ...known, times: known.times + 1 });
    const name = plainText(value);
    if (this.masked.size >= MAX_NAMES || name.length > LONGEST_NAME) return;
    const isDoubtful = !this.options.decisions?.has(token) && evidenceOn(name, NOTHING_SAID) === undefined;
    this.masked.set(token, { token, name, isDoubtful, times: 1 });
  }

  private token(kind: TokenKind, value: string): string {
    return this.remembered(this.tokens, `${kind} ${value}`, () => tokenOf(this.key, kind, value));
  }

  private remembered<T>(known: Map<string, T>, key: string, make: () => T): T {
    const found = known.get(key) ?? make();
    if (known.size >= MAX_CACHED) known.clear();
    known.set(key, found);
    return found;
  }

  private count(kind: Kind): void {
    this.found[kind] = (this.found[kind] ?? 0) + 1;
  }
}

function detectorsOfParties({ account, counterpartyAccount, counterpartyAddress }: StatementLine): Detector[] {
  return [
    ...[counterpartyAccount, account].filter((given) => given !== null).map(accountDetector),
    ...(counterpartyAddress === null ? [] : [addressDetector(counterpartyAddress)]),
  ];
}

const circumstancesOfLine = (line?: StatementLine): Circumstances =>
  circumstancesOf(line ? `${line.description} ${line.reference ?? ''}` : '', line?.amount.startsWith('-') ?? false, line?.isCardPayment);

const orNull = (text: string | null): string | null => (text === null ? null : plainText(text) || null);

/** Of a line that was imported as redacted only its own account is masked. Throws `ResidualData` for anything else that is found. */
export function checkRedactedLine(line: StatementLine, key: Uint8Array): RedactedLine {
  const { lineNumber, bookedOn, amount, currency } = line;
  const account = orNull(line.account);
  const isMasked = account !== null && looksMasked(account);
  const counterpartyAccount = orNull(line.counterpartyAccount);
  if (counterpartyAccount !== null && !looksMasked(counterpartyAccount))
    throw new ResidualData(lineNumber, 'account', 'counterpartyAccount');
  const texts = { description: plainText(line.description), counterparty: orNull(line.counterparty), reference: orNull(line.reference) };
  const owner = plainText(line.owner ?? '');
  const detectors = textDetectors([
    ...(account === null || isMasked ? [] : [accountDetector(account)]),
    ...[owner, ...(line.unnamed ?? []).map(plainText)].filter(looksLikePerson).map(personDetector),
  ]);
  for (const [field, text] of Object.entries({ ...texts, counterpartyAddress: orNull(line.counterpartyAddress) })) {
    const kind = firstKindFound(searchableOfMasked(text ?? ''), detectors);
    if (kind) throw new ResidualData(lineNumber, kind, field);
  }
  return {
    lineNumber,
    account: isMasked ? account : ownAccountToken(account, (own) => tokenOf(key, 'account', own)),
    bookedOn,
    amount,
    currency,
    ...texts,
    counterpartyAccount,
    fingerprint: fingerprintOf(line, key),
  };
}

const HEX_DIGITS = 32;

/** By the bank's id if there is one, else by all fields. Depends on the key: nobody can find the content of a line by trying. */
export function fingerprintOf(line: StatementLine, key: Uint8Array): string {
  const { account, bookedOn, amount, currency, bankReference } = line;
  const said = bankReference?.trim()
    ? [bankReference.trim()]
    : [
        normalizedText(line.description),
        normalizedText(line.counterparty),
        normalizedAccount(line.counterpartyAccount ?? ''),
        normalizedText(line.reference),
      ];
  const whole = JSON.stringify([normalizedAccount(account ?? ''), bookedOn, normalizedAmount(amount), currency, ...said]);
  return digestWith(key, `line\n${whole}`).toString('hex').slice(0, HEX_DIGITS);
}

const normalizedText = (text: string | null): string => usualSpelling(text ?? '').toUpperCase();

function normalizedAmount(amount: string): string {
  const [, minus, whole, fraction] = /^\s*([+-]?)0*(\d*?)(?:\.(\d*?)0*)?\s*$/.exec(amount) ?? ['', '', amount, ''];
  const digits = `${whole || '0'}${fraction ? `.${fraction}` : ''}`;
  return minus === '-' && digits !== '0' ? `-${digits}` : digits;
}
