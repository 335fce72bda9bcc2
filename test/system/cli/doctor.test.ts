import { describe, expect, inject, it } from 'vitest';
import { runCommand } from '../../support/command.js';

interface Finding {
  check: string;
  ok: boolean;
  detail: string;
  warning?: true;
}

async function doctor(env: Record<string, string>) {
  const { code, stdout, stderr } = await runCommand(['doctor', '--ssrf', '--json'], { DATABASE_URL: inject('databaseUrl'), ...env });
  expect(stderr).toBe('');
  const { ok, findings } = JSON.parse(stdout) as { ok: boolean; findings: Finding[] };
  return { code, ok, findings, ssrf: findings.filter(({ check }) => check === 'ssrf') };
}

describe('claims doctor --ssrf', () => {
  it('reports that every forbidden target is refused, however it is spelled, and that no request reached one', async () => {
    const { code, ok, findings, ssrf } = await doctor({});
    expect([code, ok]).toEqual([0, true]);
    expect(findings.slice(0, 10).map(({ check }) => check)).toEqual([
      'settings',
      'database',
      'migrations',
      'privileges',
      'plans',
      'keys',
      'clock',
      'secrets',
      'files',
      'redis',
    ]);
    expect(ssrf.length).toBeGreaterThan(40);
    for (const { detail, warning } of ssrf) {
      expect(detail).toMatch(/^http:\/\/\S+:\d+\/ \(.+\): (refused|not followed|the name does not resolve here)$/);
      expect(warning).toBeUndefined();
    }
    const targets = ssrf.map(({ detail }) => detail).join('\n');
    for (const host of [
      '127.0.0.1',
      'localhost',
      '2130706433',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::1]',
      '169.254.169.254',
      '10.0.0.1',
      '100.64.0.1',
      '[fe80::1]',
    ])
      expect(targets).toContain(`http://${host}:`);
    expect(ssrf.at(-1)!.detail).toMatch(/\(this machine, by a redirect\): not followed$/);
  });

  it('warns about allowed networks, exits with 1 if a target in them is reached, and still refuses all other targets', async () => {
    const { code, ok, ssrf } = await doctor({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' });
    expect([code, ok]).toEqual([1, false]);
    expect(ssrf.filter(({ warning }) => warning)).toEqual([
      { check: 'ssrf', ok: true, warning: true, detail: expect.stringContaining('127.0.0.1/32') },
    ]);
    const failed = ssrf.filter(({ ok: fine }) => !fine).map(({ detail }) => detail);
    expect(failed).toContainEqual(expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/ \(this machine\): REACHED/));
    expect(failed).toContainEqual(expect.stringMatching(/^http:\/\/2130706433:\d+\/ .*REACHED/));
    for (const detail of failed) expect(detail).toMatch(/this machine/);
    for (const host of ['127.255.255.254', '0.0.0.0', '[::1]', '169.254.169.254', '10.0.0.1'])
      expect(failed.filter((detail) => detail.startsWith(`http://${host}:`))).toEqual([]);
  });

  it('is required for these checks: without the option, doctor tries no target', async () => {
    const { stdout } = await runCommand(['doctor', '--json'], { DATABASE_URL: inject('databaseUrl') });
    expect((JSON.parse(stdout) as { findings: Finding[] }).findings.map(({ check }) => check)).not.toContain('ssrf');
  });
});
