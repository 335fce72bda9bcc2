// `npm run bench -- --only observing`: what metrics and traces cost. Servers on one database take turns: one as it is, one that Prometheus reads
// every second, one that traces one request in a hundred. `-- FOLDER…` adds the builds of other checkouts, such as one without metrics.
import { createServer } from 'node:http';
import { join } from 'node:path';
import { compareServers } from './compare-servers.js';

const collector = createServer((request, response) => request.resume().on('end', () => response.end('{}')));
await new Promise((resolve) => collector.listen(0, '127.0.0.1', resolve));
const OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${collector.address().port}`;

const SERVERS = {
  'as it is': {},
  'read every second': { isRead: true },
  'one in a hundred traced': { env: { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_SAMPLER_ARG: '0.01' } },
};
for (const folder of process.argv.slice(2)) SERVERS[folder] = { script: join(folder, 'dist/bundle/main.js') };

try {
  await compareServers(SERVERS);
} finally {
  collector.closeAllConnections();
  collector.close();
}
