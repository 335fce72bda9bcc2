import type { StatementLine } from '../formats/statement-line.js';
import { ownAccountToken } from './tokens/own-account.js';
import { nameDetectors, textDetectors } from './detectors/all.js';
import type { Detector, Kind } from './finding.js';
import { fingerprintOf } from './tokens/fingerprint.js';
import { accountDetector, addressDetector, personDetector } from './detectors/known-values.js';
import { maskText } from './masking.js';
import { isOrganisation } from './names/organisations.js';
import { plainText } from './searchable-text.js';
import { type RedactedLine, residualDataFailure } from './redacted-line.js';
import { normalizedAccount, tokenOf, type TokenKind } from './tokens/tokens.js';

/** To be raised with whatever changes what a redacted line looks like. */
export const REDACTION_VERSION = '1.0.0';

const MAX_CACHED_TOKENS = 10_000;
const MASKS: Readonly<Partial<Record<Kind, string>>> = {
  email: '[EMAIL]',
  us_routing: '[ROUTING]',
  national_id: '[NATIONAL-ID]',
  card: '[CARD]',
  phone: '[PHONE]',
  postal_address: '[ADDRESS]',
};

/** Takes people and their numbers out of the lines of an organization's statements. Dates and amounts stay as they are. */
export class Redactor {
  private readonly found: Partial<Record<Kind, number>> = {};
  private readonly tokens = new Map<string, string>();

  /** The key is the organization's own, 32 bytes: under another one every token is another. */
  constructor(private readonly key: Buffer) {}

  /** How many places of each kind were masked so far. */
  get counts(): Readonly<Record<string, number>> {
    return { ...this.found };
  }

  /** The line without people; fails the statement with RESIDUAL_PII when something of them is found in what is left. */
  redact(line: StatementLine): RedactedLine {
    const { lineNumber, bookedOn, amount, currency } = line;
    const name = plainText(line.counterparty ?? '');
    const isPerson = name !== '' && !isOrganisation(name);
    const known = detectorsOfParties(line, isPerson ? name : undefined);
    const [inText, inName] = [textDetectors(known), nameDetectors(known)];
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

  private otherAccount(account: string | null): string | null {
    return account === null || normalizedAccount(account) === '' ? null : this.mask('account', account);
  }

  private mask(kind: Kind, value: string): string {
    this.count(kind);
    return MASKS[kind] ?? this.token(kind === 'person' ? 'person' : 'account', value);
  }

  /** The same few people and accounts are in most lines of a statement. */
  private token(kind: TokenKind, value: string): string {
    const place = `${kind} ${value}`;
    const token = this.tokens.get(place) ?? tokenOf(this.key, kind, value);
    if (this.tokens.size >= MAX_CACHED_TOKENS) this.tokens.clear();
    this.tokens.set(place, token);
    return token;
  }

  private count(kind: Kind): void {
    this.found[kind] = (this.found[kind] ?? 0) + 1;
  }
}

/** What the fields of a line tell of the people in it, to be found in its texts, too. */
function detectorsOfParties({ account, counterpartyAccount, counterpartyAddress }: StatementLine, person: string | undefined): Detector[] {
  return [
    ...[counterpartyAccount, account].filter((given) => given !== null).map(accountDetector),
    ...(counterpartyAddress === null ? [] : [addressDetector(counterpartyAddress)]),
    ...(person === undefined ? [] : [personDetector(person)]),
  ];
}
