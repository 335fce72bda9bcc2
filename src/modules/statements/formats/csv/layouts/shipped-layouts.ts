import { fingerprintOfLayout } from './fingerprint.js';
import atBankAustria from './shipped/at/bank-austria.js';
import atBawag from './shipped/at/bawag.js';
import atErsteGeorge from './shipped/at/erste-george.js';
import atRaiffeisen from './shipped/at/raiffeisen.js';
import auAnz from './shipped/au/anz.js';
import auCommbank from './shipped/au/commbank.js';
import auIng from './shipped/au/ing.js';
import auMacquarie from './shipped/au/macquarie.js';
import auNab from './shipped/au/nab.js';
import auWestpac from './shipped/au/westpac.js';
import beArgenta from './shipped/be/argenta.js';
import beBelfius from './shipped/be/belfius.js';
import beBnpParibasFortis from './shipped/be/bnp-paribas-fortis.js';
import beIng from './shipped/be/ing.js';
import beKbc from './shipped/be/kbc.js';
import caBmo from './shipped/ca/bmo.js';
import caCibc from './shipped/ca/cibc.js';
import caRbc from './shipped/ca/rbc.js';
import caScotiabank from './shipped/ca/scotiabank.js';
import caTd from './shipped/ca/td.js';
import cardsAmex from './shipped/cards/amex.js';
import cardsAmexGerman from './shipped/cards/amex-german.js';
import cardsAmexGermanDetails from './shipped/cards/amex-german-details.js';
import cardsAmexReceipt from './shipped/cards/amex-receipt.js';
import cardsAmexUkDetails from './shipped/cards/amex-uk-details.js';
import cardsAmexUkDetailsMember from './shipped/cards/amex-uk-details-member.js';
import cardsAmexUsDetails from './shipped/cards/amex-us-details.js';
import cardsAmexUsDetailsMember from './shipped/cards/amex-us-details-member.js';
import cardsAppleCard from './shipped/cards/apple-card.js';
import cardsAppleCardSingle from './shipped/cards/apple-card-single.js';
import cardsDiscover from './shipped/cards/discover.js';
import chMigrosBank from './shipped/ch/migros-bank.js';
import chPostfinance from './shipped/ch/postfinance.js';
import chRaiffeisen from './shipped/ch/raiffeisen.js';
import chUbs from './shipped/ch/ubs.js';
import chZkb from './shipped/ch/zkb.js';
import czCsob from './shipped/cz/csob.js';
import czFio from './shipped/cz/fio.js';
import deComdirect from './shipped/de/comdirect.js';
import deCommerzbank from './shipped/de/commerzbank.js';
import deConsorsbank from './shipped/de/consorsbank.js';
import deDeutscheBank from './shipped/de/deutsche-bank.js';
import deDeutscheBankIban from './shipped/de/deutsche-bank-iban.js';
import deDkb from './shipped/de/dkb.js';
import deDkbVisa from './shipped/de/dkb-visa.js';
import deHypovereinsbank from './shipped/de/hypovereinsbank.js';
import deIng from './shipped/de/ing.js';
import deN26 from './shipped/de/n26.js';
import deN26Payee from './shipped/de/n26-payee.js';
import deN26PayeeCategory from './shipped/de/n26-payee-category.js';
import dePostbank from './shipped/de/postbank.js';
import deSparkasse from './shipped/de/sparkasse.js';
import deSparkasseMt940 from './shipped/de/sparkasse-mt940.js';
import deVolksbank from './shipped/de/volksbank.js';
import dkDanskeBank from './shipped/dk/danske-bank.js';
import dkNordea from './shipped/dk/nordea.js';
import eeLhv from './shipped/ee/lhv.js';
import esBbva from './shipped/es/bbva.js';
import esCaixabank from './shipped/es/caixabank.js';
import esIng from './shipped/es/ing.js';
import esSantander from './shipped/es/santander.js';
import fiNordea from './shipped/fi/nordea.js';
import fiOp from './shipped/fi/op.js';
import fiSPankki from './shipped/fi/s-pankki.js';
import fintechPaypal from './shipped/fintech/paypal.js';
import fintechPaypalGerman from './shipped/fintech/paypal-german.js';
import fintechRevolut from './shipped/fintech/revolut.js';
import fintechStripeBalance from './shipped/fintech/stripe-balance.js';
import fintechStripePayouts from './shipped/fintech/stripe-payouts.js';
import fintechWise from './shipped/fintech/wise.js';
import frBanquePostale from './shipped/fr/banque-postale.js';
import frBoursobank from './shipped/fr/boursobank.js';
import frBoursobankComma from './shipped/fr/boursobank-comma.js';
import frCaisseEpargne from './shipped/fr/caisse-epargne.js';
import frCic from './shipped/fr/cic.js';
import frCreditAgricole from './shipped/fr/credit-agricole.js';
import frFortuneo from './shipped/fr/fortuneo.js';
import frQonto from './shipped/fr/qonto.js';
import frSocieteGenerale from './shipped/fr/societe-generale.js';
import ieAib from './shipped/ie/aib.js';
import ieBankOfIreland from './shipped/ie/bank-of-ireland.js';
import itFineco from './shipped/it/fineco.js';
import itIntesa from './shipped/it/intesa.js';
import itPoste from './shipped/it/poste.js';
import itUnicredit from './shipped/it/unicredit.js';
import ltSwedbank from './shipped/lt/swedbank.js';
import nlAbnAmro from './shipped/nl/abn-amro.js';
import nlBunq from './shipped/nl/bunq.js';
import nlIng from './shipped/nl/ing.js';
import nlIng2020 from './shipped/nl/ing-2020.js';
import nlIngEnglish from './shipped/nl/ing-english.js';
import nlKnab from './shipped/nl/knab.js';
import nlRabobank from './shipped/nl/rabobank.js';
import nlTriodos from './shipped/nl/triodos.js';
import noDnb from './shipped/no/dnb.js';
import noNordea from './shipped/no/nordea.js';
import noSparebank1 from './shipped/no/sparebank1.js';
import plIng from './shipped/pl/ing.js';
import plMbank from './shipped/pl/mbank.js';
import plMillennium from './shipped/pl/millennium.js';
import plPkoBp from './shipped/pl/pko-bp.js';
import ptCgd from './shipped/pt/cgd.js';
import ptMillenniumBcp from './shipped/pt/millennium-bcp.js';
import seHandelsbanken from './shipped/se/handelsbanken.js';
import seNordea from './shipped/se/nordea.js';
import seSeb from './shipped/se/seb.js';
import seSwedbank from './shipped/se/swedbank.js';
import sgDbs from './shipped/sg/dbs.js';
import sgOcbc from './shipped/sg/ocbc.js';
import ukBarclays from './shipped/uk/barclays.js';
import ukHsbc from './shipped/uk/hsbc.js';
import ukLloyds from './shipped/uk/lloyds.js';
import ukMetro from './shipped/uk/metro.js';
import ukMonzo from './shipped/uk/monzo.js';
import ukNationwide from './shipped/uk/nationwide.js';
import ukNatwest from './shipped/uk/natwest.js';
import ukSantander from './shipped/uk/santander.js';
import ukStarling from './shipped/uk/starling.js';
import usAlly from './shipped/us/ally.js';
import usBankOfAmerica from './shipped/us/bank-of-america.js';
import usCapitalOne from './shipped/us/capital-one.js';
import usChaseChecking from './shipped/us/chase-checking.js';
import usChaseCredit from './shipped/us/chase-credit.js';
import usCiti from './shipped/us/citi.js';
import usCitiMember from './shipped/us/citi-member.js';
import usPnc from './shipped/us/pnc.js';
import usSchwab from './shipped/us/schwab.js';
import usTdBank from './shipped/us/td-bank.js';
import usUsBank from './shipped/us/us-bank.js';
import usUsaa from './shipped/us/usaa.js';
import usWellsFargo from './shipped/us/wells-fargo.js';
import type { WrittenLayout } from './written-layout.js';

