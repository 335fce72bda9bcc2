import type { Command } from 'commander';

export function addStart(program: Command): void {
  program
    .command('start')
    .description('Start the service in the role that ROLE names: all, api or worker.')
    .action(async () => (await import('../../start-processes.js')).startProcesses(process.env));
}
