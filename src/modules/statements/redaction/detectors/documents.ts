import { findingsOf, type Finding } from '../finding.js';
import type { SearchableText } from '../searchable-text.js';

const WORDS =
  'passport|reisepass|reisepaß|passnummer|pass-?nr|personalausweis|ausweis|perso|führerschein|fuehrerschein|aufenthaltstitel|' +
  "driving licen[cs]e|driver'?s? licen[cs]e|identity card|id card|residence permit|passeport|carte d'identité|carte d'identite|cni|" +
  'titre de séjour|titre de sejour|permis de conduire|pasaporte|permiso de conducir|documento de identidad|passaporto|' +
  "carta d'identità|carta d'identita|patente di guida|patente|passaporte|carta de condução|carta de conducao|cartão de cidadão|" +
  'cartao de cidadao|paspoort|rijbewijs|identiteitskaart|körkort|korkort|passnummer|førerkort|forerkort|kørekort|korekort|passi|' +
  'ajokortti|paszport|dowód osobisty|dowod osobisty|prawo jazdy|ausweisnummer';
const NUMBER_WORDS = '(?:[ -]?(?:number|nummer|numero|numéro|número|numer|num|no|nr|n°|#))?';
/** Letters and digits in at most a few groups; the check that it has enough digits comes after. */
const DOCUMENT = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${WORDS})${NUMBER_WORDS}[ .:#=-]{0,3}` +
    `([a-z\\d]{6,20}|[a-z\\d]{2,6}(?:[ -](?=[a-z]*\\d)[a-z\\d]{2,8}){1,4})(?![\\p{L}\\p{N}])`,
  'giu',
);
const MIN_DIGITS = 3;

/** Numbers of passports, identity cards and driving licences, after a word for them. */
export const findDocuments = ({ hasDigits, text }: SearchableText): readonly Finding[] =>
  hasDigits ? findingsOf('document', DOCUMENT, text, (found) => found.replace(/\D/g, '').length >= MIN_DIGITS) : [];
