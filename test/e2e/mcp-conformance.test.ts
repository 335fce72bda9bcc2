import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { McpService } from '../../src/modules/mcp/server/mcp.service.js';
import { startApp, type TestApp } from '../support/app.js';
import { aTenant } from '../support/builders.js';
import { fixtureServer } from '../support/mcp-fixtures/server.js';
import { requiredOf, runSuite, type Outcome } from '../support/mcp-fixtures/suite.js';

const PATIENCE_MS = 500_000;

/** In the older revision a server asks its client on a connection that stays. There are no sessions here, so there is none; the newer one does without. */
const NEED_A_SESSION = [
  'tools-call-sampling',
  'tools-call-elicitation',
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
  'server-sse-multiple-streams',
];

const REVISIONS = [
  { revision: '2026-07-28', beyond: [], needNoFixtures: ['tools-list', 'server-sse-multiple-streams', 'dns-rebinding-protection'] },
  {
    revision: '2025-11-25',
    beyond: NEED_A_SESSION,
    needNoFixtures: ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'],
  },
].map((row) => ({ ...row, required: requiredOf(row.revision) }));

const PASSED = { passed: expect.toSatisfy((count: number) => count > 0) as number, failed: 0 };

describe.each(REVISIONS)(
  'the official conformance suite of $revision',
  { timeout: PATIENCE_MS },
  ({ revision, required, beyond, needNoFixtures }) => {
    let plain: TestApp;
    let equipped: TestApp;
    let ofPlain: ReadonlyMap<string, Outcome>;
    let ofEquipped: ReadonlyMap<string, Outcome>;
    beforeAll(async () => {
      [plain, equipped] = [await startApp(), await startApp()];
      equipped.app.get(McpService).makeServer = fixtureServer;
      ofPlain = await runSuite(plain.url, (await aTenant(plain)).key, revision);
      ofEquipped = await runSuite(equipped.url, (await aTenant(equipped)).key, revision);
    }, PATIENCE_MS);
    afterAll(() => Promise.all([plain.close(), equipped.close()]));

    it('requires something, and what is said here to be beyond this server is required', () => {
      expect(required.length).toBeGreaterThan(20);
      expect(required).toEqual(expect.arrayContaining([...beyond, ...needNoFixtures]));
    });

    it.each(needNoFixtures)('is content with the server as it is in %s', (scenario) => {
      expect(ofPlain.get(scenario), ofPlain.get(scenario)?.output).toMatchObject(PASSED);
    });

    it.each(required.filter((scenario) => !beyond.includes(scenario)))(
      'is content with the server and the tools of the suite in %s',
      (scenario) => {
        expect(ofEquipped.get(scenario), ofEquipped.get(scenario)?.output).toMatchObject(PASSED);
      },
    );

    it('is not content in what needs a session: once it is, that no longer has to be named here', () => {
      expect(
        beyond.filter((scenario) => {
          const { passed = 0, failed = 1 } = ofEquipped.get(scenario) ?? {};
          return passed > 0 && failed === 0;
        }),
      ).toEqual([]);
    });
  },
);