/** The layouts of banks and cards that are part of the program: a file for each. */
export const SHIPPED: readonly WrittenLayout[] = [
  atBankAustria,
  atBawag,
  atErsteGeorge,
  atRaiffeisen,
  auAnz,
  auCommbank,
  auIng,
  auMacquarie,
  auNab,
  auWestpac,
  beArgenta,
  beBelfius,
  beBnpParibasFortis,
  beIng,
  beKbc,
  caBmo,
  caCibc,
  caRbc,
  caScotiabank,
  caTd,
  cardsAmex,
  cardsAmexGerman,
  cardsAmexGermanDetails,
  cardsAmexReceipt,
  cardsAmexUkDetails,
  cardsAmexUkDetailsMember,
  cardsAmexUsDetails,
  cardsAmexUsDetailsMember,
  cardsAppleCard,
  cardsAppleCardSingle,
  cardsDiscover,
  chMigrosBank,
  chPostfinance,
  chRaiffeisen,
  chUbs,
  chZkb,
  czCsob,
  czFio,
  deComdirect,
  deCommerzbank,
  deConsorsbank,
  deDeutscheBank,
  deDeutscheBankIban,
  deDkb,
  deDkbVisa,
  deHypovereinsbank,
  deIng,
  deN26,
  deN26Payee,
  deN26PayeeCategory,
  dePostbank,
  deSparkasse,
  deSparkasseMt940,
  deVolksbank,
  dkDanskeBank,
  dkNordea,
  eeLhv,
  esBbva,
  esCaixabank,
  esIng,
  esSantander,
  fiNordea,
  fiOp,
  fiSPankki,
  fintechPaypal,
  fintechPaypalGerman,
  fintechRevolut,
  fintechStripeBalance,
  fintechStripePayouts,
  fintechWise,
  frBanquePostale,
  frBoursobank,
  frBoursobankComma,
  frCaisseEpargne,
  frCic,
  frCreditAgricole,
  frFortuneo,
  frQonto,
  frSocieteGenerale,
  ieAib,
  ieBankOfIreland,
  itFineco,
  itIntesa,
  itPoste,
  itUnicredit,
  ltSwedbank,
  nlAbnAmro,
  nlBunq,
  nlIng,
  nlIng2020,
  nlIngEnglish,
  nlKnab,
  nlRabobank,
  nlTriodos,
  noDnb,
  noNordea,
  noSparebank1,
  plIng,
  plMbank,
  plMillennium,
  plPkoBp,
  ptCgd,
  ptMillenniumBcp,
  seHandelsbanken,
  seNordea,
  seSeb,
  seSwedbank,
  sgDbs,
  sgOcbc,
  ukBarclays,
  ukHsbc,
  ukLloyds,
  ukMetro,
  ukMonzo,
  ukNationwide,
  ukNatwest,
  ukSantander,
  ukStarling,
  usAlly,
  usBankOfAmerica,
  usCapitalOne,
  usChaseChecking,
  usChaseCredit,
  usCiti,
  usCitiMember,
  usPnc,
  usSchwab,
  usTdBank,
  usUsBank,
  usUsaa,
  usWellsFargo,
];

const BY_FINGERPRINT: ReadonlyMap<string | null, WrittenLayout> = new Map(SHIPPED.map((layout) => [fingerprintOfLayout(layout), layout]));
const BY_NAME: ReadonlyMap<string, WrittenLayout> = new Map(SHIPPED.map((layout) => [layout.name, layout]));

export const shippedByFingerprint = (fingerprint: string): WrittenLayout | undefined => BY_FINGERPRINT.get(fingerprint);
export const shippedByName = (name: string): WrittenLayout | undefined => BY_NAME.get(name);
