import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { McpService } from '../../src/modules/mcp/server/mcp.service.js';
import { startApp, type TestApp } from '../support/app.js';
import { aTenant } from '../support/builders.js';
import { fixtureServer } from './support/mcp-fixtures/server.js';
import { requiredOf, runSuite, type Outcome } from './support/mcp-fixtures/suite.js';

const TIMEOUT_MS = 500_000;

/** In the older revision, a server asks its client over the open connection of a session. This server has no sessions. */
const NEED_A_SESSION = [
  'tools-call-sampling',
  'tools-call-elicitation',
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
  'server-sse-multiple-streams',
];

const REVISIONS = [
  { revision: '2026-07-28', needSession: [], needNoFixtures: ['tools-list', 'server-sse-multiple-streams', 'dns-rebinding-protection'] },
  {
    revision: '2025-11-25',
    needSession: NEED_A_SESSION,
    needNoFixtures: ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'],
  },
].map((row) => ({ ...row, required: requiredOf(row.revision) }));

const PASSED = { passed: expect.toSatisfy((count: number) => count > 0) as number, failed: 0 };

describe.each(REVISIONS)('the official conformance suite of $revision', ({ revision, required, needSession, needNoFixtures }) => {
  let plain: TestApp;
  let withFixtures: TestApp;
  let ofPlain: ReadonlyMap<string, Outcome>;
  let ofFixtures: ReadonlyMap<string, Outcome>;
  beforeAll(async () => {
    [plain, withFixtures] = [await startApp(), await startApp()];
    withFixtures.app.get(McpService).makeServer = fixtureServer;
    ofPlain = await runSuite(plain.url, (await aTenant(plain)).key, revision);
    ofFixtures = await runSuite(withFixtures.url, (await aTenant(withFixtures)).key, revision);
  }, TIMEOUT_MS);
  afterAll(() => Promise.all([plain.close(), withFixtures.close()]));

  it('requires the scenarios that are named in this test', () => {
    expect(required.length).toBeGreaterThan(20);
    expect(required).toEqual(expect.arrayContaining([...needSession, ...needNoFixtures]));
  });

  it.each(needNoFixtures)('passes %s with the server as it is', (scenario) => {
    expect(ofPlain.get(scenario), ofPlain.get(scenario)?.output).toMatchObject(PASSED);
  });

  it.each(required.filter((scenario) => !needSession.includes(scenario)))('passes %s with the fixtures of the suite', (scenario) => {
    expect(ofFixtures.get(scenario), ofFixtures.get(scenario)?.output).toMatchObject(PASSED);
  });

  it('fails every scenario that is listed as needing a session, so that the list stays true', () => {
    expect(
      needSession.filter((scenario) => {
        const { passed = 0, failed = 1 } = ofFixtures.get(scenario) ?? {};
        return passed > 0 && failed === 0;
      }),
    ).toEqual([]);
  });
});
