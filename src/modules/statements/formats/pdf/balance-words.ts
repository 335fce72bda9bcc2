/** What a row with a balance says about the bookings around it. */
export type BalanceKind = 'opening' | 'closing' | 'carried';

const words = (...parts: readonly string[]): RegExp => new RegExp(`(?<![\\p{L}])(?:${parts.join('|')})(?![\\p{L}])`, 'iu');

const OPENING = words(
  '(opening|beginning|starting|start|previous|old) (account )?balance',
  'alte[rs]? (konto)?saldo|alter kontostand|anfangs(saldo|bestand)|er(ö|oe)ffnungssaldo|saldovortrag',
  "ancien solde|solde (initial|pr[ée]c[ée]dent|de d[ée]part|d'ouverture)",
  'saldo (anterior|inicial|iniziale|precedente)|(vorig|begin) ?saldo',
);
const CLOSING = words(
  '(closing|ending|end|new|final) (account )?balance',
  'neue[rs]? (konto)?saldo|neuer kontostand|(end|schlu(ss|ß)|abschluss)saldo|endbestand',
  'nouveau solde|solde (final|de cl[ôo]ture)',
  'saldo (final|finale)|nuovo saldo|(nieuw|eind) ?saldo',
);
const CARRIED = words(
  '(brought|carried) (forward|over)|balance forward',
  '(ü|ue)bertrag|zwischensaldo',
  'solde interm[ée]diaire|[àa] reporter|report (de page|pr[ée]c[ée]dent)',
  'suma y sigue|saldo (a riportare|riportato)',
);
/** A balance on a day: before the bookings it is the opening balance, after them the closing one. */
const ON_A_DAY = /^(kontostand|saldo|solde( cr[ée]diteur| d[ée]biteur)?|balance)(?![\p{L}])/iu;
const OVERDRAWN = words('d[ée]biteur', 'overdrawn', 'soll');

/** null if the text names no balance. `day` is a balance of which only the place says which one it is. */
export function balanceIn(text: string): BalanceKind | 'day' | null {
  if (CARRIED.test(text)) return 'carried';
  if (OPENING.test(text)) return 'opening';
  if (CLOSING.test(text)) return 'closing';
  return ON_A_DAY.test(text.trim()) ? 'day' : null;
}

export const isOverdrawn = (text: string): boolean => OVERDRAWN.test(text);

const OF_CARD = words(
  'kreditkarten?(abrechnung|konto|ums(ä|ae)tze)|kreditlimit|mindest(betrag|rate|zahlung)',
  'credit card (statement|account)|credit limit|minimum (payment|amount)( due)?',
  'carte de cr[ée]dit|tarjeta de cr[ée]dito|carta di credito',
);

/** Statements of cards may have purchases without a sign, and payments with a minus. */
export const isOfCard = (text: string): boolean => OF_CARD.test(text);
