import { AT } from './shipped/at.js';
import { AU } from './shipped/au.js';
import { BE } from './shipped/be.js';
import { CA } from './shipped/ca.js';
import { CARDS } from './shipped/cards.js';
import { CH } from './shipped/ch.js';
import { CZ } from './shipped/cz.js';
import { DE } from './shipped/de.js';
import { DK } from './shipped/dk.js';
import { EE } from './shipped/ee.js';
import { ES } from './shipped/es.js';
import { FI } from './shipped/fi.js';
import { FINTECH } from './shipped/fintech.js';
import { FR } from './shipped/fr.js';
import { IE } from './shipped/ie.js';
import { IT } from './shipped/it.js';
import { LT } from './shipped/lt.js';
import { NL } from './shipped/nl.js';
import { NO } from './shipped/no.js';
import { PL } from './shipped/pl.js';
import { PT } from './shipped/pt.js';
import { SE } from './shipped/se.js';
import { SG } from './shipped/sg.js';
import { UK } from './shipped/uk.js';
import { US } from './shipped/us.js';
import { fingerprintOfLayout, type WrittenLayout } from './written-layout.js';

/** The layouts of banks and cards that are part of the program: a file for each country, and one each for cards and fintechs. */
export const SHIPPED: readonly WrittenLayout[] = [
  ...AT,
  ...AU,
  ...BE,
  ...CA,
  ...CARDS,
  ...CH,
  ...CZ,
  ...DE,
  ...DK,
  ...EE,
  ...ES,
  ...FI,
  ...FINTECH,
  ...FR,
  ...IE,
  ...IT,
  ...LT,
  ...NL,
  ...NO,
  ...PL,
  ...PT,
  ...SE,
  ...SG,
  ...UK,
  ...US,
];

const BY_FINGERPRINT: ReadonlyMap<string | null, WrittenLayout> = new Map(SHIPPED.map((layout) => [fingerprintOfLayout(layout), layout]));
const BY_NAME: ReadonlyMap<string, WrittenLayout> = new Map(SHIPPED.map((layout) => [layout.name, layout]));

export const shippedByFingerprint = (fingerprint: string): WrittenLayout | undefined => BY_FINGERPRINT.get(fingerprint);
export const shippedByName = (name: string): WrittenLayout | undefined => BY_NAME.get(name);
