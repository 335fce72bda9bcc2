import type { Command } from 'commander';
import { jsonCommand, print } from '../command.js';
import type { Finding } from './doctor-checks.js';

export function addDoctor(program: Command): void {
  jsonCommand(program, 'doctor', 'Check settings, database, migrations, clock and Redis.')
    .option('--ssrf', 'also try deliveries to forbidden targets: this machine, private networks, metadata services')
    .action(async (options: { ssrf?: boolean; json?: boolean }) => {
      const { examine } = await import('./doctor-checks.js');
      const findings = await examine(options.ssrf === true);
      const ok = findings.every((finding) => finding.ok);
      print(
        options,
        { ok, findings },
        findings.map((finding) => `${markOf(finding)}  ${finding.check.padEnd(10)}  ${finding.detail}`),
      );
      process.exitCode = ok ? 0 : 1;
    });
}

const markOf = ({ ok, warning }: Finding): string => (!ok ? 'FAILED' : warning ? 'WARN  ' : 'ok    ');
