import { normalizedAccount, type TokenKind, tokenOf } from '../../../kernel/tokens.js';
import type { StatementLine } from '../formats/statement-line.js';
import { nameDetectors, textDetectors } from './detectors/all.js';
import { accountDetector, addressDetector, personDetector } from './detectors/known-values.js';
import { type Detector, type Kind, plainText, SearchableText } from './finding.js';
import { firstKindFound, maskText, maskWith } from './masking.js';
import { circumstancesOf, type Verdict, verdictOn } from './names/counterparties.js';
import { looksLikePerson, mayBeName } from './names/people.js';
import { type RedactedLine, residualDataFailure } from './redacted-line.js';
import { looksMasked, ownAccountToken } from './tokens/account-key.js';
import { fingerprintOf } from './tokens/fingerprint.js';

/** Must change whenever redacted lines change. */
export const REDACTION_VERSION = '1.3.0';

/** What an organization has decided. */
export interface RedactionOptions {
  /** Whether a counterparty is replaced by a token unless an organisation is recognised in it; else only if a person is. */
  readonly redactCounterparties: boolean;
  /** What some counterparties are, by the tokens that they have or would have as people. */
  readonly decisions?: ReadonlyMap<string, Verdict>;
}

const REDACT_COUNTERPARTIES: RedactionOptions = { redactCounterparties: true };
/** Most lines of a statement have the same few people and accounts. */
const MAX_CACHED = 10_000;

/** Masks personal data in the lines of a tenant's statements. Dates and amounts are unchanged. */
export class Redactor {
  private readonly found: Partial<Record<Kind, number>> = {};
  private readonly tokens = new Map<string, string>();
  private readonly people = new Map<string, boolean>();
  private readonly personDetectors = new Map<string, Detector>();

  /** `key` is the tenant's redaction key, 32 bytes. All tokens depend on it. */
  constructor(
    private readonly key: Uint8Array,
    private readonly options: RedactionOptions = REDACT_COUNTERPARTIES,
  ) {}

  /** How many occurrences of each kind were masked so far. */
  get counts(): Readonly<Record<string, number>> {
    return { ...this.found };
  }

  /** The line with personal data masked. Throws `RESIDUAL_PII` if a detector still finds some. */
  redact(line: StatementLine): RedactedLine {
    const { lineNumber, bookedOn, amount, currency } = line;
    const name = plainText(line.counterparty ?? '');
    const isPerson = name !== '' && this.isPerson(name, line);
    const owner = plainText(line.owner ?? '');
    const others = (line.unnamed ?? []).map(plainText).filter((text) => mayBeName(text) && text !== name && this.isPerson(text, line));
    const people = [isPerson ? name : '', owner !== '' && owner !== name && this.isPerson(owner) ? owner : '', ...others].filter(Boolean);
    const known = [...detectorsOfParties(line), ...people.map((one) => this.detectorOf(one))];
    const [inText, inName] = [textDetectors(known, isPerson ? '' : name), nameDetectors(known)];
    const masked = (field: 'description' | 'counterparty' | 'reference', detectors: readonly Detector[]): string => {
      const { text, remaining: left } = maskText(plainText(line[field] ?? ''), detectors, (kind, value) => this.mask(kind, value));
      if (left) throw residualDataFailure(lineNumber, left, field);
      return text;
    };
    if (line.counterpartyAddress?.trim()) this.count('postal_address');
    return {
      lineNumber,
      account: ownAccountToken(line.account, (own) => this.mask('account', own)),
      bookedOn,
      amount,
      currency,
      description: masked('description', inText),
      counterparty: isPerson ? this.mask('person', name) : masked('counterparty', inName) || null,
      counterpartyAccount: this.otherAccount(line.counterpartyAccount),
      reference: masked('reference', inText) || null,
      fingerprint: fingerprintOf(line, this.key),
    };
  }

  /** By what the organization has decided, else by what the name and the line tell. */
  private isPerson(name: string, line?: StatementLine): boolean {
    const circumstances = circumstancesOf(
      line ? `${line.description} ${line.reference ?? ''}` : '',
      line?.amount.startsWith('-') ?? false,
      line?.isCardPayment,
    );
    const cacheKey = `${Object.values(circumstances).join()} ${name}`;
    const known = this.people.get(cacheKey);
    if (known !== undefined) return known;
    const verdict = this.options.decisions?.get(this.token('person', name));
    const found = verdictOn(name, circumstances);
    const isFound = this.options.redactCounterparties ? found === 'person' : found === 'person' && looksLikePerson(name);
    const isPerson = verdict === undefined ? isFound : verdict === 'person';
    if (this.people.size >= MAX_CACHED) this.people.clear();
    this.people.set(cacheKey, isPerson);
    return isPerson;
  }

  private detectorOf(person: string): Detector {
    const detector = this.personDetectors.get(person) ?? personDetector(person);
    if (this.personDetectors.size >= MAX_CACHED) this.personDetectors.clear();
    this.personDetectors.set(person, detector);
    return detector;
  }

  private otherAccount(account: string | null): string | null {
    return account === null || normalizedAccount(account) === '' ? null : this.mask('account', account);
  }

  private mask(kind: Kind, value: string): string {
    this.count(kind);
    return maskWith(kind, value, (tokenKind, same) => this.token(tokenKind, same));
  }

  private token(kind: TokenKind, value: string): string {
    const cacheKey = `${kind} ${value}`;
    const token = this.tokens.get(cacheKey) ?? tokenOf(this.key, kind, value);
    if (this.tokens.size >= MAX_CACHED) this.tokens.clear();
    this.tokens.set(cacheKey, token);
    return token;
  }

  private count(kind: Kind): void {
    this.found[kind] = (this.found[kind] ?? 0) + 1;
  }
}

/** Detectors for the accounts and addresses in the fields of a line, to find them in its texts as well. */
function detectorsOfParties({ account, counterpartyAccount, counterpartyAddress }: StatementLine): Detector[] {
  return [
    ...[counterpartyAccount, account].filter((given) => given !== null).map(accountDetector),
    ...(counterpartyAddress === null ? [] : [addressDetector(counterpartyAddress)]),
  ];
}

const orNull = (text: string | null): string | null => (text === null ? null : plainText(text) || null);

/**
 * Accepts a line of a statement that was imported as redacted. Only its own account is masked, which every file contains.
 * Anything else that a detector finds fails the statement.
 */
export function checkRedactedLine(line: StatementLine, key: Uint8Array): RedactedLine {
  const { lineNumber, bookedOn, amount, currency } = line;
  const account = orNull(line.account);
  const isMasked = account !== null && looksMasked(account);
  const counterpartyAccount = orNull(line.counterpartyAccount);
  if (counterpartyAccount !== null && !looksMasked(counterpartyAccount))
    throw residualDataFailure(lineNumber, 'account', 'counterpartyAccount');
  const texts = { description: plainText(line.description), counterparty: orNull(line.counterparty), reference: orNull(line.reference) };
  const owner = plainText(line.owner ?? '');
  const detectors = textDetectors([
    ...(account === null || isMasked ? [] : [accountDetector(account)]),
    ...[owner, ...(line.unnamed ?? []).map(plainText)].filter(looksLikePerson).map(personDetector),
  ]);
  for (const [field, text] of Object.entries({ ...texts, counterpartyAddress: orNull(line.counterpartyAddress) })) {
    const kind = firstKindFound(new SearchableText(text ?? ''), detectors);
    if (kind) throw residualDataFailure(lineNumber, kind, field);
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
