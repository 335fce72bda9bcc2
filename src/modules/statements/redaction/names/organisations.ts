const before = '(?<![\\p{L}\\p{N}])';
const after = '(?![\\p{L}\\p{N}])';

/** Unambiguous legal forms, case-insensitive. */
const FORMS = new RegExp(
  `${before}(?:gmbh|ggmbh|mbh|kgaa|ohg|gbr|partgmbb|ltd|limited|plc|llp|llc|inc|incorporated|corp|corporation|pty|` +
    `sarl|sàrl|sasu|snc|spa|srl|bvba|vof|oyj|aps|a/s|s\\.p\\.a|s\\.r\\.l|s\\.a\\.r\\.l|sp\\. ?z ?o\\.? ?o|` +
    `s\\.? ?r\\.? ?o|d\\.o\\.o|kft|lda|ltda|stiftung|stichting|genossenschaft|aktiengesellschaft)${after}`,
  'iu',
);
/** Legal forms that can also be names or initials: only in capitals and after a name. */
const SHORT_FORMS = new RegExp(
  '(?<=[\\p{L}\\p{N}.)"] )(?:AG|KG|UG|SE|SA|SAS|SL|SLU|AB|AS|OY|Oy|BV|NV|CV|LP|eG|eV|e\\. ?V\\.|e\\. ?G\\.|' +
    'S\\. ?A\\.|S\\.A|S\\. ?A\\. ?S\\.|S\\. ?L\\.|S\\.L|B\\. ?V\\.|B\\.V|N\\. ?V\\.|N\\.V|C\\.V\\.|V\\.O\\.F\\.|' +
    'A\\.S\\.|K\\.K\\.)(?![\\p{L}\\p{N}])',
  'u',
);
const GLUED_FORM = /\p{Ll}GmbH(?![\p{L}\p{N}])/u;
const PUBLIC_BODIES = new RegExp(
  `^(?:finanzamt|bundeskasse|landeskasse|landesoberkasse|stadtkasse|gemeindekasse|bundesagentur für arbeit|` +
    `deutsche rentenversicherung|hauptzollamt|hmrc|hm revenue|dvla|companies house|belastingdienst|dgfip|` +
    `direction générale des finances publiques|trésor public|urssaf|agenzia delle entrate|inps|agencia tributaria|` +
    `tesorería general|irs|us treasury|skatteverket|skattestyrelsen)${after}`,
  'iu',
);

/** Signs of a person who trades under their own name. Those names are masked like people. */
const PEOPLE = new RegExp(
  `${before}(?:e\\. ?k|e\\. ?kfm|e\\. ?kfr|inh|inhaber|inhaberin|einzelunternehmen|einzelunternehmer|eenmanszaak|c/o|` +
    `t/a|trading as|d/b/a|dba|ei|eirl|autónomo|ditta individuale)${after}`,
  'iu',
);

/** Whether a name belongs to an organisation, by its legal form or as a public body. Other names count as people. */
export function isOrganisation(name: string): boolean {
  if (PEOPLE.test(name)) return false;
  return FORMS.test(name) || SHORT_FORMS.test(name) || GLUED_FORM.test(name) || PUBLIC_BODIES.test(name);
}
