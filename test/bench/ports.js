// `npm run bench -- --only ports`: what it costs that an extension takes part in each call. Servers on one database take turns: one without an
// extension, and one whose extension implements the ports that are asked with each call, and refuses, hides and changes nothing.
import { compareServers } from './compare-servers.js';

await compareServers({
  without: { script: 'dist/src/main.js' },
  'with ports that do nothing': { script: 'test/bench/ports-server.js' },
});
