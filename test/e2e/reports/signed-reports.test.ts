import { createHash, generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { certificateRequest } from '../../../tools/pdf-signatures/index.js';
import { Authority } from '../../../src/modules/reports/closing/fixtures/authority.js';
import { filesOf } from '../../../src/modules/reports/outputs/fixtures/evidence.js';
import { verifyPack } from '../../../src/modules/reports/outputs/evidence/verify-pack.js';
import type { TestApp } from '../../support/app.js';
import { openClosings } from '../../support/closings.js';
import { aVisitorOf } from '../../support/console.js';
import { rowsOf } from '../../support/database.js';
import { REPORTS } from '../../support/reports.js';
import { startWorking } from '../../support/statements.js';
import { entriesOf } from '../../support/users.js';

let app: TestApp;
let authority: Authority;
beforeAll(async () => {
  app = await startWorking();
  authority = new Authority();
});
afterAll(async () => {
  authority.close();
  await app.close();
});

const SECTION = '/console/test/signatures';
const REQUEST = /-----BEGIN CERTIFICATE REQUEST-----[^-]+-----END CERTIFICATE REQUEST-----/;

/** An organization whose owner has asked for a certificate, and the request. */
async function aRequest() {
  const opened = await openClosings(app);
  const { browser } = await aVisitorOf(app, { id: opened.organizationId });
  const shown = await browser.send(await browser.visit(SECTION), {}, '/request');
  const give = async (certificates: string) => browser.send(await browser.visit(SECTION), { certificates }, '/give');
  return { ...opened, browser, request: REQUEST.exec(shown.text)![0], give };
}

async function packOf(key: string, reportId: string): Promise<Buffer> {
  const answer = await fetch(`${app.url}${REPORTS}/${reportId}/outputs/evidence`, { headers: { 'X-API-Key': key } });
  return Buffer.from(await answer.arrayBuffer());
}

describe('the certificate of an organization', () => {
  it('signs the report of a final claim as a PDF, in the pack, which is verified with it', async () => {
    const { give, request, claim, close, key, organizationId } = await aRequest();
    const own = authority.certify(request);
    expect((await give(own + authority.middle)).text).toContain('The certificate was saved.');
    const { report } = await claim();
    const unsigned = filesOf(await packOf(key, report.id));
    const final = await close(report.id);
    const pack = await packOf(key, report.id);
    const files = filesOf(pack);
    const signed = files.get('report-signed.pdf')!;
    expect(files.get('report.pdf')!.equals(unsigned.get('report.pdf')!)).toBe(true);
    expect(signed.subarray(0, unsigned.get('report.pdf')!.length).equals(unsigned.get('report.pdf')!)).toBe(true);
    expect(authority.shown(signed)).toContain('Signature is Valid.');
    expect(authority.refusal(signed)).toBe('');
    expect(verifyPack(pack)).toMatchObject({ findings: [], signature: { claim: { signedReport: { path: 'report-signed.pdf' } } } });
    const sha256 = createHash('sha256')
      .update(Buffer.from(own.split(/-----[^-]+-----/)[1]!, 'base64'))
      .digest('hex');
    expect(final.pack!.certificate).toEqual({ subject: expect.any(String), sha256 });
    const entries = await entriesOf(app, organizationId, 'signing_certificate');
    expect(entries.map(({ action, changes }) => [action, changes])).toEqual([
      ['signing_certificate.requested', {}],
      ['signing_certificate.given', { certificate: { from: null, to: sha256 } }],
    ]);
  });

  it('is refused if it is of another key, and the request is always about the same key until it is removed', async () => {
    const { give, request, browser } = await aRequest();
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const refused = await give(authority.certify(certificateRequest('Somebody else', privateKey)));
    expect([refused.status, refused.text.includes('made from the request of this page')]).toEqual([400, true]);
    const again = REQUEST.exec((await browser.send(await browser.visit(SECTION), {}, '/request')).text)![0];
    const keyOf = (pem: string) => authority.openssl('req', '-in', authority.write('one.csr', pem), '-noout', '-pubkey');
    expect(keyOf(again)).toBe(keyOf(request));
    await give(authority.certify(request));
    expect((await browser.send(await browser.visit(SECTION), {}, '/remove')).text).toContain('The certificate was removed.');
    const other = REQUEST.exec((await browser.send(await browser.visit(SECTION), {}, '/request')).text)![0];
    expect(keyOf(other)).not.toBe(keyOf(request));
  });

  it('that has ended keeps a claim from becoming final, and says so', async () => {
    const { give, request, claim, taking, take, other, organizationId } = await aRequest();
    await give(authority.certify(request));
    const { report } = await claim();
    await taking(report.id, 'reviewed');
    await taking(report.id, 'approved', {}, other);
    // One that the authority made for a month that is over, as it is after years.
    const ended = authority.ended(request);
    await rowsOf(app.databaseUrl, 'UPDATE signing_keys SET certificates = $2 WHERE organization_id = $1', [organizationId, ended]);
    expect(await take(report.id, 'final')).toMatchObject({
      ...{ status: 409, body: { code: 'claim_state', detail: expect.stringMatching(/^The certificate of .+ has ended\./) } },
    });
    await rowsOf(app.databaseUrl, 'UPDATE signing_keys SET certificates = NULL WHERE organization_id = $1', [organizationId]);
    expect((await taking(report.id, 'final')).pack).not.toHaveProperty('certificate');
  });

  it('is for owners alone', async () => {
    const { organizationId } = await openClosings(app);
    const { browser } = await aVisitorOf(app, { id: organizationId }, { role: 'admin' });
    expect((await browser.visit(SECTION)).status).toBe(403);
  });
});
