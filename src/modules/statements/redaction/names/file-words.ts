/** Words of file names that are not in names of people, besides those of statements and trades: banks, and what computers write. */
export const FILE_WORDS = `
  a abn aktuell alt alte altes amex amro anz argenta at attachment ausgaben auszuege auszüge b barclaycard barclays bawag bbva belege
  belfius berlin bnp boa boi bpi buchhaltung buchungen bunq by c caixa chase check citi citibank comdirect commerzbank completed
  consorsbank copie corrected cvs d danske dkb doc document documents download downloaded duplicate durham einnahmen erste euros every
  example excel exportdatei extern extra fargo fidor file filename files first firstdirect format fortis four full gesamt gls h half
  halifax handelsbanken hsbc hypovereinsbank importe imported in ing intesa is its joint just kbc kind klarna knab konten kontoblatt
  kopie korrigiert kreditkartenabrechnung lcl list liste lloyds mandant mbank millennium min monzo my n nationwide natwest neue neuer no
  nordea norisbank not of old on one ordner our paribas part pdf pekao pko postbank postfinance q rabobank raiffeisen raw rbs re
  redacted retry revolut sabadell same santander seb second sella sent short skandia some space starling sumup swedbank targobank test
  tests three todo triodos truncated tsb two ubs umsatzanzeige umsatzuebersicht umsatzübersicht unicredit unnamed unredacted upload v vr
  wells werte wise with without year your ytd z zkb
`;
