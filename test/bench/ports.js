// `npm run bench -- --only ports`: what it costs that an extension takes part in each call. Servers on one database take turns: one without an
// extension, one whose extension is asked about each call, and one whose extension is also asked about each write, before and after it, in
// its transaction. They refuse, hide and change nothing.
import { compareServers } from './compare-servers.js';

const script = 'test/bench/ports-server.js';
await compareServers({
  without: { script: 'dist/src/main.js' },
  'asked about calls': { script },
  'asked about writes': { script, env: { ASKED_ABOUT: 'writes' } },
});
