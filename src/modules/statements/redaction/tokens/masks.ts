import type { Kind } from '../finding.js';
import { tokenOf, type TokenKind } from '../../../../kernel/tokens.js';

/** What replaces kinds of data that have no token. */
const MASKS: Readonly<Partial<Record<Kind, string>>> = {
  email: '[EMAIL]',
  us_routing: '[ROUTING]',
  national_id: '[NATIONAL-ID]',
  document: '[DOCUMENT]',
  birth_date: '[BIRTH-DATE]',
  card: '[CARD]',
  phone: '[PHONE]',
  postal_address: '[ADDRESS]',
};

/** The replacement for a finding. `token` makes the tokens of people and accounts. */
export const maskWith = (kind: Kind, value: string, token: (kind: TokenKind, value: string) => string): string =>
  MASKS[kind] ?? token(kind === 'person' ? 'person' : 'account', value);

export const maskOf = (key: Buffer, kind: Kind, value: string): string =>
  maskWith(kind, value, (tokenKind, same) => tokenOf(key, tokenKind, same));
