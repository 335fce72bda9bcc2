import type { LineDraft } from '../line-draft.js';
import { nodesAt, textAt, textOf, type XmlNode } from './xml-node.js';

type OtherParty = Pick<LineDraft, 'counterparty' | 'counterpartyAccount' | 'counterpartyAddress'>;

/** The other party. From version 8, a party is one level deeper. */
export function otherPartyOf(transaction: XmlNode, isPaidToUs: boolean): OtherParty {
  const role = isPaidToUs ? 'Dbtr' : 'Cdtr';
  const parties = [`RltdPties/${role}`, `RltdPties/${role}/Pty`];
  const ultimate = [`RltdPties/Ultmt${role}`, `RltdPties/Ultmt${role}/Pty`];
  const account = `RltdPties/${role}Acct/Id`;
  return {
    counterparty: textAt(transaction, ...[...parties, ...ultimate].map((place) => `${place}/Nm`)),
    counterpartyAccount: textAt(transaction, `${account}/IBAN`, `${account}/Othr/Id`),
    counterpartyAddress:
      parties
        .flatMap((place) => nodesAt(transaction, `${place}/PstlAdr`))
        .map(addressOf)
        .find(Boolean) ?? null,
  };
}

function addressOf(address: XmlNode): string {
  const street = ['StrtNm', 'BldgNb']
    .map((name) => textAt(address, name))
    .filter(Boolean)
    .join(' ');
  const town = ['PstCd', 'TwnNm']
    .map((name) => textAt(address, name))
    .filter(Boolean)
    .join(' ');
  return [...nodesAt(address, 'AdrLine').map(textOf), street, town, textAt(address, 'Ctry')].filter(Boolean).join(', ');
}

/** The payer's text, structured or not. */
export function remittanceOf(transaction: XmlNode): string {
  const paths = ['Ustrd', 'Strd/RfrdDocInf/Nb', 'Strd/CdtrRefInf/Ref', 'Strd/AddtlRmtInf'];
  return paths
    .flatMap((path) => nodesAt(transaction, `RmtInf/${path}`))
    .map(textOf)
    .filter(Boolean)
    .join(' ');
}

export function referenceOf(transaction: XmlNode): string | null {
  const endToEnd = textAt(transaction, 'Refs/EndToEndId');
  if (endToEnd && !/^NOT ?PROVIDED$/i.test(endToEnd)) return endToEnd;
  return textAt(transaction, 'RmtInf/Strd/CdtrRefInf/Ref', 'Refs/ChqNb');
}
