import { END as after, START as before } from './phrases.js';
import { isOfInstitution } from './word-kinds.js';

const FORMS = new RegExp(
  `${before}(?:gmbh|ggmbh|gesmbh|ges\\.m\\.b\\.h|mbh|kgaa|ohg|gbr|partgmbb|ltd|limited|plc|llp|llc|pllc|inc|incorporated|corp|` +
    `corporation|pty|sarl|sàrl|eurl|sasu|snc|asbl|vzw|spa|srl|bvba|vof|oyj|aps|a/s|k/s|i/s|p/s|s\\.p\\.a|s\\.r\\.l|s\\.a\\.r\\.l|` +
    `sp\\. ?z ?o\\.? ?o|sp\\. ?j|s\\.? ?r\\.? ?o|d\\.o\\.o|kft|zrt|nyrt|lda|ltda|oü|uab|sia|stiftung|stichting|genossenschaft|` +
    `aktiengesellschaft|amba|sprl|scrl|cvba|aisbl|ivzw|ehf|eood|credit union|sp[óo][łl]ka (?:jawna|komandytowa|akcyjna|cywilna)|` +
    `building society|ek\\.? ?för|u\\.a|parish church|a\\. ?s|z\\. ?s|s\\. ?c|a\\.m\\.b\\.a)${after}|` +
    `(?:&|\\band) sons${after}|& ?co${after}`,
  'iu',
);
/** Legal forms that can also be names or initials: only in capitals and after a name. */
const SHORT_FORMS = new RegExp(
  '(?<=[\\p{L}\\p{N}.)"] )(?:AG|KG|UG|SE|SA|SAS|SCI|SL|SLU|AB|HB|KB|AS|ASA|OY|Oy|BV|NV|CV|LP|Co|CO|eG|eV|e\\. ?V\\.|e\\. ?G\\.|' +
    'S\\. ?A\\.|S\\.A|S\\. ?A\\. ?S\\.|S\\. ?L\\.|S\\.L|B\\. ?V\\.|B\\.V|N\\. ?V\\.|N\\.V|C\\.V\\.|V\\.O\\.F\\.|' +
    'A\\.S\\.|K\\.K\\.)(?![\\p{L}\\p{N}]| ID[: ])',
  'u',
);
/** Forms that the French write before the name. */
const FORM_FIRST = /^(?:SCI|SCP|SCM|SAS|GAEC|SELARL) \p{L}/u;
const GLUED_FORM = /\p{Ll}GmbH(?![\p{L}\p{N}])/u;
const PUBLIC_BODIES = new RegExp(
  `^(?:finanzamt|bundeskasse|landeskasse|landesoberkasse|stadtkasse|gemeindekasse|bundesagentur für arbeit|` +
    `deutsche rentenversicherung|hauptzollamt|hmrc|hm revenue|dvla|companies house|belastingdienst|dgfip|c[âa]mara municipal|` +
    `direction générale des finances publiques|trésor public|tresor public|urssaf|c\\.?a\\.?f|cpam|agenzia delle entrate|inps|` +
    `agencia tributaria|tesorería general|irs|us treasury|skatteverket|skattestyrelsen|skatteetaten|verohallinto|` +
    `urząd skarbowy|zus)${after}`,
  'iu',
);

/** Signs of a person who trades under their own name. Those names are masked like people. */
const PEOPLE = new RegExp(
  `${before}(?:e\\. ?k|e\\. ?kfm|e\\. ?kfr|inh|inhaber|inhaberin|einzelunternehmen|einzelunternehmer|eenmanszaak|c/o|` +
    `t/a|trading as|d/b/a|dba|ei|eirl|autónomo|ditta individuale)${after}`,
  'iu',
);

/** The name of a site, as in `NETFLIX.COM`; not the end of an e-mail address. */
const SITE = new RegExp(
  '(?<![\\p{L}\\p{N}@._-])(?:www\\.)?[\\p{L}\\p{N}-]{2,}\\.(?:com|net|org|eu|io|co\\.uk|uk|de|at|ch|fr|nl|be|es|it|pt|pl|se|dk|no|fi|ie)' +
    '(?![\\p{L}\\p{N}@])',
  'iu',
);
/** Words that only names of organisations have between others: `Bank of Scotland`. */
const OF = /\p{L} of \p{L}/iu;
export const WORDS = /[\p{L}'’]{2,}(?:-[\p{L}'’]+)*/gu;

export const isTradedUnderName = (name: string): boolean => PEOPLE.test(name);

/** Whether a text contains a legal form or starts with a public body. */
export function hasLegalForm(text: string): boolean {
  if (PEOPLE.test(text)) return false;
  return FORMS.test(text) || SHORT_FORMS.test(text) || GLUED_FORM.test(text) || FORM_FIRST.test(text) || PUBLIC_BODIES.test(text);
}

/** Whether a name has what only names of organisations have: a site, `of`, or a word such as `Insurance`. */
export const isNamedAsOrganisation = (name: string): boolean =>
  SITE.test(name) || OF.test(name) || (name.match(WORDS) ?? []).some(isOfInstitution);
