import type { Command } from 'commander';
import { start } from '../start.js';

export function addStart(program: Command): void {
  program
    .command('start')
    .description('Start the service: what ROLE says (all, api or worker).')
    .action(() => start(process.env));
}
