import type { StatusWords } from './layouts/written-layout.js';

/** Words of banks for what is not booked yet, or never will be. They come first: `nicht gebucht`. */
const SAYS_NOT_BOOKED = wordsOf(
  'pending authori[sz]ed scheduled reverted reversed declined denied failed cancell?ed rejected refunded unbooked void ' +
    'autorizz?at[oa] autorizad[oa] autoris[ée]e? ' +
    'not on.?hold vorgemerkt vormerkung ausstehend offen abgelehnt storniert nicht gereserveerd geweigerd niet attente ' +
    'cours annul[ée]e?s? refus[ée]e?s? pendiente retenido rechazad[oa] cancelad[oa] attesa non rifiutat[oa] annullat[oa] ' +
    'reserv[ae]t reserveret reservert ventende avvist oczekuj[aą]c[aey] odrzucon[aey] anulowan[aey] ' +
    'не обработке ожида\\p{L}* отклон[её]н\\p{L}* отмен[её]н\\p{L}* заблокирован\\p{L}* холд обробці очіку\\p{L}* відхилен\\p{L}* ' +
    'скасован\\p{L}* заблокован\\p{L}* чакащ\\p{L}* отказан\\p{L}* обработка блокиран\\p{L}* анулиран\\p{L}* чекању обради ' +
    'одбијен\\p{L}* сторниран\\p{L}* резервисан\\p{L}* ממתי\\p{L}* בהמתנה נדח\\p{L}* בוטל\\p{L}* בתהליך לא טרם ' +
    'εκκρεμ\\p{L}* απορρίφθηκε απορρίφθη ακυρώθηκε ακυρωμέν\\p{L}* δεσμευμέν\\p{L}* δεν',
);
/** Words for what is booked. Any other word in a column for the status is one that nobody has told us to count. */
const BOOKED = wordsOf(
  'booked completed? posted settled cleared executed processed accepted paid available success succeeded successful done ' +
    'ok final reconciled gebucht verbucht abgeschlossen ausgeführt ausgefuehrt erledigt verarbeitet abgerechnet bezahlt ' +
    'akzeptiert geboekt verwerkt uitgevoerd voltooid geaccepteerd comptabilis[ée]e?s? exécut[ée]e?s? execute termin[ée]e?s? ' +
    'effectu[ée]e?s? accept[ée]e?s? valid[ée]e?s? réglée?s? pass[ée]e?s? contabilizad[oa]s? ejecutad[oa]s? completad[oa]s? ' +
    'finalizad[oa]s? realizad[oa]s? liquidad[oa]s? contabilizzat[oaie] eseguit[oaie] completat[oaie] conclus[oaie] ' +
    'effettuat[oaie] bokför[dt] bokfört genomför[dt] bogført udført gennemført bokført utført kirjattu suoritettu ' +
    'zaksięgowan[aeoy] zrealizowan[aeoy] wykonan[aeoy] rozliczon[aeoy] zaúčtov[aá]n[aoéýá]? proveden[aoéýá]? könyvelt ' +
    'teljesült efetuad[oa]s? efectuad[oa]s? concluíd[oa]s? lançad[oa]s? processad[oa]s? įvykdyta izpildīts teostatud ' +
    'успешно успешная успішно בוצע\\p{L}* סופי נזקף נקלט εκτελέστηκε εκτελεσμέν\\p{L}* ολοκληρώθηκε ολοκληρωμέν\\p{L}* ' +
    'καταχωρήθηκε λογιστικοποιήθηκε ' +
    cyrillic('исполнен провед[её]н выполнен обработан заверш[её]н зачислен виконан завершен оброблен зарахован осчетоводен') +
    cyrillic('изпълнен приключен завършен извршен прокњижен реализован књижен').trimEnd(),
);

/** Not the nouns: `в исполнении` is what is being done. */
function cyrillic(participles: string): string {
  return participles.replace(/\S+/g, '$&(?:[оаыиі]|ный|ная|ное|ные|ий)?') + ' ';
}

function wordsOf(words: string): RegExp {
  return new RegExp(`(?<!\\p{L})(?:${words.split(' ').join('|')})(?!\\p{L})`, 'iu');
}

/** Names of columns that say of each row whether it is pending, or whether it is booked. */
const PENDING_COLUMN = /^(?:is )?(?:pending|vorgemerkt|en attente|pendiente|in attesa|in behandeling|väntande|afventer|oczekujące)\??$/iu;
const BOOKED_COLUMN = new RegExp(
  '^(?:is )?(?:booked|cleared|posted|settled|gebucht|verbucht|geboekt|comptabilisée?|contabilizad[oa]|' +
    'contabilizzat[oa]|bokförd|bogført)\\??$',
  'iu',
);
const YES = /^(?:yes|y|true|1|x|ja|j|oui|o|s[ií]|sim|tak|ano)$/iu;
const NO = /^(?:no|n|false|0|nein|nee|non|nej|nie|ne|não)$/iu;

/** Whether a column for nothing else says that a row does not count. */
export function isLeftOutByFlag(name: string, cell: string): boolean {
  return (PENDING_COLUMN.test(name) && YES.test(cell)) || (BOOKED_COLUMN.test(name) && NO.test(cell));
}

/** A row that says of those below it whether they are booked, and nothing else: a text that is continued may have the same words. */
const SECTION = new RegExp(
  '^(?:(?<pending>pending|unbooked|not (?:yet )?booked|vorgemerkte?|ausstehende?|(?:noch )?nicht gebuchte?|en attente|pendientes?|' +
    'in attesa|in behandeling|gereserveerde?)|posted|booked|completed|cleared|settled|gebuchte?|geboekte?|comptabilisées?|' +
    'contabilizad[oa]s?|contabilizzat[ei])' +
    '(?: (?:transactions?|payments?|items?|entries|umsätze|buchungen|zahlungen|posten|transacties|boekingen|' +
    'movimientos|movimenti))?\\s*:?$',
  'iu',
);

/** null for any other row. */
export function sectionOf({ cells }: { readonly cells: readonly string[] }): 'not booked' | 'booked' | null {
  const [text, ...others] = cells.filter(Boolean);
  const found = text !== undefined && others.length === 0 && SECTION.exec(text);
  if (!found) return null;
  return found.groups?.pending === undefined ? 'booked' : 'not booked';
}

/** A description that begins with such a word, set off from the text: `PENDING - TESCO`. */
export const saysPending = (text: string): boolean =>
  /^(?:pending|vorgemerkt|en attente|pendiente|in attesa|gereserveerd)\s*[-–:*|]/iu.test(text);

/** Why a row does not count, by its cell in a column for the status; undefined if it does. An empty one says nothing. */
export function leftOutByStatus(cell: string, stated?: StatusWords): 'not booked' | 'status unknown' | undefined {
  if (cell === '') return undefined;
  const isOf = (words: readonly string[]): boolean => words.some((word) => word.toLowerCase() === cell.toLowerCase());
  if (stated && isOf(stated.notBooked)) return 'not booked';
  if (stated && isOf(stated.booked)) return undefined;
  if (SAYS_NOT_BOOKED.test(cell)) return 'not booked';
  return BOOKED.test(cell) ? undefined : 'status unknown';
}
