import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { pdfFile } from '../outputs/fixtures/files.js';
import { someLine, someReport } from '../outputs/fixtures/report.js';
import { certificateRequest, readCertificates, signPdf } from '../../../../tools/pdf-signatures/index.js';
import { Authority } from './fixtures/authority.js';

const authority = new Authority();
afterAll(() => authority.close());

const NAME = 'Müller & Söhne GmbH';
const newKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const { root, middle } = authority;
const privateKey = newKey();
const own = authority.certify(certificateRequest(NAME, privateKey));
const now = new Date();

describe('a request for a certificate', () => {
  it('is signed by its key, names the organization, and is what an authority certifies', () => {
    const file = authority.write('read.csr', certificateRequest(NAME, privateKey));
    expect(authority.openssl('req', '-in', file, '-noout', '-verify', '-subject', '-nameopt', 'utf8')).toContain(`O=${NAME}, CN=${NAME}`);
    expect(new X509Certificate(own).checkPrivateKey(privateKey)).toBe(true);
  });
});

describe('certificates that are given', () => {
  const refusal = (pem: string, key = privateKey, when = now): string => {
    try {
      readCertificates(pem, key, when);
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };

  it('are put in the order from the own one to its authority, whatever order they come in', () => {
    const found = readCertificates([root, own, middle].join(''), privateKey, now);
    expect(found.map(String)).toEqual([own, middle, root]);
  });

  it('are refused if they are of another key, damaged, without their issuer, or not valid now', () => {
    expect(refusal('none')).toContain('1 to 8 certificates as PEM');
    expect(refusal(own.replace('MII', 'MIX'))).toContain('well-formed');
    expect(refusal(own, newKey())).toContain('made from the request of this page');
    expect(refusal(own + root)).toContain(`has issued ${NAME}`);
    expect(refusal(own + middle, privateKey, new Date(now.getTime() + 31 * 86_400_000))).toContain(`${NAME} is not`);
    expect(refusal(own)).toBe('');
  });
});

describe('a signed PDF', () => {
  const signer = { certificates: readCertificates(own + middle, privateKey, now), privateKey };
  const signed = async (): Promise<[Buffer, Buffer]> => {
    const pdf = await pdfFile(someReport({ lines: [someLine] }));
    return [pdf, signPdf(pdf, signer, { at: new Date('2026-07-04T10:00:00Z'), name: NAME })];
  };

  it('begins with the file as it was, and is verified by a reader of PDF and by one of CMS', async () => {
    const [pdf, result] = await signed();
    expect(result.subarray(0, pdf.length).equals(pdf)).toBe(true);
    const shown = authority.shown(result);
    for (const said of ['Signature is Valid.', 'ETSI.CAdES.detached', 'Total document signed', `Common Name: ${NAME}`])
      expect(shown).toContain(said);
    expect(authority.refusal(result)).toBe('');
  });

  it('is refused if a byte of it was changed, before or after the signature', async () => {
    const [, result] = await signed();
    for (const place of [100, result.length - 10]) {
      const changed = Buffer.from(result);
      changed[place]! ^= 1;
      expect(authority.refusal(changed)).toContain('erification failure');
    }
  });

  it('binds its certificate, and says the time in the file alone, as PAdES B-B wants it', async () => {
    const [, result] = await signed();
    const shown = authority.openssl('asn1parse', '-inform', 'DER', '-in', authority.signatureOf(result));
    expect(shown).toContain('id-smime-aa-signingCertificateV2');
    expect(shown).not.toContain('signingTime');
    expect(result.toString('latin1')).toContain('/M (D:20260704100000Z)');
  });
});
