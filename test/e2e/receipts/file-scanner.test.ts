import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApp } from '../../support/app.js';
import { hasClamd, startClamd } from '../../support/clamd.js';
import { rowsOf } from '../../support/database.js';
import { A_MAIL, A_PDF, openReceipts } from '../../support/receipts.js';
import { startWorking } from '../../support/statements.js';

const MALWARE = Buffer.concat([A_PDF, Buffer.from('what a scanner looks for\n')]);
const NAME = 'Claims.Test';

if (!hasClamd()) console.warn('No clamd here (Debian has it as clamav-daemon): the scan of files is tried without it.');
if (hasClamd())
  describe('a file that others have sent', () => {
    let working: TestApp;
    let clamd: Awaited<ReturnType<typeof startClamd>>;
    beforeAll(async () => {
      clamd = await startClamd(MALWARE, NAME);
      working = await startWorking({ FILE_SCANNER: clamd.url });
    });
    afterAll(async () => {
      await working.close();
      await clamd.stop();
    });

    it('is kept if the scanner finds nothing in it', async () => {
      const { project, sent } = await openReceipts(working);
      const projectId = (await project()).id;
      expect(await sent(A_PDF, { projectId })).toMatchObject({ fileName: 'invoice.pdf' });
    });

    it('is refused with the name of the malware, and nothing of it is kept', async () => {
      const { project, send } = await openReceipts(working);
      const { status, text } = await send(MALWARE, { projectId: (await project()).id });
      expect([status, (JSON.parse(text) as { detail: string }).detail]).toEqual([
        400,
        `A file has malware in it, its scanner says: ${NAME}.UNOFFICIAL.`,
      ]);
      expect(await rowsOf(working.databaseUrl, 'SELECT 1 FROM receipts WHERE size_bytes = $1', [MALWARE.length])).toEqual([]);
    });

    it('is refused with 503 while the scanner is away, also a statement', async () => {
      const { project, send, taken } = await openReceipts(working);
      const projectId = (await project()).id;
      await clamd.stop();
      expect(await send(A_MAIL, { projectId })).toMatchObject({ status: 503 });
      await expect(taken({ projectId })).rejects.toThrow('Files cannot be scanned at the moment');
    });
  });

describe('a scanner that says something else', () => {
  let server: Server;
  let working: TestApp;
  let answers = 'INSTREAM size limit exceeded. ERROR\0';
  beforeAll(async () => {
    server = createServer((socket) => void socket.on('error', () => undefined).end(answers)).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    working = await startWorking({ FILE_SCANNER: `tcp://127.0.0.1:${(server.address() as AddressInfo).port}` });
  });
  afterAll(async () => {
    await working.close();
    server.close();
  });

  it.each(['INSTREAM size limit exceeded. ERROR\0', 'stream: OK, but not quite\0', ''])('lets no file through: %j', async (said) => {
    answers = said;
    const { project, send } = await openReceipts(working);
    const { status, text } = await send(A_PDF, { projectId: (await project()).id });
    expect(status, text).toBe(503);
    expect(text).toContain('Files cannot be scanned at the moment, and are not kept without it.');
  });
});
