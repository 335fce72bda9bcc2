/**
 * `npm run simulate`: the simulation of deliveries at full size, with its figures. What is set already stays, such as SIMULATE_SEED or
 * SIMULATE_WORKERS. `npm test` runs a small one.
 */
import { spawnSync } from 'node:child_process';

const FULL = {
  SIMULATE_ORGANIZATIONS: '10000',
  SIMULATE_DELIVERIES_PER_HOUR: '1000000',
  SIMULATE_MINUTES: '15',
  SIMULATE_AWAY_MINUTES: '60',
  SIMULATE_SHOW: '1',
};

const options = ['run', '--project', 'unit', 'test/simulation', ...process.argv.slice(2)];
process.exitCode = spawnSync('vitest', options, { stdio: 'inherit', env: { ...FULL, ...process.env } }).status ?? 1;
